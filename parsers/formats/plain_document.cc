#include "parsers/formats/plain_document.h"

namespace assay {

Buffer write_runs(const ByteMap& map, std::size_t size_bytes) {
  Buffer image(size_bytes);
  for (const ByteRun& run : map.runs()) {
    const auto start = static_cast<std::size_t>(run.offset);
    const std::size_t record_bytes = run.record == nullptr ? 0 : run.record->size_bytes;
    if (run.record == nullptr || run.record->rewrite == nullptr) {
      std::memcpy(image.data() + start, run.plain.data(), run.plain.size());
      continue;
    }
    for (std::size_t at = 0; at < run.plain.size(); at += record_bytes) {
      run.record->rewrite(run.plain.subspan(at, record_bytes), MutableBytes(image).subspan(start + at, record_bytes));
    }
  }
  return image;
}

Result<void> check_input_size(Bytes bytes, const ParseContext& context) {
  if (bytes.size() > context.limits.input_bytes) {
    return fail({.code = Code::kLimitExceeded,
                 .offset = context.origin.at(0),
                 .field = "file",
                 .expected = Datum::at_most(context.limits.input_bytes),
                 .got = Datum::number(bytes.size())});
  }
  return {};
}

}  // namespace assay
