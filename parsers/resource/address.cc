#include "parsers/resource/address.h"

#include <charconv>
#include <unordered_set>

#include "parsers/base/escape.h"

namespace assay {
namespace {

constexpr std::string_view kSeparator = "::";

bool can_stand_for_itself(std::string_view name) {
  return !name.empty() && !name.starts_with('#') && name.find(kSeparator) == std::string_view::npos &&
         // A colon at either end would join the separator beside it.
         !name.starts_with(':') && !name.ends_with(':');
}

}  // namespace

std::optional<std::size_t> parse_index(std::string_view text) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(index) : std::nullopt;
}

std::vector<std::string> member_addresses(const Container& container) {
  std::vector<std::string> addresses;
  addresses.reserve(container.member_count());
  std::unordered_set<std::string_view> used;
  used.reserve(container.member_count());
  for (std::size_t index = 0; index < container.member_count(); ++index) {
    const Bytes name = container.member(index).name;
    const bool is_first = used.insert(as_text(name)).second;
    addresses.push_back(is_first && can_stand_for_itself(as_text(name)) ? escape_bytes(name)
                                                                        : '#' + std::to_string(index));
  }
  return addresses;
}

std::optional<std::size_t> find_member(const Container& container, std::string_view step) {
  if (step.starts_with('#')) {
    const auto index = parse_index(step.substr(1));
    return index && *index < container.member_count() ? index : std::nullopt;
  }
  const auto wanted = unescape_bytes(step);
  if (!wanted) {
    return std::nullopt;
  }
  for (std::size_t index = 0; index < container.member_count(); ++index) {
    if (equal_bytes(container.member(index).name, *wanted)) {
      return index;
    }
  }
  return container.find(*wanted);
}

std::vector<std::string> split_address(std::string_view address) {
  std::vector<std::string> steps;
  for (std::size_t at = address.find(kSeparator); at != std::string_view::npos; at = address.find(kSeparator)) {
    steps.emplace_back(address.substr(0, at));
    address.remove_prefix(at + kSeparator.size());
  }
  steps.emplace_back(address);
  return steps;
}

}  // namespace assay
