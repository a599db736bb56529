#include "golden/scan/tool_build.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#if __has_include(<link.h>)
#include <link.h>
#endif

#include "golden/scan/corpus.h"
#include "golden/scan/hash.h"

namespace assay::golden {
namespace {

// That of both halves, which can be computed side by side.
std::string hash_of_file(const std::string& file) {
  const FileBytes content = FileBytes::read(file);
  const Bytes bytes = content.bytes();
  const std::array<Bytes, 2> halves{bytes.first(bytes.size() / 2), bytes.subspan(bytes.size() / 2)};
  std::array<Sha256, 2> hashes{};
  hash_all(halves, hashes);
  return hash_text(hashes[0]) + hash_text(hashes[1]);
}

#if __has_include(<link.h>)

// The note that the linker computes over what it writes and that loaders leave in memory; empty where there is none.
std::string build_id(const dl_phdr_info& object) {
  for (const ElfW(Phdr) & part : std::span(object.dlpi_phdr, object.dlpi_phnum)) {
    if (part.p_type != PT_NOTE) {
      continue;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): this is how the loader says where the notes are.
    std::string_view notes(reinterpret_cast<const char*>(object.dlpi_addr + part.p_vaddr), part.p_memsz);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, notes.data(), sizeof note);
      const auto padded = [&](std::size_t size) { return (size + part.p_align - 1) / part.p_align * part.p_align; };
      const std::size_t start = sizeof note + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && start <= notes.size()) {
        return std::string(notes.substr(start, note.n_descsz));
      }
      notes.remove_prefix(std::min(notes.size(), start + padded(note.n_descsz)));
    }
  }
  return {};
}

struct Library {
  std::string file;
  std::string build_id;
};

std::vector<Library> loaded_libraries() {
  std::vector<Library> libraries;
  const auto add = [](dl_phdr_info* object, std::size_t /*size*/, void* list) {
    // The program has no name here, and the page that the kernel lends every process has no file.
    const std::string_view name = object->dlpi_name;
    if (name.starts_with('/')) {
      static_cast<std::vector<Library>*>(list)->push_back({std::string(name), build_id(*object)});
    }
    return 0;
  };
  dl_iterate_phdr(add, &libraries);
  std::ranges::sort(libraries, {}, &Library::file);
  return libraries;
}

// The program by its bytes: somebody who changes it by hand leaves its build id as it was.
std::string hash_of_code() {
  try {
    std::string code = hash_of_file("/proc/self/exe");
    for (const Library& library : loaded_libraries()) {
      code += ' ' + (library.build_id.empty() ? hash_of_file(library.file) : library.build_id);
    }
    return hash_text(Hasher().hash(as_bytes(code)));
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
