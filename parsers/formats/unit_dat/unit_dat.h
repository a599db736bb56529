#pragma once

#include <optional>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Unit descriptions, `UNITS/**/*.dat`: a header and the components of one unit (docs/formats/unit_dat.md).
namespace assay::unit_dat {

inline constexpr std::uint16_t kMagic = 0xF0F1;
inline constexpr std::string_view kRegistryFile = "objects.rlb";

struct Header {
  std::uint16_t magic = kMagic;
  std::array<std::uint8_t, 2> opaque02{};
  std::uint32_t type_word = 0;
};

struct Component {
  FixedString<32> archive_name{};
  FixedString<32> resource_name{};
  std::uint32_t kind = 1;
  std::int32_t parent_or_link = -1;
  FixedString<32> description{};
  std::uint32_t tail0 = 0;
  std::uint32_t tail1 = 0;
};

// The short form that names one model in place of components; read only under `legacy_unit_binding`.
struct Binding {
  std::uint32_t magic = kMagic;
  std::uint32_t flags = 0;
  FixedString<32> archive_name{};
  FixedString<32> model_name{};
};

inline constexpr auto kHeaderRecord =
    record<Header>("header", 8,
                   field(0x00, "magic", &Header::magic, FieldStatus::kLayoutConfirmed)
                       .shown_as(Display::kHex)
                       .derived("it marks the format"),
                   field(0x02, "opaque02", &Header::opaque02, FieldStatus::kOpaque).noted("zero in everything seen"),
                   field(0x04, "type_word", &Header::type_word, FieldStatus::kConsumerInferred)
                       .shown_as(Display::kHex)
                       .noted("the class of the unit; the top bit marks buildings"));

inline constexpr auto kComponentRecord = record<Component>(
    "component", 112,
    field(0x00, "archive_name", &Component::archive_name, FieldStatus::kLayoutConfirmed)
        .noted("objects.rlb; bytes after the NUL are kept"),
    field(0x20, "resource_name", &Component::resource_name, FieldStatus::kLayoutConfirmed)
        .noted("the key of a prototype; bytes after the NUL are kept"),
    field(0x40, "kind", &Component::kind, FieldStatus::kLayoutConfirmed).noted("1 in both corpora"),
    field(0x44, "parent_or_link", &Component::parent_or_link, FieldStatus::kConsumerInferred)
        .noted("layout confirmed; -1 on the root, else a node or slot of the parent"),
    field(0x48, "description", &Component::description, FieldStatus::kLayoutConfirmed)
        .noted("may fill all 32 bytes without a NUL"),
    field(0x68, "tail0", &Component::tail0, FieldStatus::kOpaque)
        .noted("read as the class of the part: 0 chassis, 1 turret, 2 armour, 3 part, 4 gun, 5 ammunition"),
    field(0x6C, "tail1", &Component::tail1, FieldStatus::kOpaque)
        .noted("read as the number of direct children in a depth-first tree"));

inline constexpr auto kBindingRecord =
    record<Binding>("binding", 72,
                    field(0x00, "magic", &Binding::magic, FieldStatus::kConsumerInferred)
                        .shown_as(Display::kHex)
                        .derived("it marks the format"),
                    field(0x04, "flags", &Binding::flags, FieldStatus::kConsumerInferred).shown_as(Display::kHex),
                    field(0x08, "archive_name", &Binding::archive_name, FieldStatus::kConsumerInferred),
                    field(0x28, "model_name", &Binding::model_name, FieldStatus::kConsumerInferred));

// A parsed unit. Views refer to the bytes it was parsed from.
class UnitDat final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/unit_dat.md in their order. Cost: O(components).
  [[nodiscard]] static Result<UnitDat> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] const Records<kComponentRecord>& components() const { return components_; }
  // The binding of a file in the short form, where `legacy_unit_binding` is enabled.
  [[nodiscard]] const std::optional<Binding>& binding() const { return binding_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  UnitDat(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  Header header_{};
  Records<kComponentRecord> components_;
  std::optional<Binding> binding_;
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::unit_dat
