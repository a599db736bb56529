#include "oracles/peers/mspack_peer.h"

#include <mspack.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

// libmspack does all input and output through a table of functions; this one keeps both files in memory. The table
// comes first in Memory, so that the `self` that libmspack passes is the address of the Memory.
namespace assay::peers {
namespace {

constexpr const char* kInputName = "input";
constexpr const char* kOutputName = "output";

struct Memory {
  mspack_system system{};
  Bytes input;
  Buffer output;
  std::size_t wanted_bytes = 0;
};
static_assert(std::is_standard_layout_v<Memory>);

// An open file of libmspack, whose own type has no members.
struct OpenFile {
  Memory* memory;
  bool is_output;
  std::size_t position;
};

OpenFile& opened(mspack_file* file) {
  return *reinterpret_cast<OpenFile*>(file);
}

mspack_file* open_file(mspack_system* self, const char* name, int mode) {
  auto* memory = reinterpret_cast<Memory*>(self);
  const bool is_output = std::string_view(name) == kOutputName;
  if (is_output != (mode == MSPACK_SYS_OPEN_WRITE)) {
    return nullptr;
  }
  return reinterpret_cast<mspack_file*>(new OpenFile{memory, is_output, 0});
}

void close_file(mspack_file* file) {
  delete &opened(file);
}

int read_file(mspack_file* file, void* buffer, int count) {
  OpenFile& open = opened(file);
  const Bytes rest = open.memory->input.subspan(open.position);
  const Bytes portion = rest.first(std::min(rest.size(), static_cast<std::size_t>(std::max(count, 0))));
  std::copy(portion.begin(), portion.end(), static_cast<std::uint8_t*>(buffer));
  open.position += portion.size();
  return static_cast<int>(portion.size());
}

// Takes no more than is wanted; a short write makes libmspack stop.
int write_file(mspack_file* file, void* buffer, int count) {
  Memory& memory = *opened(file).memory;
  const std::size_t room = memory.wanted_bytes - memory.output.size();
  const Bytes portion(static_cast<const std::uint8_t*>(buffer),
                      std::min(room, static_cast<std::size_t>(std::max(count, 0))));
  memory.output.insert(memory.output.end(), portion.begin(), portion.end());
  return static_cast<int>(portion.size());
}

int seek_file(mspack_file* file, off_t offset, int mode) {
  OpenFile& open = opened(file);
  const auto end = static_cast<off_t>(open.memory->input.size());
  const off_t base = mode == MSPACK_SYS_SEEK_END   ? end
                     : mode == MSPACK_SYS_SEEK_CUR ? static_cast<off_t>(open.position)
                                                   : 0;
  const off_t target = base + offset;
  if (open.is_output || target < 0 || target > end) {
    return -1;
  }
  open.position = static_cast<std::size_t>(target);
  return 0;
}

off_t tell_file(mspack_file* file) {
  return static_cast<off_t>(opened(file).position);
}
void ignore_message(mspack_file* /*file*/, const char* /*format*/, ...) {}
void* allocate(mspack_system* /*self*/, std::size_t count) {
  return std::malloc(count);
}
void copy_bytes(void* source, void* target, std::size_t count) {
  std::memcpy(target, source, count);
}

mspack_system memory_functions() {
  return {.open = open_file,
          .close = close_file,
          .read = read_file,
          .write = write_file,
          .seek = seek_file,
          .tell = tell_file,
          .message = ignore_message,
          .alloc = allocate,
          .free = std::free,
          .copy = copy_bytes,
          .null_ptr = nullptr};
}

struct DestroyDecompressor {
  void operator()(msszdd_decompressor* decompressor) const { mspack_destroy_szdd_decompressor(decompressor); }
};

// The header of the `SZ ` variant: signature and the length of the output, which libmspack does not use.
Buffer wrapped(Bytes packed, std::size_t size) {
  Buffer file = {0x53, 0x5A, 0x20, 0x88, 0xF0, 0x27, 0x33, 0xD1, 0, 0, 0, 0};
  store_little_endian(static_cast<std::uint32_t>(size), MutableBytes(file).last(4));
  file.insert(file.end(), packed.begin(), packed.end());
  return file;
}

}  // namespace

std::optional<Buffer> mspack_lzss(Bytes packed, std::size_t size) {
  const Buffer file = wrapped(packed, size);
  Memory memory{.system = memory_functions(), .input = file, .output = {}, .wanted_bytes = size};
  const std::unique_ptr<msszdd_decompressor, DestroyDecompressor> decompressor(
      mspack_create_szdd_decompressor(&memory.system));
  if (decompressor == nullptr) {
    return std::nullopt;
  }
  // The status is of no use: it is an error when the output stops early, and none when the input does.
  decompressor->decompress(decompressor.get(), kInputName, kOutputName);
  if (memory.output.size() != size) {
    return std::nullopt;
  }
  return std::move(memory.output);
}

}  // namespace assay::peers
