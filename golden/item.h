#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/base/findings.h"

// What a scan records: plain values, the same whether they come from a walk, a database or a manifest.
namespace assay::golden {

using Sha256 = std::array<std::uint8_t, 32>;

// A finding with its place spelled out.
struct ItemFinding {
  std::string code;
  Severity severity = Severity::kNote;
  // The rule that covers the deviation, or empty; whether it was enabled and used.
  std::string rule;
  bool applied = false;
  // Bytes from the start of the file (of the stored payload, inside decoded data).
  std::uint64_t offset = 0;
  std::string field;
  std::string message;

  friend bool operator==(const ItemFinding&, const ItemFinding&) = default;
};

// Something countable about an item, e.g. {"header.version", "256"}. Keys are unique in an item. A key that is a
// field path as `assay inspect` prints it stands for that field.
struct Fact {
  std::string key;
  std::string value;

  friend bool operator==(const Fact&, const Fact&) = default;
};

// The directory row that an entry was found through, as it reads (transformed tables undone).
struct DirectoryRow {
  // "FORMAT.RECORD", e.g. "nres.entry": names the record table that splits `bytes` into fields. Empty: no row.
  std::string record;
  std::uint64_t index = 0;
  // Bytes from the start of the file, as for findings.
  std::uint64_t offset = 0;
  Buffer bytes;

  friend bool operator==(const DirectoryRow&, const DirectoryRow&) = default;
};

// One file, or one entry inside it at any depth.
struct Item {
  // The address inside the file, `ENTRY` or `ENTRY::ENTRY`; empty for the file itself. Unique in the file.
  std::string entry;
  // The id of the format that claims it, or "unknown".
  std::string format;
  // The stored bytes: where they lie in the file (inside decoded data: where the stored payload lies) and how many.
  std::uint64_t offset = 0;
  std::uint64_t stored_size = 0;
  // The decoded size; equal to stored_size where nothing is packed.
  std::uint64_t size = 0;
  // Of the stored and of the decoded bytes; nothing where they could not be had.
  std::optional<Sha256> stored_sha256;
  std::optional<Sha256> sha256;
  Verdict verdict = Verdict::kOk;
  DirectoryRow row;
  std::vector<ItemFinding> findings;
  std::vector<Fact> facts;

  friend bool operator==(const Item&, const Item&) = default;
};

// Everything about one file: the file's own item first, then its entries in directory order, depth first.
struct FileResult {
  // Relative to the corpus, separated by '/', escaped where the bytes are not UTF-8.
  std::string path;
  std::vector<Item> items;
  // Taken from an earlier run instead of made from the bytes; says nothing about the items.
  bool is_reused = false;
};

// What stands between the entries of an address.
inline constexpr std::string_view kAddressSeparator = "::";

// Whether `entry` is an address inside `archive`, at any depth. Both as in Item::entry, so that everything but the file
// itself is inside the file.
[[nodiscard]] bool is_inside(std::string_view entry, std::string_view archive);

// How many items of each verdict, and bytes of files.
struct Totals {
  std::uint64_t items = 0;
  std::uint64_t ok = 0;
  std::uint64_t quirk = 0;
  std::uint64_t fail = 0;
  std::uint64_t unknown = 0;
  std::uint64_t bytes = 0;

  void count(const Item& item);
  friend bool operator==(const Totals&, const Totals&) = default;
};

// Gives file results one after the other, sorted by path (as bytes). The one shape in which runs, manifests and live
// scans are compared.
class FileSource {
 public:
  virtual ~FileSource() = default;
  // The next file, or nothing at the end. May throw what its store throws.
  [[nodiscard]] virtual std::optional<FileResult> next() = 0;
};

}  // namespace assay::golden
