#pragma once

#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"
#include "parsers/formats/texm/page.h"
#include "parsers/formats/texm/pixels.h"

// Texm textures and lightmaps: a header, perhaps a palette, mip levels, perhaps a page of rectangles
// (docs/formats/texm.md).
namespace assay::texm {

// The magic; directories use the same four characters as type tag.
inline constexpr std::uint32_t kMagic = 0x6D786554;
inline constexpr std::uint32_t kPageMagic = 0x65676150;

struct Header {
  std::uint32_t magic = kMagic;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t mip_count = 0;
  std::uint32_t flags4 = 0;
  std::uint32_t flags5 = 0;
  std::uint32_t unknown6 = 0;
  std::uint32_t format = 0;
};

struct PaletteColour {
  std::uint32_t colour = 0;
};

struct Page {
  std::uint32_t magic = kPageMagic;
  std::uint32_t rect_count = 0;
};

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 32,
    field(0x00, "magic", &Header::magic, FieldStatus::kLayoutConfirmed)
        .shown_as(Display::kTag)
        .derived("it marks the format"),
    field(0x04, "width", &Header::width, FieldStatus::kLayoutConfirmed).derived("it sizes the levels"),
    field(0x08, "height", &Header::height, FieldStatus::kLayoutConfirmed).derived("it sizes the levels"),
    field(0x0C, "mip_count", &Header::mip_count, FieldStatus::kLayoutConfirmed).derived("it counts the levels"),
    field(0x10, "flags4", &Header::flags4, FieldStatus::kOpaque)
        .shown_as(Display::kHex)
        .noted("0x20 on textures with mip levels"),
    field(0x14, "flags5", &Header::flags5, FieldStatus::kOpaque)
        .shown_as(Display::kHex)
        .noted("has a part in skipping levels; 0x1000000 read as an alpha surface"),
    field(0x18, "unknown6", &Header::unknown6, FieldStatus::kOpaque).shown_as(Display::kHex).noted("varies"),
    field(0x1C, "format", &Header::format, FieldStatus::kLayoutConfirmed)
        .derived("it sizes the pixels")
        .noted("the widths of the channels as decimal digits"));

inline constexpr auto kPaletteRecord =
    record<PaletteColour>("palette", 4,
                          field(0x00, "colour", &PaletteColour::colour, FieldStatus::kLayoutConfirmed)
                              .shown_as(Display::kHex)
                              .noted("read as 0x..RRGGBB; the byte on top is kept"));

inline constexpr auto kPageRecord =
    record<Page>("page", 8,
                 field(0x00, "magic", &Page::magic, FieldStatus::kLayoutConfirmed)
                     .shown_as(Display::kTag)
                     .derived("it marks the page"),
                 field(0x04, "rect_count", &Page::rect_count, FieldStatus::kLayoutConfirmed)
                     .derived("it counts the rectangles that follow"));

inline constexpr auto kRectRecord =
    record<PageRect>("rect", 8, field(0x00, "x", &PageRect::x, FieldStatus::kLayoutConfirmed),
                     field(0x02, "width", &PageRect::width, FieldStatus::kLayoutConfirmed),
                     field(0x04, "y", &PageRect::y, FieldStatus::kLayoutConfirmed),
                     field(0x06, "height", &PageRect::height, FieldStatus::kLayoutConfirmed));

// One mip level: rows from the top down, without padding.
struct Level {
  Extent extent{};
  Bytes pixels{};
};

// A parsed texture. Views refer to the bytes it was parsed from.
class Texm final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/texm.md in their order. Cost: O(levels that halving gives + rectangles); the
  // pixels are not looked at.
  [[nodiscard]] static Result<Texm> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] Extent extent() const { return {header_.width, header_.height}; }
  [[nodiscard]] PixelFormat format() const { return format_; }
  // kPaletteBytes long, or empty where the format has no palette of its own.
  [[nodiscard]] Bytes palette() const { return palette_.bytes(); }
  [[nodiscard]] std::uint32_t level_count() const { return header_.mip_count; }
  // Requires: index < level_count(). Cost: O(1).
  [[nodiscard]] Level level(std::size_t index) const;
  // Empty where there is no page.
  [[nodiscard]] const Records<kRectRecord>& rects() const { return rects_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Texm(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  Header header_{};
  PixelFormat format_ = PixelFormat::kArgb8888;
  Records<kPaletteRecord> palette_;
  // The levels that halving gives, and the pixels of those beyond, one each.
  std::vector<Level> chain_;
  Bytes spare_levels_{};
  Records<kRectRecord> rects_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::texm
