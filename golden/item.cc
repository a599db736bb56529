#include "golden/item.h"

namespace assay::golden {

bool is_inside(std::string_view entry, std::string_view archive) {
  return archive.empty() ? !entry.empty()
                         : entry.starts_with(archive) && entry.substr(archive.size()).starts_with(kAddressSeparator);
}

void Totals::count(const Item& item) {
  ++items;
  switch (item.verdict) {
    case Verdict::kOk: ++ok; break;
    case Verdict::kQuirk: ++quirk; break;
    case Verdict::kFail: ++fail; break;
    case Verdict::kUnknown: ++unknown; break;
  }
  if (item.entry.empty()) {
    bytes += item.stored_size;
  }
}

}  // namespace assay::golden
