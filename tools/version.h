#pragma once

namespace assay::tools {

// The version of the project as CMakeLists.txt states it; recorded with every run.
inline constexpr const char* kToolVersion = ASSAY_TOOL_VERSION;

}  // namespace assay::tools
