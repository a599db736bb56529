#include "oracles/support.h"

#include <algorithm>

#include "parsers/base/escape.h"

namespace assay::oracles {

DecodeScratch& shared_scratch() {
  thread_local const auto kScratch = std::make_unique<DecodeScratch>();
  return *kScratch;
}

Parsed parse(const Format& format, Bytes bytes, const ParseContext& context) {
  Parsed parsed;
  parsed.document = format.parse(bytes, context, parsed.findings);
  return parsed;
}

void fill_decoders(DecodeScratch& scratch, std::uint8_t prefill) {
  static_assert(std::is_trivially_copyable_v<lzss::Scratch> && std::is_trivially_copyable_v<lzhuf::Scratch>);
  std::memset(static_cast<void*>(&scratch.lzss), prefill, sizeof scratch.lzss);
  std::memset(static_cast<void*>(&scratch.lzhuf), prefill, sizeof scratch.lzhuf);
}

Loaded load(const Container& container, std::size_t index, DecodeScratch& scratch, std::uint8_t prefill) {
  const Member member = container.member(index);
  if (member.error == nullptr) {
    std::ranges::fill(scratch.output.get(static_cast<std::size_t>(member.size)), prefill);
    std::ranges::fill(scratch.transformed.get(static_cast<std::size_t>(member.packed_size)), prefill);
    fill_decoders(scratch, prefill);
  }
  Loaded loaded;
  const Result<Bytes> payload = container.load(index, scratch, loaded.findings);
  if (payload) {
    loaded.digest = digest_of(*payload);
    loaded.size_bytes = payload->size();
  } else {
    loaded.digest = std::unexpected(payload.error());
  }
  return loaded;
}

std::uint64_t digest_of(Bytes bytes) {
  constexpr std::uint64_t kPrime = 0x0000'0100'0000'01B3U;
  std::uint64_t digest = 0xCBF2'9CE4'8422'2325U;
  const auto mix = [&](std::uint64_t word) {
    digest = (digest ^ word) * kPrime;
    digest ^= digest >> 29;
  };
  while (bytes.size() >= sizeof(std::uint64_t)) {
    mix(load_little_endian<std::uint64_t>(bytes));
    bytes = bytes.subspan(sizeof(std::uint64_t));
  }
  for (const std::uint8_t byte : bytes) {
    mix(byte);
  }
  return digest;
}

namespace {

bool same_datum(const Datum& left, const Datum& right) {
  return left.kind == right.kind && left.relation == right.relation && left.bits == right.bits &&
         std::string_view(left.text) == right.text;
}

}  // namespace

bool same_diagnostic(const Diagnostic& left, const Diagnostic& right) {
  return left.code == right.code && left.offset == right.offset && left.field == right.field &&
         left.local_offset == right.local_offset && same_datum(left.expected, right.expected) &&
         same_datum(left.got, right.got);
}

bool same_finding(const Finding& left, const Finding& right) {
  return left.severity == right.severity && left.rule == right.rule && left.applied == right.applied &&
         left.entry_index == right.entry_index && same_diagnostic(left.diagnostic, right.diagnostic);
}

bool same_load(const Loaded& left, const Loaded& right) {
  if (left.digest.has_value() != right.digest.has_value() ||
      !std::ranges::equal(left.findings.list(), right.findings.list(), same_finding)) {
    return false;
  }
  return left.digest ? *left.digest == *right.digest && left.size_bytes == right.size_bytes
                     : same_diagnostic(left.digest.error(), right.digest.error());
}

std::string describe(const Diagnostic& diagnostic) {
  return std::string(code_text(diagnostic.code)) + " at " + std::to_string(diagnostic.offset) + " (" +
         diagnostic.field.to_text() + ")";
}

std::string describe(Bytes name) {
  return "\"" + escape_bytes(name) + "\"";
}

}  // namespace assay::oracles
