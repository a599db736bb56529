#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/base/record.h"
#include "parsers/base/result.h"

// The byte map of a parsed item: every byte belongs to exactly one thing, or the parser is wrong.
namespace assay {

// What a run of bytes is. A record splits further into the statuses of its fields.
enum class ByteKind : std::uint8_t { kRecord, kPayload, kPadding, kGap, kUnindexed, kOpaque };

[[nodiscard]] std::string_view byte_kind_text(ByteKind kind);

// One run of bytes, with local offset and size in the item.
struct ByteRun {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  ByteKind kind = ByteKind::kOpaque;
  FieldPath path{};
  // For kRecord: its table, and its bytes as they read (a transformed table differs from the stored bytes).
  const RecordInfo* record = nullptr;
  Bytes plain{};
};

// Bytes by what they are; the parts sum up to the size of the item.
struct ByteShares {
  std::uint64_t confirmed = 0;
  std::uint64_t inferred = 0;
  std::uint64_t opaque = 0;
  std::uint64_t payload = 0;
  std::uint64_t padding = 0;
  std::uint64_t gap = 0;
  std::uint64_t unindexed = 0;

  // Names and amounts in a fixed order, for printing.
  [[nodiscard]] std::array<std::pair<std::string_view, std::uint64_t>, 7> parts() const;
  [[nodiscard]] std::uint64_t total() const;
};

// Collects runs in any order. Views in the runs must outlive the map.
class ByteMap {
 public:
  void add(const ByteRun& run) {
    if (run.size != 0) {
      runs_.push_back(run);
    }
  }
  void add_record(std::uint64_t offset, const RecordInfo& record, const FieldPath& path, Bytes plain) {
    add({offset, record.size_bytes, ByteKind::kRecord, path, &record, plain});
  }

  // Sorts the runs and checks that they cover [0, size) without hole or overlap. Error: kUnaccountedBytes with the
  // first byte that breaks it, which is a defect of the parser. Cost: O(n log n), O(n) when added in order.
  [[nodiscard]] Result<void> close(std::uint64_t size);

  // In order of offset after close().
  [[nodiscard]] std::span<const ByteRun> runs() const { return runs_; }
  [[nodiscard]] ByteShares shares() const;

 private:
  std::vector<ByteRun> runs_;
};

}  // namespace assay
