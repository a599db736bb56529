#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/base/accounting.h"
#include "parsers/base/byte_reader.h"
#include "parsers/base/findings.h"
#include "parsers/base/limits.h"
#include "parsers/base/record.h"
#include "parsers/base/result.h"

// What every format offers to the rest of the house. A format folder implements these; nobody above it needs to know
// which format an item has.
namespace assay {

class DecodeScratch;

// What is known of an item besides its bytes. Views must outlive what is made of them.
struct ItemHints {
  // The file name without folders, or the entry's name; raw bytes.
  Bytes name{};
  // The folders that the file lies in, as far as the caller knows them, separated by '/'. Empty for entries.
  Bytes folder{};
  // Type tag and attributes 1 to 3 of its directory row, where the archive has them.
  std::optional<std::uint32_t> type_tag{};
  std::optional<std::array<std::uint32_t, 3>> attributes{};
  // A file of its own, not an entry.
  bool is_file = false;

  // The hints about a file from its path, with '/' between folders.
  [[nodiscard]] static ItemHints of_file(Bytes path);
  // The name where it is that of a file, else empty; what rules ask for.
  [[nodiscard]] Bytes file_name() const { return is_file ? name : Bytes{}; }
};

// Everything a parse may depend on besides the bytes.
struct ParseContext {
  Limits limits{};
  RuleSet rules{};
  Origin origin{};
  // Must outlive the parsed document.
  ItemHints hints{};
  // Whether the last six bytes of an RsLi archive may be an AO overlay (docs/formats/decisions.md, 8).
  bool apply_overlay = true;
  // Whether zlib confirms what libdeflate decodes (docs/formats/decisions.md, 15).
  bool confirm_deflate = true;
};

// What a directory says of one member. Views point into the document or the archive's bytes and live as long as both.
struct Member {
  // The useful bytes of the name, without terminator or tail.
  Bytes name{};
  // The stored bytes, local to the archive, and the size they decode to.
  std::uint64_t offset = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  // Why the payload cannot be read, or null.
  const Diagnostic* error = nullptr;
  // What the format has of these; nothing where it has none.
  std::optional<std::uint32_t> type_id{};
  std::optional<std::array<std::uint32_t, 3>> attributes{};
  std::optional<std::uint16_t> flags{};
  std::optional<std::int64_t> sort{};
  std::string_view method = "stored";
  // The name of what the archive's own format reads the member as, e.g. "msh.positions"; empty where members are items
  // of any format.
  std::string_view claimed_as{};
  // The directory row: its table, its local offset, and its bytes as they read.
  const RecordInfo* row_record = nullptr;
  std::uint64_t row_offset = 0;
  Bytes row{};

