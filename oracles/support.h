#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "oracles/failure.h"
#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/format.h"

// What the oracles share.
namespace assay::oracles {

// A parse with everything it said. The document refers to the bytes and the findings that were given.
struct Parsed {
  Findings findings;
  Result<std::unique_ptr<Document>> document{nullptr};
};

// Decoding memory that the oracles of this thread share: making it costs more than most inputs do. What a member
// decodes to must not depend on it; determinism() compares with memory of its own.
[[nodiscard]] DecodeScratch& shared_scratch();

[[nodiscard]] Parsed parse(const Format& format, Bytes bytes, const ParseContext& context);

// What loading one member gave: the digest and size of its bytes, or the refusal, and what was said meanwhile.
struct Loaded {
  Result<std::uint64_t> digest{0};
  std::uint64_t size_bytes = 0;
  Findings findings;
};

// Overwrites all that the decoders keep between calls: what they give must not depend on it.
void fill_decoders(DecodeScratch& scratch, std::uint8_t prefill);

// Loads a member after filling the memory that will hold it with `prefill`.
[[nodiscard]] Loaded load(const Container& container, std::size_t index, DecodeScratch& scratch, std::uint8_t prefill);

// A digest of 64 bits (FNV-1a over words), for comparing only.
[[nodiscard]] std::uint64_t digest_of(Bytes bytes);

[[nodiscard]] bool same_diagnostic(const Diagnostic& left, const Diagnostic& right);
[[nodiscard]] bool same_finding(const Finding& left, const Finding& right);
[[nodiscard]] bool same_load(const Loaded& left, const Loaded& right);

// Everything that check_all() asks of the two profiles, from parses that are there already. With `with_members` the
// members are loaded under both.
[[nodiscard]] Failures compare_profiles(const Parsed& strict, const Parsed& compatible, bool with_members);

// `code at offset (field)`.
[[nodiscard]] std::string describe(const Diagnostic& diagnostic);
// Bytes as text, with what is not printable escaped.
[[nodiscard]] std::string describe(Bytes name);

}  // namespace assay::oracles
