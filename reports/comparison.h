#pragma once

#include "golden/store.h"

namespace assay::reports {

// The run that another is compared with, and its files, which are read once. Both must outlive the object.
struct Comparison {
  const golden::RunRecord& run;
  golden::FileSource& files;
};

}  // namespace assay::reports
