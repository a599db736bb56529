#pragma once

#include <cstdint>

namespace assay {

// Bounds on what one parse may take in or give out. Every size is in bytes. A parse that would pass one is refused
// as `limit_exceeded` before it allocates. The defaults hold the largest files of both games many times over.
struct Limits {
  std::uint64_t input_bytes = std::uint64_t{256} << 20;
  std::uint64_t entry_count = 1'000'000;
  // One NRes payload, and all payloads of one NRes archive together.
  std::uint64_t payload_bytes = std::uint64_t{256} << 20;
  std::uint64_t payload_total_bytes = std::uint64_t{512} << 20;
  // Bytes of one archive that belong to no entry.
  std::uint64_t preserved_bytes = std::uint64_t{256} << 20;
  // One RsLi payload as stored and as decoded, and all decoded payloads of one archive together.
  std::uint64_t packed_bytes = std::uint64_t{64} << 20;
  std::uint64_t unpacked_bytes = std::uint64_t{128} << 20;
  std::uint64_t unpacked_total_bytes = std::uint64_t{1} << 30;
  // How deep archives may lie inside archives; the outermost file is depth 0.
  std::uint32_t nesting_depth = 16;
  // Work on what lies inside one member: at most this many times its size, or the floor if that is more. Bounds nested
  // archives whose members overlap, where the work could otherwise grow with a power of the depth.
  std::uint64_t nested_expansion = 16;
  std::uint64_t nested_floor_bytes = std::uint64_t{64} << 10;
};

}  // namespace assay
