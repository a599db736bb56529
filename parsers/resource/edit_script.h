#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/formats/format.h"

// Edits as a user writes them, and their application through any depth of archives.
namespace assay {

// One edit. `target` leads from the outermost archive to the entry that is meant; for kAdd and kSet to the archive or
// item itself, so it may be empty.
struct EditStep {
  enum class Kind : std::uint8_t { kReplace, kRename, kAdd, kRemove, kSet };

  Kind kind = Kind::kSet;
  std::vector<std::string> target;
  // kRename, kAdd: the name, raw bytes. kSet: the field path, e.g. `entry[2].attr1`.
  std::string name{};
  // kSet: the value as `assay inspect` shows it.
  std::string value{};
  // kReplace, kAdd: the new payload.
  Buffer payload{};
  // kAdd: how to pack it, one of `ls --json`'s methods; empty for "stored".
  std::string method{};
};

// A field address split at its parts: `[ENTRY[::ENTRY]...]@FIELD=VALUE`. Nothing when `@` or `=` is missing or FIELD is
// empty. An entry whose name holds '@' or '=' is addressed by its index.
struct SetExpression {
  std::vector<std::string> target;
  std::string field;
  std::string value;
};
[[nodiscard]] std::optional<SetExpression> parse_set_expression(std::string_view text);

// `LEFT=RIGHT`, split at the first '='. Nothing when there is none or LEFT is empty.
struct Assignment {
  std::string left;
  std::string right;
};
[[nodiscard]] std::optional<Assignment> parse_assignment(std::string_view text);

struct EditedArchive {
  Buffer bytes;
  // What the user should know, one sentence each.
  std::vector<std::string> notes;
};

// Applies `steps` in order to the item `image` and gives the new bytes; `image` is not changed. Nested archives are
// unpacked, edited and packed again with the method they have. Errors: what the parsers and editors refuse;
// kNoSuchEntry, kNoSuchField, kNotAContainer. `failed_step` is then the index of the step, or steps.size() when the
// final build failed. Cost: each step O(size of the nested archives on its path), and one build of the outermost.
[[nodiscard]] Result<EditedArchive> apply_edits(Bytes image, const ParseContext& context,
                                                std::span<const EditStep> steps, bool sync_header,
                                                std::size_t& failed_step);

}  // namespace assay
