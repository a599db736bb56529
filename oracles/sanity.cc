#include <algorithm>
#include <string>

#include "oracles/oracles.h"
#include "oracles/support.h"

namespace assay::oracles {
namespace {

constexpr const char* kSanity = "findings_are_sane";
constexpr const char* kPrefixes = "prefixes";

std::uint64_t end_of(Bytes bytes, const ParseContext& context) {
  return context.origin.is_decoded ? context.origin.base_offset : context.origin.base_offset + bytes.size();
}

// One member into memory of ones: what was said, and that it has the size it declares.
void check_member(const Container& container, std::size_t index, std::uint64_t end_offset, Failures& failures) {
  const Loaded loaded = load(container, index, shared_scratch(), 0xFF);
  append(failures, findings_are_sane(loaded.findings.list(), end_offset, container.member_count()));
  if (!loaded.digest) {
    append(failures, diagnostic_is_sane(loaded.digest.error(), end_offset));
  } else if (loaded.size_bytes != container.member(index).size) {
    failures.push_back({kSanity, "member " + std::to_string(index) + " decodes to " +
                                     std::to_string(loaded.size_bytes) + " bytes and declares " +
                                     std::to_string(container.member(index).size)});
  }
}

// Everything that must hold for input that is accepted, decoding included where it is asked for.
Failures check_accepted(const Parsed& parsed, Bytes bytes, std::uint64_t end_offset, bool with_members = true) {
  const Document& document = **parsed.document;
  const Container* container = document.container();
  const std::size_t member_count = container == nullptr ? 0 : container->member_count();
  Failures failures = round_trip(document, bytes);
  append(failures, findings_are_sane(parsed.findings.list(), end_offset, member_count));
  for (std::size_t index = 0; with_members && index < member_count; ++index) {
    check_member(*container, index, end_offset, failures);
  }
  return failures;
}

// The document under `context.rules`, and whether the profiles agree. Most callers ask for one of the two profiles, so
// that no third parse is needed.
Parsed parse_under_both(const Format& format, Bytes bytes, const ParseContext& context, bool with_members,
                        Failures& failures) {
  ParseContext other_context = context;
  other_context.rules = RuleSet::strict();
  Parsed strict = parse(format, bytes, other_context);
  other_context.rules = RuleSet::compatible();
  Parsed compatible = parse(format, bytes, other_context);
  append(failures, compare_profiles(strict, compatible, with_members));
  if (context.rules == RuleSet::strict()) {
    return strict;
  }
  return context.rules == RuleSet::compatible() ? std::move(compatible) : parse(format, bytes, context);
}

}  // namespace

Failures diagnostic_is_sane(const Diagnostic& diagnostic, std::uint64_t end_offset) {
  Failures failures;
  if (diagnostic.offset > end_offset) {
    failures.push_back(
        {kSanity, "behind the end of the input at " + std::to_string(end_offset) + ": " + describe(diagnostic)});
  }
  if (diagnostic.field.empty() || diagnostic.field == FieldPath("")) {
    failures.push_back({kSanity, "names no field: " + describe(diagnostic)});
  }
  if (code_category(diagnostic.code) == Category::kInternal) {
    failures.push_back({kSanity, "a defect of our own: " + describe(diagnostic)});
  }
  return failures;
}

Failures findings_are_sane(std::span<const Finding> findings, std::uint64_t end_offset, std::size_t member_count) {
  Failures failures;
  for (const Finding& finding : findings) {
    append(failures, diagnostic_is_sane(finding.diagnostic, end_offset));
    const bool names_entry = finding.entry_index != Finding::kWholeItem;
    if (names_entry && (finding.entry_index < 0 || static_cast<std::uint64_t>(finding.entry_index) >= member_count)) {
      failures.push_back({kSanity, "about an entry that does not exist: " + describe(finding.diagnostic)});
    }
    if (finding.applied && (!finding.rule || finding.severity != Severity::kStrict)) {
      failures.push_back({kSanity, "applied, but not a strict finding under a rule: " + describe(finding.diagnostic)});
    }
  }
  return failures;
}

Failures prefixes(const Format& format, Bytes bytes, const ParseContext& context, std::size_t step) {
  Failures failures;
  for (std::size_t size = 0; size < bytes.size(); size += step) {
    const Buffer prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const Parsed parsed = parse(format, prefix, context);
    const std::uint64_t end_offset = end_of(prefix, context);
    Failures found = parsed.document ? check_accepted(parsed, prefix, end_offset)
                                     : diagnostic_is_sane(parsed.document.error(), end_offset);
    for (const Failure& failure : found) {
      failures.push_back(
          {kPrefixes, "of " + std::to_string(size) + " bytes: " + failure.oracle + ": " + failure.detail});
    }
  }
  return failures;
}

Failures check_all(const Format& format, Bytes bytes, const ParseContext& context, const Effort& effort) {
  Failures failures;
  const Parsed parsed = parse_under_both(format, bytes, context, effort.profiles_of_members, failures);
  const std::uint64_t end_offset = end_of(bytes, context);
  if (parsed.document) {
    append(failures, check_accepted(parsed, bytes, end_offset, effort.members));
    append(failures, effort.canonical ? canonical(format, bytes, context) : Failures{});
    append(failures, effort.determinism ? determinism(format, bytes, context) : Failures{});
    const Container* container = (*parsed.document)->container();
    append(failures, effort.lookup && container != nullptr ? lookup(*container) : Failures{});
  } else {
    append(failures, diagnostic_is_sane(parsed.document.error(), end_offset));
  }
  if (effort.prefix_count != 0) {
    append(failures, prefixes(format, bytes, context, std::max<std::size_t>(1, bytes.size() / effort.prefix_count)));
  }
  return failures;
}

}  // namespace assay::oracles
