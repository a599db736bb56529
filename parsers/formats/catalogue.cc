#include "parsers/formats/catalogue.h"

#include <algorithm>
#include <array>

#include "parsers/base/ascii.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"

namespace assay {
namespace {

const auto& formats() {
  static const std::array kFormats{
#define ASSAY_FORMAT(id, ...) &id::format(),
#include "parsers/formats.def"
#undef ASSAY_FORMAT
  };
  return kFormats;
}

bool matches(const NamePattern& pattern, const ItemHints& hints) {
  if (pattern.files_only && !hints.is_file) {
    return false;
  }
  std::string_view literal = pattern.pattern;
  if (!literal.starts_with('*')) {
    return equal_folded(hints.name, as_bytes(literal));
  }
  literal.remove_prefix(1);
  return hints.name.size() >= literal.size() && equal_folded(hints.name.last(literal.size()), as_bytes(literal));
}

const Format* claimed_by_magic(Bytes content) {
  for (const Format* format : formats()) {
    if (format->has_magic != nullptr && format->has_magic(content)) {
      return format;
    }
  }
  return nullptr;
}

const Format* claimed_by_tag(const ItemHints& hints) {
  for (const Format* format : formats()) {
    if (hints.type_tag && std::ranges::find(format->type_tags, *hints.type_tag) != format->type_tags.end()) {
      return format;
    }
  }
  return nullptr;
}

const Format* claimed_by_name(const ItemHints& hints) {
  const Format* best = nullptr;
  std::size_t best_length = 0;
  for (const Format* format : formats()) {
    for (const NamePattern& pattern : format->name_patterns) {
      if (pattern.pattern.size() > best_length && matches(pattern, hints)) {
        best = format;
        best_length = pattern.pattern.size();
      }
    }
  }
  return best;
}

bool name_allows(const Format& format, const ItemHints& hints) {
  return std::ranges::any_of(format.name_patterns, [&](const NamePattern& pattern) { return matches(pattern, hints); });
}

const Format* claimed_by_probe(Bytes content) {
  for (const Format* format : formats()) {
    if (format->probe != nullptr && format->probe(content)) {
      return format;
    }
  }
  return nullptr;
}

}  // namespace

std::span<const Format* const> all_formats() {
  return formats();
}

const Format* find_format(std::string_view id) {
  for (const Format* format : formats()) {
    if (format->id == id) {
      return format;
    }
  }
  return nullptr;
}

const RecordInfo* find_record(std::string_view qualified_name) {
  const std::size_t dot = qualified_name.find('.');
  const Format* format = find_format(qualified_name.substr(0, dot));
  if (format == nullptr || dot == std::string_view::npos) {
    return nullptr;
  }
  for (const RecordInfo& record : format->records) {
    if (qualified_name.substr(dot + 1) == record.name) {
      return &record;
    }
  }
  return nullptr;
}

std::string_view claimed_by_text(ClaimedBy claim) {
  switch (claim) {
    case ClaimedBy::kNothing: return "nothing";
    case ClaimedBy::kMagic: return "magic";
    case ClaimedBy::kTypeTag: return "type tag";
    case ClaimedBy::kName: return "name";
    case ClaimedBy::kProbe: return "structure";
  }
  return "nothing";
}

Identification identify(Bytes content, const ItemHints& hints) {
  const Format* by_tag = claimed_by_tag(hints);
  const Format* by_name = claimed_by_name(hints);
  // What tag or name say where `chosen` is not what they allow; the tag is the stronger claim.
  const auto contradicted_by = [&](const Format* chosen) -> const Format* {
    if (by_tag != nullptr && by_tag != chosen) {
      return by_tag;
    }
    return by_name != nullptr && !name_allows(*chosen, hints) ? by_name : nullptr;
  };
  if (const Format* by_magic = claimed_by_magic(content)) {
    return {by_magic, ClaimedBy::kMagic, contradicted_by(by_magic)};
  }
  if (by_tag != nullptr) {
    return {by_tag, ClaimedBy::kTypeTag, contradicted_by(by_tag)};
  }
  if (by_name != nullptr) {
    return {by_name, ClaimedBy::kName, nullptr};
  }
  if (const Format* by_probe = claimed_by_probe(content)) {
    return {by_probe, ClaimedBy::kProbe, nullptr};
  }
  return {};
}

}  // namespace assay
