#pragma once

#include "parsers/formats/format.h"

// Loose files called `preload*`: neither layout nor use is known (docs/formats/preload.md).
namespace assay::preload {

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::preload
