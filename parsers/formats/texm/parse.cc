#include <algorithm>
#include <cassert>

#include "parsers/formats/texm/texm.h"

namespace assay::texm {

// Runs the checks in the order of docs/formats/texm.md.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings)
      : image_(image), context_(context), findings_(findings), cursor_(image, context.origin, map_) {}

  Result<Texm> run() {
    ASSAY_TRY(check_input_size(image_, context_));
    if (image_.size() < kHeaderRecord.size_bytes) {
      return fail(cursor_.diagnostic(Code::kInputTooShort, 0, "file", Datum::at_least(kHeaderRecord.size_bytes),
                                     Datum::number(image_.size())));
    }
    ASSAY_TRY_ASSIGN(header_, cursor_.read<kHeaderRecord>("header"));
    ASSAY_TRY(check_header());
    if (format_ == PixelFormat::kIndexed) {
      ASSAY_TRY_ASSIGN(palette_, cursor_.read_array<kPaletteRecord>("palette", kPaletteColours));
    }
    ASSAY_TRY(read_levels());
    ASSAY_TRY(read_page());
    check_rects();
    return finish();
  }

 private:
  Diagnostic of_header(Code code, std::uint32_t Header::* member, Datum expected = {}) const {
    return cursor_.diagnostic(code, kHeaderRecord.place(member, 0, "header"), expected, Datum::number(header_.*member));
  }

  Result<void> check_header() {
    if (header_.magic != kMagic) {
      return fail(cursor_.diagnostic(Code::kInvalidMagic, kHeaderRecord.place(&Header::magic, 0, "header"),
                                     Datum::bytes4(kMagic), Datum::bytes4(header_.magic)));
    }
    for (const auto member : {&Header::width, &Header::height, &Header::mip_count}) {
      if (header_.*member == 0) {
        return fail(of_header(Code::kCountOutOfRange, member, Datum::at_least(1)));
      }
    }
    const auto format = pixel_format_of(header_.format);
    if (!format) {
      return fail(of_header(Code::kUnsupportedVariant, &Header::format));
    }
    format_ = *format;
    if (format_ == PixelFormat::kIndexedElsewhere) {
      findings_.note(of_header(Code::kUnexpectedValue, &Header::format));
    }
    return {};
  }

  // A level has a pixel at least, which bounds the count by the input. Levels beyond those that halving gives have one
  // pixel each; there may be millions of them, so that they are one run.
  Result<void> read_levels() {
    const Extent base{header_.width, header_.height};
    const std::uint64_t most_levels = cursor_.remaining() / bytes_per_pixel(format_);
    if (header_.mip_count > most_levels) {
      return fail(of_header(Code::kCountOutOfBounds, &Header::mip_count, Datum::at_most(most_levels)));
    }
    const std::uint32_t chain_length = std::min(header_.mip_count, full_chain_length(base));
    for (std::uint32_t index = 0; index < chain_length; ++index) {
      const Extent extent = level_extent(base, index);
      ASSAY_TRY_ASSIGN(const Bytes pixels, cursor_.read_data(FieldPath("level", index), level_bytes(extent, format_)));
      chain_.push_back({extent, pixels});
    }
    if (chain_length == header_.mip_count) {
      return {};
    }
    findings_.note(of_header(Code::kCountOutOfRange, &Header::mip_count, Datum::at_most(chain_length)));
    const std::uint64_t spare_count = header_.mip_count - chain_length;
    ASSAY_TRY_ASSIGN(spare_levels_, cursor_.read_data("spare_levels", spare_count * bytes_per_pixel(format_)));
    return {};
  }

  Result<void> read_page() {
    const Bytes rest = cursor_.rest();
    if (rest.size() < sizeof(kPageMagic) || load_little_endian<std::uint32_t>(rest) != kPageMagic) {
      return cursor_.expect_end();
    }
    const std::uint64_t start = cursor_.offset();
    ASSAY_TRY_ASSIGN(const Page page, cursor_.read<kPageRecord>("page"));
    const std::uint64_t most_rects = cursor_.remaining() / kRectRecord.size_bytes;
    if (page.rect_count > most_rects) {
      return fail(cursor_.diagnostic(Code::kCountOutOfBounds, kPageRecord.place(&Page::rect_count, start, "page"),
                                     Datum::at_most(most_rects), Datum::number(page.rect_count)));
    }
    ASSAY_TRY_ASSIGN(rects_, cursor_.read_array<kRectRecord>("rect", page.rect_count));
    return cursor_.expect_end();
  }

