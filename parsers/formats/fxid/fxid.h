#pragma once

#include <array>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/plain_document.h"

// Effects: a header and a list of typed commands (docs/formats/fxid.md).
namespace assay::fxid {

struct Header {
  std::uint32_t command_count = 0;
  std::uint32_t time_mode = 0;
  float duration = 0;
  float jitter = 0;
  std::uint32_t flags = 0;
  std::uint32_t settings_id = 0;
  std::array<float, 3> random_shift{};
  std::array<float, 3> pivot{};
  std::array<float, 3> scale{};
};

struct Command {
  std::uint32_t opcode = 0;

  [[nodiscard]] std::uint32_t type() const { return opcode & 0xFF; }
  [[nodiscard]] bool is_flagged() const { return (opcode & 0x100) != 0; }
};

// The whole size of a command, its first word included, by type. Types are 1 to 10.
inline constexpr std::array<std::uint32_t, 11> kCommandBytes{0, 224, 148, 200, 204, 112, 4, 208, 248, 208, 208};

inline constexpr auto kHeaderRecord =
    record<Header>("header", 60,
                   field(0x00, "command_count", &Header::command_count, FieldStatus::kLayoutConfirmed)
                       .derived("it is the number of commands"),
                   field(0x04, "time_mode", &Header::time_mode, FieldStatus::kConsumerInferred),
                   field(0x08, "duration", &Header::duration, FieldStatus::kConsumerInferred),
                   field(0x0C, "jitter", &Header::jitter, FieldStatus::kConsumerInferred),
                   field(0x10, "flags", &Header::flags, FieldStatus::kConsumerInferred).shown_as(Display::kHex),
                   field(0x14, "settings_id", &Header::settings_id, FieldStatus::kConsumerInferred),
                   field(0x18, "random_shift", &Header::random_shift, FieldStatus::kConsumerInferred),
                   field(0x24, "pivot", &Header::pivot, FieldStatus::kConsumerInferred),
                   field(0x30, "scale", &Header::scale, FieldStatus::kConsumerInferred));

inline constexpr auto kCommandRecord =
    record<Command>("command", 4,
                    field(0x00, "opcode", &Command::opcode, FieldStatus::kLayoutConfirmed)
                        .shown_as(Display::kHex)
                        .derived("its low byte selects the size of the command")
                        .noted("bit 8 is a flag; what follows the word is opaque"));

// A parsed effect. Views refer to the bytes it was parsed from.
class Effect final : public PlainDocument {
 public:
  // Parses with the checks of docs/formats/fxid.md in their order. Cost: O(commands).
  [[nodiscard]] static Result<Effect> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const Header& header() const { return header_; }
  // How many commands there are of each type.
  [[nodiscard]] const std::array<std::uint32_t, kCommandBytes.size()>& type_counts() const { return type_counts_; }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;

 private:
  friend class Parser;
  Effect(Bytes image, ByteMap map) : PlainDocument(image, std::move(map)) {}

  Header header_{};
  std::array<std::uint32_t, kCommandBytes.size()> type_counts_{};
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::fxid
