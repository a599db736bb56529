#include <fmt/format.h>

#include "golden/scan/hash.h"
#include "parsers/base/escape.h"
#include "parsers/base/field_text.h"
#include "tools/console.h"
#include "tools/reading.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct LsOptions {
  std::string archive;
  ReadingOptions reading;
  bool json = false;
};

// One entry with its decoded hash, or why it has none.
struct Row {
  Member member;
  std::optional<golden::Sha256> sha256;
  std::optional<Diagnostic> error;
};

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json attribute(const Member& member, std::size_t index) {
  return member.attributes ? Json((*member.attributes)[index]) : Json();
}

Json row_json(std::size_t index, const Row& row, const Origin& origin) {
  const Member& member = row.member;
  return {{"index", index},
          {"name", escape_bytes(member.name)},
          {"name_hex", to_hex(member.name)},
          {"type_id", or_null(member.type_id)},
          {"type", member.type_id ? Json(tag_text(*member.type_id)) : Json()},
          {"attr1", attribute(member, 0)},
          {"attr2", attribute(member, 1)},
          {"attr3", attribute(member, 2)},
          {"offset", origin.at(member.offset)},
          {"size", member.size},
          {"packed_size", member.packed_size},
          {"method", member.method.empty() ? Json() : Json(member.method)},
          {"flags", or_null(member.flags)},
          {"sort", or_null(member.sort)},
          {"sha256", row.sha256 ? Json(golden::hash_text(*row.sha256)) : Json()},
          {"error", diagnostic_json(row.error)}};
}

std::string row_text(std::size_t index, const Row& row, const Origin& origin) {
  const Member& member = row.member;
  const std::string name = member.name.empty() ? "#" + std::to_string(index) : escape_bytes(member.name);
  std::string line = fmt::format("{:>5}  {:<36}  {:<6}  {:>10}  {:>10}  {:>10}  {:<9}", index, name,
                                 member.type_id ? tag_text(*member.type_id) : "-", hex_offset(origin.at(member.offset)),
                                 member.packed_size, member.size, member.method.empty() ? "unknown" : member.method);
  line += "  " + (row.sha256 ? golden::hash_text(*row.sha256).substr(0, 16) : std::string("-"));
  if (row.error) {
    line += fmt::format("\n       {}  {} at {}, field {}: {}", colored(Severity::kError), code_text(row.error->code),
                        hex_offset(row.error->offset), row.error->field.to_text(), row.error->message());
  }
  return line;
}

ExitStatus run(const LsOptions& options) {
  const OpenedItem item(options.archive, options.reading);
  const Container& container = item.container();
  if (!options.json) {
    print(fmt::format("{:>5}  {:<36}  {:<6}  {:>10}  {:>10}  {:>10}  {:<9}  {}\n", "index", "name", "type", "offset",
                      "packed", "size", "method", "sha256"));
  }
  DecodeScratch scratch;
  golden::Hasher hasher;
  bool has_error = tell_doubts(item) != ExitStatus::kFine;
  for (std::size_t index = 0; index < container.member_count(); ++index) {
    Row row{.member = container.member(index), .sha256 = {}, .error = {}};
    Findings findings;
    if (const auto payload = container.load(index, scratch, findings)) {
      row.sha256 = hasher.hash(*payload);
      row.error = first_failure(findings);
    } else {
      row.error = payload.error();
    }
    has_error = has_error || row.error;
    if (options.json) {
      print_json(row_json(index, row, item.origin()));
    } else {
      print(row_text(index, row, item.origin()) + "\n");
    }
  }
  return has_error ? ExitStatus::kFindings : ExitStatus::kFine;
}

}  // namespace

void add_ls(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<LsOptions>();
  CLI::App* verb = app.add_subcommand("ls", "list the entries of an archive in directory order");
  verb->footer(
      "`packed` is the stored size, `size` the decoded one, `sha256` is of the decoded payload. Exit status 1 when an "
      "entry\n"
      "cannot be decoded.\n  assay ls sprites.lib --json\n  assay ls static.rlb::model.msh");
  verb->add_option("ARCHIVE", options->archive, "an archive, or FILE::ENTRY for one inside it")->required();
  add_reading_options(*verb, options->reading, "compatible");
  verb->add_flag("--json", options->json, "one JSON object an entry");
  choose(*verb, chosen, options, run);
}

}  // namespace assay::tools