  [[nodiscard]] ItemHints hints() const { return {.name = name, .type_tag = type_id, .attributes = attributes}; }
};

// The archive side of a document.
class Container {
 public:
  virtual ~Container() = default;
  [[nodiscard]] virtual std::size_t member_count() const = 0;
  // Requires: index < member_count(). Cost: O(1), no allocation.
  [[nodiscard]] virtual Member member(std::size_t index) const = 0;
  // The decoded payload: a view into the archive's bytes where it is stored as it is, else a view into `scratch`, valid
  // until its next use. Notes and strict findings about the payload go to `findings` with the entry's index. Errors:
  // the member's own error, or what its decoder refuses. Requires: index < member_count(). Cost: O(packed + size).
  [[nodiscard]] virtual Result<Bytes> load(std::size_t index, DecodeScratch& scratch, Findings& findings) const = 0;
  // What the engine's lookup of `query` gives: by sort map where that is sound, else linear. Cost: O(log n) or O(n).
  [[nodiscard]] virtual std::optional<std::size_t> find(Bytes query) const = 0;
  // The same by a search in directory order alone; the oracle of the other. Cost: O(n).
  [[nodiscard]] virtual std::optional<std::size_t> find_linear(Bytes query) const = 0;
  // Whether find() goes by the sort map.
  [[nodiscard]] virtual bool uses_sort_map() const = 0;
};

// A countable fact about a document: a key (a field path where it is one) and its value.
using DocumentFact = std::pair<std::string, std::string>;

// A parsed item. Refers to the bytes it was parsed from, which must outlive it; holds copies only of what is decoded.
class Document {
 public:
  virtual ~Document() = default;
  // Writes the item again from what was parsed: the same bytes, whatever they were. Cost: O(size).
  [[nodiscard]] virtual Buffer write() const = 0;
  // The canonical form. For what is no container: the same as write(). Errors: kNotEditable where entries cannot be
  // read.
  [[nodiscard]] virtual Result<Buffer> canonical() const = 0;
  // What every byte is. The map is not closed yet; views in it live as long as this document. Cost: O(parts).
  [[nodiscard]] virtual ByteMap account() const = 0;
  [[nodiscard]] virtual std::vector<DocumentFact> facts() const = 0;
  // This document as an archive, or null.
  [[nodiscard]] virtual const Container* container() const { return nullptr; }
};

// A new member's packing, for formats that pack. The name is one of `ls --json`'s methods.
struct AddOptions {
  std::string_view method = "stored";
};

// Changes an archive in memory and writes it again, losing nothing that was not edited.
//
// Entries are addressed by their index at the time of the call. Views that are passed in must live until build(). A
// refused call changes nothing. Requires of every `index`: index < entry_count().
class Editor {
 public:
  virtual ~Editor() = default;
  [[nodiscard]] virtual std::size_t entry_count() const = 0;
  // What is known of an entry's payload from its row. The views are valid until the next call that changes something.
  [[nodiscard]] virtual ItemHints entry_hints(std::size_t index) const = 0;
  [[nodiscard]] Bytes entry_name(std::size_t index) const { return entry_hints(index).name; }
  // Which entry of the archive as it was opened still has the payload that entry `index` has; nothing where it is new.
  [[nodiscard]] virtual std::optional<std::size_t> original_of(std::size_t index) const = 0;
  // The decoded payload as it stands now; a view into the archive, the editor, or `scratch`.
  [[nodiscard]] virtual Result<Bytes> payload(std::size_t index, DecodeScratch& scratch) const = 0;
  [[nodiscard]] virtual Result<void> replace(std::size_t index, Bytes payload) = 0;
  // Errors: kNameTooLong, kNameContainsNul.
  [[nodiscard]] virtual Result<void> rename(std::size_t index, Bytes name) = 0;
  [[nodiscard]] virtual Result<void> add(Bytes name, Bytes payload, const AddOptions& options) = 0;
  [[nodiscard]] virtual Result<void> remove(std::size_t index) = 0;
  // Sets the field `field_name` of the row of entry `index`, or of the header when there is no index. Errors:
  // kNoSuchField, kDerivedField, kInvalidValue and what rename() refuses.
  [[nodiscard]] virtual Result<void> set_field(std::optional<std::size_t> index, std::string_view field_name,
                                               std::string_view value) = 0;
  // Brings header fields that only repeat facts into step, if they were in step before.
  virtual void sync_header() = 0;
  // The edited archive. Errors: kNotEditable where the layout has to change but entries overlap or cannot be read;
  // kIntegerOverflow past 32-bit offsets; kInvalidEntryCount past the format's count.
  [[nodiscard]] virtual Result<Buffer> build() const = 0;
  // What the user should know about the edits so far, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
};

// Names that claim a format. `pattern` is lower case; a `*` at one of its ends stands for anything. ASCII case is
// ignored.
struct NamePattern {
  std::string_view pattern;
  // Only for files of their own, not for entries of an archive.
  bool files_only = false;
  // Only for entries of an archive, not for files of their own.
  bool entries_only = false;
  // Lower case; one of the folders that the file lies in has to have this name. Empty: any.
  std::string_view folder{};
};

// One format, as a plain table of what it is and how to read it.
struct Format {
  std::string_view id{};
  std::string_view title{};
  // The page in docs/formats.
  std::string_view documentation{};
  // The format whose files this one gives a meaning to, e.g. "nres" for models; empty for formats of their own. Where
  // that one's magic claims an item, this one is asked by tag, name and probe.
  std::string_view refines{};
  std::span<const RecordInfo> records{};
  // Detection, in the order of docs/formats/README.md: magic, type tags, names, structural probe.
  bool (*has_magic)(Bytes bytes) = nullptr;
  std::span<const std::uint32_t> type_tags{};
  std::span<const NamePattern> name_patterns{};
  bool (*probe)(Bytes bytes) = nullptr;
  // Parses. The first hard violation in the documented order is the error; what does not stop goes to `findings`. The
  // bytes and the context's file name must outlive the document.
  Result<std::unique_ptr<Document>> (*parse)(Bytes bytes, const ParseContext& context, Findings& findings) = nullptr;
  // Opens an editor on a document that parse() of this format gave; the document must outlive it. Null: no editor.
  Result<std::unique_ptr<Editor>> (*edit)(const Document& document) = nullptr;
};

}  // namespace assay
