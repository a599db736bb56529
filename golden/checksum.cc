#include "golden/checksum.h"

#include <xxhash.h>

#include <cstring>
#include <string_view>
#include <vector>

namespace assay::golden {
namespace {

// The values one behind the other, so that they are hashed at once. The size of each comes first, so that bytes cannot
// move from one value into the next unseen.
class Values {
 public:
  void add(std::uint64_t number) { append(&number, sizeof number); }

  void add(Bytes bytes) {
    add(std::uint64_t{bytes.size()});
    append(bytes.data(), bytes.size());
  }

  void add(std::string_view text) { add(as_bytes(text)); }

  void add(const std::optional<Sha256>& hash) {
    add(std::uint64_t{hash.has_value()});
    if (hash) {
      add(Bytes(*hash));
    }
  }

  [[nodiscard]] std::uint64_t hash() const { return XXH3_64bits(bytes_.data(), bytes_.size()); }

 private:
  void append(const void* data, std::size_t size_bytes) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), bytes, bytes + size_bytes);
  }

  std::vector<std::uint8_t> bytes_;
};

void add_finding(Values& values, const ItemFinding& finding) {
  values.add(finding.code);
  values.add(static_cast<std::uint64_t>(finding.severity));
  values.add(finding.rule);
  values.add(std::uint64_t{finding.applied});
  values.add(finding.offset);
  values.add(finding.field);
  values.add(finding.message);
}

void add_item(Values& values, const Item& item) {
  values.add(item.entry);
  values.add(item.format);
  values.add(item.offset);
  values.add(item.stored_size);
  values.add(item.size);
  values.add(item.stored_sha256);
  values.add(item.sha256);
  values.add(static_cast<std::uint64_t>(item.verdict));
  values.add(item.row.record);
  values.add(item.row.index);
  values.add(item.row.offset);
  values.add(Bytes(item.row.bytes));
  values.add(std::uint64_t{item.findings.size()});
  for (const ItemFinding& finding : item.findings) {
    add_finding(values, finding);
  }
  values.add(std::uint64_t{item.facts.size()});
  for (const Fact& fact : item.facts) {
    values.add(fact.key);
    values.add(fact.value);
  }
}

}  // namespace

std::int64_t checksum_of(const FileResult& file) {
  Values values;
  values.add(std::uint64_t{file.items.size()});
  for (const Item& item : file.items) {
    add_item(values, item);
  }
  return static_cast<std::int64_t>(values.hash());
}

}  // namespace assay::golden
