#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "parsers/base/bytes.h"
#include "parsers/base/findings.h"

// The only place that prints: results to stdout, messages and progress to stderr.
namespace assay::tools {

using Json = nlohmann::ordered_json;

enum class ColorMode : std::uint8_t { kAuto, kAlways, kNever };

void set_color_mode(ColorMode mode);

// Result text and raw payload bytes to stdout. Throws CannotWork when it cannot be written.
void print(std::string_view text);
void print_bytes(Bytes bytes);
// The same for text that says what a file or a user said: what no terminal should get is escaped, line ends stay.
void print_shown(std::string_view text);
// One JSON object on a line of its own. Text that is not UTF-8 is replaced, never an error.
void print_json(const Json& object);
// Throws CannotWork when anything printed so far did not reach its target.
void flush_output();

// "assay: TEXT" to stderr; what no terminal should get is escaped.
void message(std::string_view text);
// Overwrites one line on stderr; does nothing when that is no terminal. An empty text clears the line.
void progress(std::string_view text);

// A verdict or severity in its colour, when stdout shows colours.
[[nodiscard]] std::string colored(Verdict verdict);
[[nodiscard]] std::string colored(Severity severity);

// "1 file", "2 files".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural = {});
// "0x40"; "[0x40,0x52)".
[[nodiscard]] std::string hex_offset(std::uint64_t offset);
[[nodiscard]] std::string hex_range(std::uint64_t offset, std::uint64_t size);

// Becomes true at the first SIGINT or SIGTERM once this was called; the second one ends the process at once.
[[nodiscard]] const std::atomic<bool>& stop_on_signal();

}  // namespace assay::tools
