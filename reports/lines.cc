#include "reports/lines.h"

#include <fmt/format.h>

#include <cctype>

namespace assay::reports {
namespace {

using golden::Change;
using golden::ChangeKind;

std::string place_suffix(const Change& change) {
  return change.place ? fmt::format(", {}", place_text(*change.place)) : std::string();
}

// A field has a size too, but where it starts is what is looked up.
std::string start_suffix(const Change& change) {
  return change.place ? fmt::format(" at {:#x}", change.place->offset) : std::string();
}

std::string values_text(const Change& change) {
  return fmt::format("{} -> {}", change.before.empty() ? "none" : change.before,
                     change.after.empty() ? "none" : change.after);
}

std::string finding_change_text(const Change& change) {
  if (change.after.empty()) {
    return fmt::format("finding no longer there: {}", change.before);
  }
  std::string text = fmt::format("{}{}", change.after, start_suffix(change));
  if (!change.message.empty()) {
    text += fmt::format(": {}", change.message);
  }
  if (!change.before.empty()) {
    text += fmt::format(" (before: {})", change.before);
  }
  return text;
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string address_text(std::string_view path, std::string_view entry) {
  return entry.empty() ? std::string(path) : fmt::format("{}::{}", path, entry);
}

std::string place_text(const golden::Place& place) {
  return place.size == 0 ? fmt::format("at {:#x}", place.offset)
                         : fmt::format("bytes [{:#x},{:#x})", place.offset, place.offset + place.size);
}

std::string without_indexes(std::string_view field) {
  std::string text;
  for (const char character : field) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(character)) != 0;
    const bool is_inside = !text.empty() && (text.back() == '[' || text.back() == '*');
    if (!is_digit || !is_inside) {
      text += character;
    } else if (text.back() == '[') {
      text += '*';
    }
  }
  return text;
}

std::string change_text(const Change& change) {
  switch (change.kind) {
    case ChangeKind::kItemMissing: return "missing";
    case ChangeKind::kItemNew: return fmt::format("new{}", place_suffix(change));
    case ChangeKind::kContentChanged:
      return fmt::format("content changed{}: {}", place_suffix(change), values_text(change));
    case ChangeKind::kFormatChanged: return fmt::format("format changed: {}", values_text(change));
    case ChangeKind::kVerdictChanged: return fmt::format("verdict changed: {}", values_text(change));
    case ChangeKind::kFindingChanged: return finding_change_text(change);
    case ChangeKind::kRuleLost: return fmt::format("rule {} no longer fires", change.subject);
    case ChangeKind::kRuleGained:
      return fmt::format("rule {} fires{}: {}", change.subject, start_suffix(change), change.message);
    case ChangeKind::kRowFieldChanged:
      return fmt::format("{}{}: {}", change.subject, start_suffix(change), values_text(change));
    case ChangeKind::kFactChanged: return fmt::format("fact {}: {}", change.subject, values_text(change));
    case ChangeKind::kEntriesMoved: return values_text(change);
  }
  return {};
}

std::string moved_text(const golden::FileChanges& file) {
  const Change& first = *file.moved;
  return fmt::format("{} entries only moved; the first is {}, {}{}: {}", file.moved_entries, first.message,
                     first.subject, start_suffix(first), values_text(first));
}

}  // namespace assay::reports
