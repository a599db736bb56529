#include "parsers/formats/decode_scratch.h"

namespace assay {

MutableBytes RawBuffer::get(std::size_t size_bytes) {
  if (size_bytes > capacity_bytes_) {
    bytes_.reset();
    bytes_ = std::make_unique_for_overwrite<std::uint8_t[]>(size_bytes);
    capacity_bytes_ = size_bytes;
  }
  return {bytes_.get(), size_bytes};
}

}  // namespace assay
