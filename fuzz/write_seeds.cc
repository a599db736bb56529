#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "fuzz/dictionary.h"
#include "fuzz/seeds/target_seeds.h"

// Writes what every target starts from: its seeds into FOLDER/<target>/, small files of our own making, and its
// dictionary into FOLDER/<target>.dict.
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSeedBytes = 4096;

void write(const fs::path& path, assay::Bytes bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) {
    throw std::runtime_error(path.string() + ": cannot be written");
  }
}

void write_target(const fs::path& root, const assay::fuzz::FuzzTarget& target) {
  const fs::path folder = root / target.name;
  fs::create_directories(folder);
  const auto seeds = target.seeds(target.name);
  if (seeds.empty()) {
    throw std::runtime_error(std::string(target.name) + ": has no seeds");
  }
  // What is large takes its time from thousands of small inputs, and its mutants stay large. Some formats have no small
  // form.
  const auto size_of = [](const assay::fuzz::TargetSeed& seed) { return seed.bytes.size(); };
  const std::size_t smallest = std::ranges::min(seeds, {}, size_of).bytes.size();
  const std::size_t largest = std::max(kMaxSeedBytes, 2 * smallest);
  for (const assay::fuzz::TargetSeed& seed : seeds) {
    if (seed.bytes.size() <= largest) {
      write(folder / seed.name, seed.bytes);
    }
  }
  write(root / (std::string(target.name) + ".dict"), assay::as_bytes(assay::fuzz::dictionary_of(target)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_seeds FOLDER\n", stderr);
    return 2;
  }
  try {
    for (const assay::fuzz::FuzzTarget& target : assay::fuzz::all_targets()) {
      write_target(argv[1], target);
    }
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "write_seeds: %s\n", failure.what());
    return 2;
  }
  return 0;
}
