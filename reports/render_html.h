#pragma once

#include <string>

#include "reports/report.h"

namespace assay::reports {

// A page of its own: HTML5 that is well-formed XML too, without scripts and without anything to load. The same report
// gives the same bytes. `database` is how the commands on the page, which show what was cut, name it.
[[nodiscard]] std::string html_page(const Report& report, const std::string& database);

}  // namespace assay::reports
