#include "parsers/formats/preload/preload.h"
#include "parsers/formats/raw_document.h"

namespace assay::preload {
namespace {

constexpr NamePattern kNamePatterns[] = {{.pattern = "preload*", .files_only = true}};

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& /*findings*/) {
  return parse_raw(bytes, context);
}

constexpr Format kFormat{.id = "preload",
                         .title = "preload file",
                         .documentation = "docs/formats/preload.md",
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::preload
