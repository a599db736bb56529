#include "fuzz/harness.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "oracles/oracles.h"
#include "oracles/support.h"

// Defaults of the address sanitizer, which ASAN_OPTIONS overrides. A short quarantine and short stacks of allocations
// keep the working set in the caches, which doubles the speed of small inputs; use after free is still seen within the
// last megabytes.
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier): the runtime's name.
  return "quarantine_size_mb=4:malloc_context_size=8:max_malloc_fill_size=256";
}

namespace assay::fuzz {
namespace {

constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{1} << 16;

// Which oracles one input is asked. The dear ones take from ten to a thousand times the rest, and take turns.
oracles::Effort effort_for(std::uint64_t hash) {
  if (asks_everything()) {
    return {};
  }
  oracles::Effort effort = oracles::Effort::least();
  effort.members = true;
  switch (hash >> 32 & 0x7FU) {
    case 0: effort.prefix_count = 4; break;
    case 1:
    case 2: effort.canonical = true; break;
    case 3: effort.determinism = true; break;
    case 4:
    case 5: effort.lookup = true; break;
    case 6:
    case 7: effort.profiles_of_members = true; break;
    default: break;
  }
  return effort;
}

}  // namespace

std::uint64_t hash_of(Bytes bytes) {
  return oracles::digest_of(bytes);
}

bool asks_everything() {
  static const bool kAsks = [] {
    const char* effort = std::getenv("ASSAY_FUZZ_EFFORT");
    return effort != nullptr && std::strcmp(effort, "all") == 0;
  }();
  return kAsks;
}

ParseContext context_for(std::uint64_t hash) {
  ParseContext context;
  context.limits.payload_total_bytes = kMaxInputBytes;
  context.limits.unpacked_bytes = kMaxUnpackedBytes;
  context.limits.unpacked_total_bytes = 4 * kMaxUnpackedBytes;
  context.rules = (hash & 1U) != 0 ? RuleSet::compatible() : RuleSet::strict();
  // Half of the inputs stand for the archive that a rule asks for by name.
  if ((hash & 2U) != 0) {
    context.hints = {.name = as_bytes("sprites.lib"), .is_file = true};
  }
  context.apply_overlay = (hash & 12U) != 0;
  // zlib takes several times as long as the rest of an input; the targets of the codec compare the two throughout.
  context.confirm_deflate = asks_everything() || (hash >> 24 & 7U) == 0;
  // Small values: versions, strides and counts are what formats ask attributes for.
  context.hints.attributes = {{static_cast<std::uint32_t>(hash >> 8 & 0xFU),
                               static_cast<std::uint32_t>(hash >> 12 & 7U),
                               static_cast<std::uint32_t>(hash >> 16 & 0x3FU)}};
  return context;
}

void require_none(const oracles::Failures& failures) {
  if (!failures.empty()) {
    std::fputs(oracles::to_text(failures).c_str(), stderr);
    std::abort();
  }
}

void require(bool holds, const char* promise) {
  if (!holds) {
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
  }
}

int run_format(const Format& format, const std::uint8_t* data, std::size_t size) {
  if (size <= kMaxInputBytes) {
    const Bytes bytes(data, size);
    const std::uint64_t hash = hash_of(bytes);
    require_none(oracles::check_all(format, bytes, context_for(hash), effort_for(hash)));
  }
  return 0;
}

}  // namespace assay::fuzz
