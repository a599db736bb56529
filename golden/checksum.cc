#include "golden/checksum.h"

#include <xxhash.h>

#include <limits>
#include <string_view>
#include <vector>

#include "golden/item_values.h"

namespace assay::golden {
namespace {

// The values one behind the other, so that they are hashed at once. The size of each comes first, so that bytes cannot
// move from one value into the next unseen.
class HashedValues {
 public:
  void size(std::uint64_t number) { append(&number, sizeof number); }
  void integer(std::int64_t number) { size(static_cast<std::uint64_t>(number)); }
  // The size that nothing has.
  void null() { size(std::numeric_limits<std::uint64_t>::max()); }
  void blob(Bytes bytes) {
    size(bytes.size());
    append(bytes.data(), bytes.size());
  }
  void text(std::string_view text) { blob(as_bytes(text)); }
  void hash(const std::optional<Sha256>& value) { value ? blob(*value) : null(); }

  [[nodiscard]] std::int64_t sum() const {
    return static_cast<std::int64_t>(XXH3_64bits(bytes_.data(), bytes_.size()));
  }

 private:
  void append(const void* data, std::size_t size_bytes) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), bytes, bytes + size_bytes);
  }

  std::vector<std::uint8_t> bytes_;
};

template <typename Rows>
void add_all(HashedValues& values, const Rows& rows) {
  values.size(rows.size());
  for (const auto& row : rows) {
    give_values(values, row);
  }
}

}  // namespace

std::int64_t checksum_of(const FileResult& file) {
  HashedValues values;
  values.size(file.items.size());
  for (const Item& item : file.items) {
    give_values(values, item);
    add_all(values, item.findings);
    add_all(values, item.facts);
  }
  return values.sum();
}

}  // namespace assay::golden
