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

// Everything that must hold for input that is accepted, decoding included.
Failures check_accepted(const Parsed& parsed, Bytes bytes, std::uint64_t end_offset) {
  const Document& document = **parsed.document;
  const Container* container = document.container();
  const std::size_t member_count = container == nullptr ? 0 : container->member_count();
  Failures failures = round_trip(document, bytes);
  append(failures, findings_are_sane(parsed.findings.list(), end_offset, member_count));
  const auto scratch = std::make_unique<DecodeScratch>();
  for (std::size_t index = 0; index < member_count; ++index) {
    const Loaded loaded = load(*container, index, *scratch, 0xFF);
    append(failures, findings_are_sane(loaded.findings.list(), end_offset, member_count));
    if (!loaded.digest) {
      append(failures, diagnostic_is_sane(loaded.digest.error(), end_offset));
    } else if (loaded.size_bytes != container->member(index).size) {
      failures.push_back({kSanity, "member " + std::to_string(index) + " decodes to " +
                                       std::to_string(loaded.size_bytes) + " bytes and declares " +
                                       std::to_string(container->member(index).size)});
    }
  }
  return failures;
}

}  // namespace

Failures diagnostic_is_sane(const Diagnostic& diagnostic, std::uint64_t end_offset) {
  Failures failures;
  const std::string text = describe(diagnostic);
  if (diagnostic.offset > end_offset) {
    failures.push_back({kSanity, "behind the end of the input at " + std::to_string(end_offset) + ": " + text});
  }
  if (diagnostic.field.empty() || diagnostic.field.to_text().empty()) {
    failures.push_back({kSanity, "names no field: " + text});
  }
  if (code_category(diagnostic.code) == Category::kInternal) {
    failures.push_back({kSanity, "a defect of our own: " + text});
  }
  return failures;
}

Failures findings_are_sane(std::span<const Finding> findings, std::uint64_t end_offset, std::size_t member_count) {
  Failures failures;
  for (const Finding& finding : findings) {
    append(failures, diagnostic_is_sane(finding.diagnostic, end_offset));
    const std::string text = describe(finding.diagnostic);
    const bool names_entry = finding.entry_index != Finding::kWholeItem;
    if (names_entry && (finding.entry_index < 0 || static_cast<std::uint64_t>(finding.entry_index) >= member_count)) {
      failures.push_back({kSanity, "about an entry that does not exist: " + text});
    }
    if (finding.applied && (!finding.rule || finding.severity != Severity::kStrict)) {
      failures.push_back({kSanity, "applied, but not a strict finding under a rule: " + text});
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
  const Parsed parsed = parse(format, bytes, context);
  const std::uint64_t end_offset = end_of(bytes, context);
  Failures failures = profiles(format, bytes, context);
  if (parsed.document) {
    append(failures, check_accepted(parsed, bytes, end_offset));
    append(failures, canonical(format, bytes, context));
    append(failures, determinism(format, bytes, context));
    if (const Container* container = (*parsed.document)->container()) {
      append(failures, lookup(*container));
    }
  } else {
    append(failures, diagnostic_is_sane(parsed.document.error(), end_offset));
  }
  if (effort.prefix_count != 0) {
    append(failures, prefixes(format, bytes, context, std::max<std::size_t>(1, bytes.size() / effort.prefix_count)));
  }
  return failures;
}

}  // namespace assay::oracles
