#include <algorithm>

#include "fuzz/harness.h"
#include "oracles/support.h"
#include "parsers/base/escape.h"
#include "parsers/resource/address.h"
#include "synth/seeds/seeds.h"

namespace {

using namespace assay;

std::string joined(const std::vector<std::string>& steps) {
  std::string text;
  for (const std::string& step : steps) {
    text += (text.empty() && &step == steps.data() ? "" : "::") + step;
  }
  return text;
}

// The members of all seed archives. Documents refer to the seeds.
struct Archives {
  std::vector<synth::FormatSeed> seeds = synth::all_seeds();
  std::vector<oracles::Parsed> parsed;
};

const Archives& archives() {
  // Looking through thousands of members takes longer than everything else.
  constexpr std::size_t kMaxMembers = 64;
  static const Archives kArchives = [] {
    Archives made;
    for (const auto& [format, seed] : made.seeds) {
      auto parsed = oracles::parse(*format, seed.bytes, {});
      const Container* container = parsed.document ? (*parsed.document)->container() : nullptr;
      if (container != nullptr && container->member_count() <= kMaxMembers) {
        made.parsed.push_back(std::move(parsed));
      }
    }
    return made;
  }();
  return kArchives;
}

// A step finds a member of that name, or the one at its index, or nothing. One archive an input, because there are
// many.
void look_up(const std::string& step, std::uint64_t hash) {
  const auto& parsed = archives().parsed;
  const Container& container = *(*parsed[hash % parsed.size()].document)->container();
  const auto found = find_member(container, step);
  fuzz::require(!found || *found < container.member_count(), "an address leads to a member that exists");
  if (found && step.starts_with('#')) {
    fuzz::require(parse_index(step.substr(1)) == found, "an index leads to its own member");
  }
}

}  // namespace

// Splitting loses nothing, escapes are undone, and lookup stays inside every seed archive.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxAddressBytes = 4096;
  if (size > kMaxAddressBytes) {
    return 0;
  }
  const Bytes bytes(data, size);
  const std::vector<std::string> steps = split_address(as_text(bytes));
  fuzz::require(joined(steps) == as_text(bytes), "the steps of an address make up the address");
  const std::string escaped = escape_bytes(bytes);
  fuzz::require(std::ranges::all_of(escaped, [](char letter) { return letter >= 0x20 && letter <= 0x7E; }),
                "what is escaped can be printed");
  const auto unescaped = unescape_bytes(escaped);
  fuzz::require(unescaped && equal_bytes(*unescaped, bytes), "escaping is undone");
  if (const auto index = parse_index(as_text(bytes))) {
    fuzz::require(parse_index(std::to_string(*index)) == index, "an index keeps its value");
  }
  for (std::size_t step = 0; step < steps.size() && step < 4; ++step) {
    look_up(steps[step], fuzz::hash_of(bytes));
  }
  return 0;
}
