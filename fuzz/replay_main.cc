#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

// Runs a target over files and folders without a fuzzing engine, so that every compiler builds the targets and ctest
// replays seeds and regressions.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void replay(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  // Memory of exactly that size, so that the address sanitizer sees the first byte past it.
  const auto exact = std::make_unique<std::uint8_t[]>(content.size());
  std::copy(content.begin(), content.end(), exact.get());
  LLVMFuzzerTestOneInput(exact.get(), content.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int index = 1; index < argc; ++index) {
    const fs::path path = argv[index];
    if (fs::is_regular_file(path)) {
      files.push_back(path);
    } else if (fs::is_directory(path)) {
      for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (entry.is_regular_file() && entry.path().extension() != ".md") {
          files.push_back(entry.path());
        }
      }
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    replay(file);
  }
  std::printf("%zu inputs replayed\n", files.size());
  return files.empty() ? 1 : 0;
}