  // Only the first rectangle that is wrong is named: the others of its page tend to be wrong alike.
  void check_rects() {
    for (std::size_t index = 0; index < rects_.size(); ++index) {
      if (!check_span(index, &PageRect::x, &PageRect::width, header_.width) ||
          !check_span(index, &PageRect::y, &PageRect::height, header_.height)) {
        return;
      }
    }
  }

  // One side of a rectangle: inside the image, and not empty.
  bool check_span(std::size_t index, std::int16_t PageRect::* start, std::int16_t PageRect::* size,
                  std::uint32_t limit) {
    const PageRect rect = rects_[index];
    if (rect.*start < 0) {
      return blame(Code::kRangeOutOfBounds, index, start, Datum::at_least(0));
    }
    if (std::int64_t{rect.*start} > std::int64_t{limit}) {
      return blame(Code::kRangeOutOfBounds, index, start, Datum::at_most(limit));
    }
    if (rect.*size <= 0) {
      return blame(Code::kUnexpectedValue, index, size, Datum::at_least(1));
    }
    if (std::int64_t{rect.*start} + rect.*size > std::int64_t{limit}) {
      return blame(Code::kRangeOutOfBounds, index, size, {});
    }
    return true;
  }

  bool blame(Code code, std::size_t index, std::int16_t PageRect::* member, Datum expected) {
    const FieldPlace place = kRectRecord.place(member, rects_.offset_of(index), FieldPath("rect", index));
    findings_.strict(cursor_.diagnostic(code, place, expected, Datum::signed_number(rects_[index].*member)));
    return false;
  }

  Texm finish() {
    Texm texture(image_, std::move(map_));
    texture.header_ = header_;
    texture.format_ = format_;
    texture.palette_ = palette_;
    texture.chain_ = std::move(chain_);
    texture.spare_levels_ = spare_levels_;
    texture.rects_ = rects_;
    return texture;
  }

  Bytes image_;
  const ParseContext& context_;
  Findings& findings_;
  ByteMap map_;
  RecordCursor cursor_;
  Header header_{};
  PixelFormat format_ = PixelFormat::kArgb8888;
  Records<kPaletteRecord> palette_;
  std::vector<Level> chain_;
  Bytes spare_levels_{};
  Records<kRectRecord> rects_;
};

Result<Texm> Texm::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

Level Texm::level(std::size_t index) const {
  assert(index < level_count());
  if (index < chain_.size()) {
    return chain_[index];
  }
  const std::size_t pixel_bytes = bytes_per_pixel(format_);
  return {{1, 1}, spare_levels_.subspan((index - chain_.size()) * pixel_bytes, pixel_bytes)};
}

std::vector<DocumentFact> Texm::facts() const {
  return {{"width", std::to_string(header_.width)},
          {"height", std::to_string(header_.height)},
          {"mips", std::to_string(header_.mip_count)},
          {"format", std::to_string(header_.format)},
          {"rects", std::to_string(rects_.size())}};
}

namespace {

constexpr RecordInfo kRecords[] = {kInfoOf<kHeaderRecord>, kInfoOf<kPaletteRecord>, kInfoOf<kPageRecord>,
                                   kInfoOf<kRectRecord>};

constexpr std::uint32_t kTypeTags[] = {kMagic};

bool has_magic(Bytes bytes) {
  return bytes.size() >= sizeof(kMagic) && load_little_endian<std::uint32_t>(bytes) == kMagic;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Texm texture, Texm::parse(bytes, context, findings));
  return std::make_unique<Texm>(std::move(texture));
}

constexpr Format kFormat{.id = "texm",
                         .title = "texture",
                         .documentation = "docs/formats/texm.md",
                         .records = kRecords,
                         .has_magic = has_magic,
                         .type_tags = kTypeTags,
                         .parse = parse_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::texm
