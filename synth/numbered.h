#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::synth {

// `stem`, the number with at least `digits` digits, and `suffix`.
[[nodiscard]] inline std::string numbered(std::string_view stem, std::uint64_t number, std::size_t digits,
                                          std::string_view suffix) {
  const std::string text = std::to_string(number);
  std::string name(stem);
  name.append(text.size() < digits ? digits - text.size() : 0, '0');
  return name.append(text).append(suffix);
}

}  // namespace assay::synth
