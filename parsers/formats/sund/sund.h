#pragma once

#include "parsers/formats/format.h"

// Parameters of a sun, `*.sun`: no layout is known (docs/formats/sund.md).
namespace assay::sund {

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::sund
