#include "parsers/formats/catalogue.h"

#include <algorithm>
#include <array>

#include "parsers/base/ascii.h"

namespace assay {

// Each format defines this in its own folder; the list is all that this file knows of them.
#define ASSAY_FORMAT(id, ...) \
  namespace id {              \
  const Format& format();     \
  }
#include "parsers/formats.def"
#undef ASSAY_FORMAT

namespace {

const auto& formats() {
  static const std::array kFormats{
#define ASSAY_FORMAT(id, ...) &id::format(),
#include "parsers/formats.def"
#undef ASSAY_FORMAT
  };
  return kFormats;
}

bool lies_in(const ItemHints& hints, std::string_view folder) {
  std::string_view rest = as_text(hints.folder);
  while (!rest.empty()) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    if (equal_folded(as_bytes(rest.substr(0, slash)), as_bytes(folder))) {
      return true;
    }
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  return false;
}

bool matches_name(std::string_view pattern, Bytes name) {
  if (pattern.starts_with('*')) {
    pattern.remove_prefix(1);
    return name.size() >= pattern.size() && equal_folded(name.last(pattern.size()), as_bytes(pattern));
  }
  if (pattern.ends_with('*')) {
    pattern.remove_suffix(1);
    return name.size() >= pattern.size() && equal_folded(name.first(pattern.size()), as_bytes(pattern));
  }
  return equal_folded(name, as_bytes(pattern));
}

bool matches(const NamePattern& pattern, const ItemHints& hints) {
  const bool is_of_that_kind = hints.is_file ? !pattern.entries_only : !pattern.files_only;
  return is_of_that_kind && matches_name(pattern.pattern, hints.name) &&
         (pattern.folder.empty() || lies_in(hints, pattern.folder));
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

// Asks only formats that refine `base`; of an empty name those that refine nothing.
const Format* claimed_by_probe(Bytes content, std::string_view base) {
  for (const Format* format : formats()) {
    if (format->refines == base && format->probe != nullptr && format->probe(content)) {
      return format;
    }
  }
  return nullptr;
}

// Which format an item is whose magic is that of `base`.
Identification refine(const Format& base, Bytes content, const Format* by_tag, const Format* by_name) {
  if (by_tag != nullptr && by_tag->refines == base.id) {
    return {by_tag, ClaimedBy::kTypeTag, nullptr};
  }
  if (by_name != nullptr && (by_name == &base || by_name->refines == base.id)) {
    return {by_name, by_name == &base ? ClaimedBy::kMagic : ClaimedBy::kName, nullptr};
  }
  if (const Format* by_probe = claimed_by_probe(content, base.id)) {
    return {by_probe, ClaimedBy::kProbe, nullptr};
  }
  return {&base, ClaimedBy::kMagic, nullptr};
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

ItemHints ItemHints::of_file(Bytes path) {
  const std::size_t slash = as_text(path).rfind('/');
  if (slash == std::string_view::npos) {
    return {.name = path, .is_file = true};
  }
  return {.name = path.subspan(slash + 1), .folder = path.first(slash), .is_file = true};
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
    Identification found = refine(*by_magic, content, by_tag, by_name);
    found.contradicted = contradicted_by(found.format);
    return found;
  }
  if (by_tag != nullptr) {
    return {by_tag, ClaimedBy::kTypeTag, contradicted_by(by_tag)};
  }
  if (by_name != nullptr) {
    return {by_name, ClaimedBy::kName, nullptr};
  }
  if (const Format* by_probe = claimed_by_probe(content, "")) {
    return {by_probe, ClaimedBy::kProbe, nullptr};
  }
  return {};
}

}  // namespace assay
