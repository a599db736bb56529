#include "parsers/formats/plain_document.h"

namespace assay {
namespace {

bool has_type(const ByteRun& run) {
  return run.record != nullptr && run.record->rewrite != nullptr;
}

}  // namespace

Buffer write_runs(const ByteMap& map, std::size_t size_bytes) {
  Buffer image(size_bytes);
  for (const ByteRun& run : map.runs()) {
    if (!has_type(run)) {
      std::memcpy(image.data() + run.offset, run.plain.data(), run.plain.size());
    }
  }
  write_records(map, image);
  return image;
}

void write_records(const ByteMap& map, MutableBytes image) {
  for (const ByteRun& run : map.runs()) {
    const std::size_t record_bytes = has_type(run) ? run.record->size_bytes : 0;
    for (std::size_t at = 0; has_type(run) && at < run.plain.size(); at += record_bytes) {
      run.record->rewrite(run.plain.subspan(at, record_bytes),
                          image.subspan(static_cast<std::size_t>(run.offset) + at, record_bytes));
    }
  }
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
