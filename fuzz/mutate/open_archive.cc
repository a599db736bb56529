#include "fuzz/mutate/open_archive.h"

#include "fuzz/mutate/structure.h"
#include "parsers/formats/catalogue.h"

namespace assay::fuzz {

const Format* editing_format(const Format& format) {
  if (format.edit != nullptr) {
    return &format;
  }
  const Format* base = format.refines.empty() ? nullptr : find_format(format.refines);
  return base == nullptr || base->edit == nullptr ? nullptr : base;
}

std::optional<OpenArchive> open_archive(const Format& format, Bytes bytes) {
  const Format* editing = editing_format(format);
  if (editing == nullptr) {
    return std::nullopt;
  }
  OpenArchive archive{oracles::parse(*editing, bytes, mutation_context()), nullptr};
  if (!archive.parsed.document || (*archive.parsed.document)->container() == nullptr) {
    return std::nullopt;
  }
  auto editor = editing->edit(**archive.parsed.document);
  if (!editor) {
    return std::nullopt;
  }
  archive.editor = std::move(*editor);
  return archive;
}

}  // namespace assay::fuzz
