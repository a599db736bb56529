#pragma once

#include <utility>

#include "parsers/formats/format.h"

namespace assay {

// Writes what `map` accounts for: records through their C++ types, everything else as the bytes it was. Requires: the
// runs hold their bytes and cover [0, size_bytes). Cost: O(size).
[[nodiscard]] Buffer write_runs(const ByteMap& map, std::size_t size_bytes);

// Writes the records of `map` through their C++ types over `image`, whose other bytes stay. Requires: the runs hold
// their bytes and lie inside the image. Cost: O(bytes of records).
void write_records(const ByteMap& map, MutableBytes image);

// A document without members that was read by a RecordCursor: its bytes, and what each of them is.
class PlainDocument : public Document {
 public:
  [[nodiscard]] Buffer write() const override { return write_runs(map_, image_.size()); }
  // A format that is no container has one form (docs/formats/decisions.md, 16).
  [[nodiscard]] Result<Buffer> canonical() const override { return write(); }
  [[nodiscard]] ByteMap account() const override { return map_; }
  [[nodiscard]] std::vector<DocumentFact> facts() const override { return {}; }

  // The bytes that were parsed.
  [[nodiscard]] Bytes image() const { return image_; }

 protected:
  PlainDocument(Bytes image, ByteMap map) : image_(image), map_(std::move(map)) {}

 private:
  Bytes image_;
  ByteMap map_;
};

// Refuses inputs over the limit: kLimitExceeded at offset 0, field `file`. Every parse begins with it.
[[nodiscard]] Result<void> check_input_size(Bytes bytes, const ParseContext& context);

}  // namespace assay
