#pragma once

#include <stdexcept>

// What the command ends with, the same for every verb.
namespace assay::tools {

enum class ExitStatus : int {
  kFine = 0,
  // Findings, or a regression.
  kFindings = 1,
  // The command itself could not work: bad usage, a missing file, a database that cannot be used.
  kCannotWork = 2,
  kInterrupted = 130,
};

// Thrown where a verb cannot go on; the text names the file and what to do. Ends with kCannotWork.
struct CannotWork final : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace assay::tools
