#include "tools/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "golden/display.h"

namespace assay::tools {
namespace {

template <typename Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string label_problem(const std::string& text) {
  const bool is_number =
      !text.empty() && std::ranges::all_of(text, [](char letter) { return letter >= '0' && letter <= '9'; });
  if (is_number || text == "latest" || text == "previous" || text == "none") {
    return fmt::format("'{}' means another run or none; give another label", text);
  }
  if (golden::display_message(text) != text || text.find('\n') != std::string::npos) {
    return fmt::format("'{}' is not printable UTF-8", golden::display_path(text));
  }
  return {};
}

}  // namespace

CLI::Validator number_between(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    const auto value = parse_number<double>(text);
    return value && *value >= least && *value <= most
               ? std::string()
               : fmt::format("'{}' is no number from {} to {}", text, least, most);
  };
  return {check, fmt::format("[{} - {}]", least, most)};
}

CLI::Validator finite_number() {
  const auto check = [](const std::string& text) {
    const auto value = parse_number<float>(text);
    return value && std::isfinite(*value) ? std::string() : fmt::format("'{}' is no finite number", text);
  };
  return {check, ""};
}

CLI::Validator whole_number(std::uint64_t most) {
  const auto check = [most](const std::string& text) {
    const auto value = parse_number<std::uint64_t>(text);
    return value && *value <= most ? std::string() : fmt::format("'{}' is no whole number from 0 to {}", text, most);
  };
  return {check, ""};
}

CLI::Validator label_text() {
  return {label_problem, ""};
}

}  // namespace assay::tools
