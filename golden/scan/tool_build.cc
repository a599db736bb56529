#include "golden/scan/tool_build.h"

#include <algorithm>
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

std::string hash_of_file(const std::string& file) {
  return hash_text(Hasher().hash(FileBytes::read(file).bytes()));
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

struct Code {
  std::string file;
  std::string build_id;
};

// The program and its libraries.
std::vector<Code> loaded_code() {
  std::vector<Code> loaded;
  const auto add = [](dl_phdr_info* object, std::size_t /*size*/, void* list) {
    // The program has no name here and comes first. Nor has the page that the kernel lends every process, in some
    // versions of the loader; it has no file.
    auto& code = *static_cast<std::vector<Code>*>(list);
    const std::string_view name = code.empty() ? "/proc/self/exe" : object->dlpi_name;
    if (name.starts_with('/')) {
      code.push_back({std::string(name), build_id(*object)});
    }
    return 0;
  };
  dl_iterate_phdr(add, &loaded);
  std::ranges::sort(loaded, {}, &Code::file);
  return loaded;
}

std::string hash_of_code() {
  try {
    std::string code;
    for (const Code& part : loaded_code()) {
      code += ' ' + (part.build_id.empty() ? hash_of_file(part.file) : part.build_id);
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
