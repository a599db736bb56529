#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/base/record.h"
#include "parsers/base/result.h"

// The byte map of a parsed item: every byte belongs to exactly one thing, or the parser is wrong.
namespace assay {

// What a run of bytes is. A record splits further into the statuses of its fields. Data is a long run of equal values,
// like pixels, whose layout is confirmed but which nobody wants to see one by one.
enum class ByteKind : std::uint8_t { kRecord, kPayload, kPadding, kGap, kUnindexed, kOpaque, kData };

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
  // Whether these are records of that table one after another; the last step of `path` is then without its index.
  bool is_array = false;
};

// One field of one record of a run.
struct FieldView {
  const FieldInfo* info = nullptr;
  // Local, like the run's.
  std::uint64_t offset = 0;
  FieldPath path{};
  Bytes raw{};
};

// Calls `visit(FieldView)` for each field of a record run, in file order. Requires: run.kind is kRecord and run.plain
// holds its bytes.
template <typename Visit>
void visit_fields(const ByteRun& run, Visit visit) {
  if (!run.record->has_fixed_size()) {
    const FieldInfo& info = run.record->fields.front();
    visit(FieldView{&info, run.offset, run.path.then(info.name), run.plain});
    return;
  }
  const std::size_t record_bytes = run.record->size_bytes;
  for (std::size_t index = 0; index < run.size / record_bytes; ++index) {
    const FieldPath path = run.is_array ? run.path.at(index) : run.path;
    for (const FieldInfo& info : run.record->fields) {
      const std::size_t offset = index * record_bytes + info.offset;
      visit(FieldView{&info, run.offset + offset, path.then(info.name), run.plain.subspan(offset, info.size_bytes)});
    }
  }
}

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
  // One record; of a record without fixed size as much as `plain` holds.
  void add_record(std::uint64_t offset, const RecordInfo& record, const FieldPath& path, Bytes plain) {
    add({offset, plain.size(), ByteKind::kRecord, path, &record, plain});
  }
  // Records of fixed size one after another, as many as `plain` holds; `path` is that of the list, without index.
  void add_array(std::uint64_t offset, const RecordInfo& record, const FieldPath& path, Bytes plain) {
    add({offset, plain.size(), ByteKind::kRecord, path, &record, plain, true});
  }
  // Bytes that are understood no further.
  void add_opaque(std::uint64_t offset, const FieldPath& path, Bytes plain) {
    add({offset, plain.size(), ByteKind::kOpaque, path, nullptr, plain});
  }
  // Values that are all alike and understood, shown as one.
  void add_data(std::uint64_t offset, const FieldPath& path, Bytes plain) {
    add({offset, plain.size(), ByteKind::kData, path, nullptr, plain});
  }

  // Sorts the runs and checks that they cover [0, size) without hole or overlap. Error: kUnaccountedBytes with the
  // first byte that breaks it, which is a defect of the parser. Cost: O(n log n), O(n) when added in order.
  [[nodiscard]] Result<void> close(std::uint64_t size);

  // In order of offset after close().
  [[nodiscard]] std::span<const ByteRun> runs() const { return runs_; }
  [[nodiscard]] ByteShares shares() const;
  // The field whose path reads `path`, e.g. `node[3].parent_or_link`; nothing when no run holds it. Cost: O(runs).
  [[nodiscard]] std::optional<FieldView> find(std::string_view path) const;

 private:
  std::vector<ByteRun> runs_;
};

}  // namespace assay
