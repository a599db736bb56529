#include <algorithm>
#include <cstring>

#include "parsers/codecs/lzss/bulk.h"

namespace assay::lzss {
namespace {

constexpr std::size_t kPieceBytes = 8;
constexpr std::uint8_t kAllLiterals = 0xFF;

// Copies in pieces where the source is far enough away for that, else byte by byte, since a reference may read bytes
// that it is producing. The pieces overhang by less than 8 bytes.
void copy(std::uint8_t* out, std::size_t distance, std::size_t length_bytes) {
  const std::uint8_t* source = out - distance;
  if (distance < kPieceBytes) {
    for (std::size_t index = 0; index < length_bytes; ++index) {
      out[index] = source[index];
    }
    return;
  }
  for (std::size_t index = 0; index < length_bytes; index += kPieceBytes) {
    std::memcpy(out + index, source + index, kPieceBytes);
  }
}

void decode_items(unsigned flags, Bulk& bulk) {
  for (unsigned item = 0; item < kItemsPerFlagByte; ++item, flags >>= 1U) {
    if ((flags & 1U) != 0) {
      *bulk.out++ = *bulk.packed++;
      ++bulk.position;
      continue;
    }
    const Reference reference = unpack(bulk.packed[0], bulk.packed[1]);
    bulk.packed += 2;
    copy(bulk.out, distance_of(reference.ring_index, bulk.position), reference.length_bytes);
    bulk.out += reference.length_bytes;
    bulk.position += reference.length_bytes;
  }
}

bool has_room(const Bulk& bulk) {
  return bulk.packed_end - bulk.packed >= static_cast<std::ptrdiff_t>(kMaxGroupPackedBytes) && bulk.out < bulk.stop &&
         bulk.out_end - bulk.out >= static_cast<std::ptrdiff_t>(kMaxGroupDecodedBytes + kOverhangBytes);
}

}  // namespace

void decode_groups_scalar(Bulk& bulk) {
  // A copy of its own, so that stores through byte pointers do not force it out of registers.
  Bulk local = bulk;
  while (has_room(local)) {
    const unsigned flags = *local.packed++;
    if (flags == kAllLiterals) {
      std::memcpy(local.out, local.packed, kItemsPerFlagByte);
      local.packed += kItemsPerFlagByte;
      local.out += kItemsPerFlagByte;
      local.position += kItemsPerFlagByte;
      continue;
    }
    decode_items(flags, local);
  }
  bulk = local;
}

}  // namespace assay::lzss
