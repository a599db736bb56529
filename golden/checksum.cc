#include "golden/checksum.h"

#include <bit>
#include <cstring>
#include <string_view>

namespace assay::golden {
namespace {

// Mixes words into one number. Each step can be undone, so that one changed word always changes the number; odd
// constants with well spread bits.
class Mixer {
 public:
  void add(std::uint64_t word) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    constexpr std::uint64_t kOther = 0xD6E8FEB86659FD93;
    state_ = std::rotl((state_ ^ word) * kOdd, 29) * kOther;
  }

  // The size comes first, so that bytes cannot move from one value into the next unseen.
  void add(Bytes bytes) {
    add(std::uint64_t{bytes.size()});
    std::uint64_t word = 0;
    for (; bytes.size() >= sizeof word; bytes = bytes.subspan(sizeof word)) {
      std::memcpy(&word, bytes.data(), sizeof word);
      add(word);
    }
    if (!bytes.empty()) {
      word = 0;
      std::memcpy(&word, bytes.data(), bytes.size());
      add(word);
    }
  }

  void add(std::string_view text) { add(as_bytes(text)); }

  void add(const std::optional<Sha256>& hash) {
    add(std::uint64_t{hash.has_value()});
    if (hash) {
      add(Bytes(*hash));
    }
  }

  [[nodiscard]] std::int64_t sum() const { return static_cast<std::int64_t>(state_ ^ (state_ >> 32)); }

 private:
  std::uint64_t state_ = 1;
};

void add_finding(Mixer& mixer, const ItemFinding& finding) {
  mixer.add(finding.code);
  mixer.add(static_cast<std::uint64_t>(finding.severity));
  mixer.add(finding.rule);
  mixer.add(std::uint64_t{finding.applied});
  mixer.add(finding.offset);
  mixer.add(finding.field);
  mixer.add(finding.message);
}

void add_item(Mixer& mixer, const Item& item) {
  mixer.add(item.entry);
  mixer.add(item.format);
  mixer.add(item.offset);
  mixer.add(item.stored_size);
  mixer.add(item.size);
  mixer.add(item.stored_sha256);
  mixer.add(item.sha256);
  mixer.add(static_cast<std::uint64_t>(item.verdict));
  mixer.add(item.row.record);
  mixer.add(item.row.index);
  mixer.add(item.row.offset);
  mixer.add(Bytes(item.row.bytes));
  mixer.add(std::uint64_t{item.findings.size()});
  for (const ItemFinding& finding : item.findings) {
    add_finding(mixer, finding);
  }
  mixer.add(std::uint64_t{item.facts.size()});
  for (const Fact& fact : item.facts) {
    mixer.add(fact.key);
    mixer.add(fact.value);
  }
}

}  // namespace

std::int64_t checksum_of(const FileResult& file) {
  Mixer mixer;
  mixer.add(std::uint64_t{file.items.size()});
  for (const Item& item : file.items) {
    add_item(mixer, item);
  }
  return mixer.sum();
}

}  // namespace assay::golden
