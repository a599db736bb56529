#include "golden/item.h"

namespace assay::golden {

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
