#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "parsers/base/byte_writer.h"
#include "parsers/formats/catalogue.h"
#include "synth/content.h"
#include "synth/prng.h"
#include "synth/seeds/seeds.h"
#include "synth/stable_pack.h"

// Writes seeds for every target into FOLDER/<target>/: small files of our own making, one or more for each way to be
// accepted.
namespace {

namespace fs = std::filesystem;
using assay::Buffer;

void write(const fs::path& folder, const std::string& name, assay::Bytes bytes) {
  fs::create_directories(folder);
  std::ofstream stream(folder / name, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) {
    throw std::runtime_error((folder / name).string() + ": cannot be written");
  }
}

void write_formats(const fs::path& root) {
  for (const assay::Format* format : assay::all_formats()) {
    for (const assay::synth::Seed& seed : assay::synth::seeds_of(format->id)) {
      write(root / format->id, seed.name, seed.bytes);
    }
  }
}

// A stream target's input: the size it declares, then the stream.
Buffer with_size(std::size_t size_bytes, const Buffer& packed) {
  assay::ByteWriter writer;
  writer.write(static_cast<std::uint32_t>(size_bytes));
  writer.write_bytes(packed);
  return std::move(writer).take();
}

void write_streams(const fs::path& root) {
  using assay::synth::ContentKind;
  assay::synth::Prng prng(1);
  for (int kind = 0; kind < static_cast<int>(ContentKind::kCount); ++kind) {
    const Buffer plain = assay::synth::make_content(static_cast<ContentKind>(kind), 700, prng);
    const std::string name = "content" + std::to_string(kind);
    Buffer packed;
    assay::synth::append_lzss(plain, packed);
    write(root / "lzss", name, with_size(plain.size(), packed));
    packed.clear();
    assay::synth::append_lzhuf(plain, packed);
    write(root / "lzhuf", name, with_size(plain.size(), packed));
    packed.clear();
    assay::synth::append_deflate(plain, assay::synth::DeflateBlocks::kMixed, packed);
    write(root / "deflate", name, with_size(plain.size(), packed));
    write(root / "round_trip", name, plain);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_seeds FOLDER\n", stderr);
    return 2;
  }
  try {
    const fs::path root = argv[1];
    write_formats(root);
    write_streams(root);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "write_seeds: %s\n", failure.what());
    return 2;
  }
  return 0;
}
