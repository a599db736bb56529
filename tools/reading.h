#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "golden/scan/corpus.h"
#include "golden/scan/walk.h"
#include "parsers/formats/catalogue.h"
#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/format.h"
#include "tools/console.h"
#include "tools/exit_status.h"

namespace CLI {
class App;
}

// How a file or an entry inside it is read for the verbs that look at one item.
namespace assay::tools {

// The options that say how to read, shared by many verbs.
struct ReadingOptions {
  std::string profile;
  std::vector<std::string> enabled_rules;
  std::vector<std::string> disabled_rules;
  std::string overlay = "on";
  bool no_confirm = false;

  [[nodiscard]] RuleSet rules() const;
  // The rules by name, separated by commas, for the record of a run.
  [[nodiscard]] std::string rules_text() const;
  [[nodiscard]] golden::WalkOptions walk_options() const;
};

// Adds --profile, --rule, --no-rule, --overlay and --no-confirm.
void add_reading_options(CLI::App& app, ReadingOptions& options, const std::string& default_profile);

// An item that an address leads to, with everything that has to live while it is looked at.
class OpenedItem {
 public:
  // Opens `FILE` or `FILE::ENTRY[::ENTRY]...`. Throws CannotWork where the file is missing, an entry is not there, or
  // what should hold an entry is no archive; ReadingRefused where an archive on the way is refused. With kBytesOnly the
  // item itself is not parsed, so that a damaged one can be had too.
  enum class Depth : std::uint8_t { kParsed, kBytesOnly };
  OpenedItem(const std::string& address, const ReadingOptions& options, Depth depth = Depth::kParsed);
  ~OpenedItem() = default;
  OpenedItem(const OpenedItem&) = delete;
  OpenedItem& operator=(const OpenedItem&) = delete;

  // As it was asked for: the file, and the steps inside it.
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::vector<std::string>& steps() const { return steps_; }
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  // Where the item is in the file, and which format claims it (null: none).
  [[nodiscard]] const Origin& origin() const { return origin_; }
  [[nodiscard]] const Format* format() const { return format_; }
  // Null when no format claims the item.
  [[nodiscard]] const Document* document() const { return document_; }
  // The document as an archive. Throws CannotWork with the address of what is none.
  [[nodiscard]] const Container& container() const;
  // What is wrong with an entry on the way, each as a message, although it decoded to the bytes that are here.
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }
  // What parsing the item itself gave.
  [[nodiscard]] const Findings& findings() const { return findings_; }
  [[nodiscard]] ParseContext context() const;

 private:
  // What refines an archive format and is refused is still such an archive to whoever only passes through.
  enum class Refused : std::uint8_t { kThrows, kIsItsBase };
  void look(Refused refused);
  // "FILE" or "FILE::ENTRY", as far as the steps have led.
  [[nodiscard]] std::string shown_address() const;
  void step_into(const std::string& step);

  std::string file_;
  std::vector<std::string> steps_;
  // How many of the steps led into `bytes_`.
  std::size_t steps_done_ = 0;
  ParseContext context_;
  std::string file_path_;
  golden::FileBytes file_bytes_;
  Bytes bytes_;
  Origin origin_;
  ItemHints hints_;
  const Format* format_ = nullptr;
  const Document* document_ = nullptr;
  Findings findings_;
  std::vector<std::string> doubts_;
  std::vector<std::unique_ptr<Document>> documents_;
  std::deque<DecodeScratch> scratches_;
};

// The first finding that makes an item fail which could be read nevertheless, or nothing.
[[nodiscard]] std::optional<Diagnostic> first_failure(const Findings& findings);

// Says the doubts about an item; kFindings where there is one.
[[nodiscard]] ExitStatus tell_doubts(const OpenedItem& item);

// An input on the way was refused: a finding, not a usage error. Ends with exit status 1.
struct ReadingRefused final : std::runtime_error {
  ReadingRefused(const std::string& text, const Diagnostic& why) : std::runtime_error(text), diagnostic(why) {}

  Diagnostic diagnostic;
};

// The bytes of a file that is to be parsed. Throws CannotWork, and ReadingRefused for one beyond the limits before it
// is read.
[[nodiscard]] golden::FileBytes read_resource(const std::string& file, const Limits& limits);

// Splits an address at the first "::" in front of which a file is named, unless the whole of it names one; where
// nothing is there, at the first.
[[nodiscard]] std::pair<std::string, std::vector<std::string>> split_file_address(const std::string& address);

// "FILE: no entry 'E'; it has 3 entries, `assay ls` lists them".
[[nodiscard]] std::string no_entry_text(const std::string& file, std::string_view entry, std::size_t entry_count);

// "CODE at offset 0x40, field F: MESSAGE", the field where there is one; as an object null for none.
[[nodiscard]] std::string diagnostic_text(const Diagnostic& diagnostic);
[[nodiscard]] Json diagnostic_json(const std::optional<Diagnostic>& diagnostic);
// The same after "FILE: " or "FILE: entry E: ".
[[nodiscard]] std::string diagnostic_text(const std::string& file, const std::string& entry,
                                          const Diagnostic& diagnostic);

}  // namespace assay::tools
