#pragma once

#include <optional>
#include <string>

#include "golden/expectation.h"
#include "golden/store.h"
#include "reports/comparison.h"

namespace assay::reports {

// A run as JUnit XML, in the dialect that CI servers read: a test suite for each format, and in it each item as a test
// case that is named by its address. What fails is a failure, what no format claims is skipped, a quirk says which
// rules were used. With a comparison there is a suite `changes` with each changed item, in which those that regressed
// fail. Takes the files one at a time; memory: the result, and the differences. Throws what the sources throw.
[[nodiscard]] std::string junit_xml(const golden::RunRecord& run, golden::FileSource& files,
                                    const std::optional<Comparison>& before, const golden::RecordFinder& find_record);

}  // namespace assay::reports
