#include "parsers/base/ascii.h"

#include <algorithm>

namespace assay {
namespace {

template <typename Fold>
int compare_with(Bytes left, Bytes right, Fold fold) {
  const std::size_t shared = std::min(left.size(), right.size());
  for (std::size_t index = 0; index < shared; ++index) {
    const int difference = int{fold(left[index])} - int{fold(right[index])};
    if (difference != 0) {
      return difference;
    }
  }
  return left.size() == right.size() ? 0 : (left.size() < right.size() ? -1 : 1);
}

}  // namespace

int compare_folded(Bytes left, Bytes right) {
  return compare_with(left, right, ascii_lower);
}

int compare_bytes(Bytes left, Bytes right) {
  return compare_with(left, right, [](std::uint8_t byte) { return byte; });
}

bool equal_folded(Bytes left, Bytes right) {
  return compare_folded(left, right) == 0;
}

Bytes trim_blanks(Bytes bytes) {
  while (!bytes.empty() && is_blank(bytes.front())) {
    bytes = bytes.subspan(1);
  }
  while (!bytes.empty() && is_blank(bytes.back())) {
    bytes = bytes.first(bytes.size() - 1);
  }
  return bytes;
}

Bytes until_nul(Bytes bytes) {
  const auto nul = std::find(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes.first(static_cast<std::size_t>(nul - bytes.begin()));
}

}  // namespace assay
