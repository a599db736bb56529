#include "golden/scan/tool_build.h"

#include <algorithm>
#include <system_error>
#include <vector>

#if __has_include(<link.h>)
#include <link.h>
#endif

#include "golden/scan/corpus.h"
#include "golden/scan/hash.h"

namespace assay::golden {
namespace {

#if __has_include(<link.h>)

// The files that hold the code of this process, the program itself first.
std::vector<std::string> code_files() {
  std::vector<std::string> files{"/proc/self/exe"};
  const auto add = [](dl_phdr_info* info, std::size_t /*size*/, void* list) {
    // The program has no name here, and the page that the kernel lends every process has no file.
    const std::string_view name = info->dlpi_name;
    if (name.starts_with('/')) {
      static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    }
    return 0;
  };
  dl_iterate_phdr(add, &files);
  std::sort(files.begin() + 1, files.end());
  return files;
}

std::string hash_of_code() {
  try {
    Hasher hasher;
    std::string hashes;
    for (const std::string& file : code_files()) {
      hashes += hash_text(hasher.hash(FileBytes::read(file).bytes()));
    }
    return hash_text(hasher.hash(as_bytes(hashes)));
  } catch (const std::system_error&) {
    return {};
  }
}

#else

std::string hash_of_code() {
  return {};
}

#endif

}  // namespace

const std::string& tool_build() {
  static const std::string kBuild = hash_of_code();
  return kBuild;
}

}  // namespace assay::golden
