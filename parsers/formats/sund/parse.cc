#include "parsers/formats/raw_document.h"
#include "parsers/formats/sund/sund.h"

namespace assay::sund {
namespace {

constexpr std::uint32_t kTypeTags[] = {0x444E5553};  // SUND
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.sun"}};

// Hints at a layout that nobody has confirmed; docs/formats/sund.md says what they may mean.
std::vector<DocumentFact> observe(Bytes image, const ItemHints& hints) {
  std::vector<DocumentFact> seen;
  if (hints.attributes) {
    const std::uint64_t rows = (*hints.attributes)[0];
    const std::uint64_t row_bytes = (*hints.attributes)[2];
    if (rows != 0 && rows * row_bytes == image.size()) {
      seen.emplace_back("rows_by_attributes", std::to_string(rows) + " x " + std::to_string(row_bytes));
    }
  }
  if (image.size() > sizeof(std::uint32_t)) {
    const std::uint64_t rows = load_little_endian<std::uint32_t>(image);
    const std::uint64_t rest = image.size() - sizeof(std::uint32_t);
    // One divides everything and says nothing.
    if (rows > 1 && rest % rows == 0) {
      seen.emplace_back("rows_by_first_word", std::to_string(rows) + " x " + std::to_string(rest / rows));
    }
  }
  return seen;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& /*findings*/) {
  return parse_raw(bytes, context, observe(bytes, context.hints));
}

constexpr Format kFormat{.id = "sund",
                         .title = "parameters of a sun",
                         .documentation = "docs/formats/sund.md",
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::sund
