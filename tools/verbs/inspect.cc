#include <fmt/format.h>

#include "parsers/base/escape.h"
#include "parsers/base/field_text.h"
#include "tools/console.h"
#include "tools/items.h"
#include "tools/reading.h"
#include "tools/verbs/model_pose.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct InspectOptions {
  std::string item;
  ReadingOptions reading;
  PoseOptions pose;
  bool json = false;
};

// One line of the map: a field, or a run that is not split further.
struct Line {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string name;
  std::string value;
  std::string_view kind;
  std::string_view status;
  std::string note;
};

std::string run_value(Bytes bytes) {
  constexpr std::size_t kShownBytes = 16;
  const std::string hex = to_hex(bytes.first(std::min(bytes.size(), kShownBytes)));
  return bytes.size() > kShownBytes ? hex + "..." : hex;
}

template <typename Visit>
void visit_lines(const OpenedItem& item, const ByteMap& map, Visit visit) {
  for (const ByteRun& run : map.runs()) {
    if (run.record == nullptr) {
      const Bytes bytes = *slice(item.bytes(), run.offset, run.size);
      const std::string_view status =
          run.kind == ByteKind::kData ? field_status_text(FieldStatus::kLayoutConfirmed) : "";
      visit(Line{run.offset, run.size, run.path.to_text(), run_value(bytes), byte_kind_text(run.kind), status, ""});
      continue;
    }
    visit_fields(run, [&](const FieldView& field) {
      visit(Line{field.offset, field.raw.size(), field.path.to_text(), field_text(*field.info, field.raw), "field",
                 field_status_text(field.info->status), field.info->note});
    });
  }
}

void print_line(const Line& line, const Origin& origin, bool json) {
  if (json) {
    print_json({{"offset", line.offset},
                {"file_offset", origin.at(line.offset)},
                {"size", line.size},
                {"field", line.name},
                {"value", line.value},
                {"kind", line.kind},
                {"status", line.status.empty() ? Json() : Json(line.status)}});
    return;
  }
  print(fmt::format("{:>10}  {:>8}  {:<32}  {:<40}  {}{}{}\n", hex_offset(line.offset), line.size, line.name,
                    line.value, line.status.empty() ? line.kind : line.status, line.note.empty() ? "" : "; ",
                    line.note));
}

void print_shares(const ByteShares& shares, bool json) {
  if (json) {
    Json parts;
    for (const auto& [name, bytes] : shares.parts()) {
      parts[std::string(name)] = bytes;
    }
    parts["total"] = shares.total();
    print_json({{"accounting", parts}});
    return;
  }
  print(fmt::format("\nEvery byte, by what it is ({}):\n", counted(shares.total(), "byte")));
  for (const auto& [name, bytes] : shares.parts()) {
    const double percent =
        shares.total() == 0 ? 0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(shares.total());
    print(fmt::format("  {:<10}  {:>10}  {:5.1f} %\n", name, bytes, percent));
  }
}

void print_findings(const OpenedItem& item, bool json) {
  for (const Finding& finding : item.findings().list()) {
    const golden::ItemFinding shown = golden::to_item_finding(finding);
    if (json) {
      print_json({{"finding", finding_json(shown)}});
    } else {
      print(finding_line(shown) + "\n");
    }
  }
}

ByteMap map_of(const OpenedItem& item) {
  if (item.document() != nullptr) {
    return item.document()->account();
  }
  ByteMap map;
  map.add({.offset = 0, .size = item.bytes().size(), .kind = ByteKind::kOpaque, .path = "file"});
  return map;
}

ExitStatus run(const InspectOptions& options) {
  const OpenedItem item(options.item, options.reading);
  const ExitStatus doubts = tell_doubts(item);
  if (options.pose.wanted) {
    const ExitStatus posed = print_pose(item, options.item, options.pose, options.json);
    return posed == ExitStatus::kFine ? doubts : posed;
  }
  ByteMap map = map_of(item);
  if (const auto closed = map.close(item.bytes().size()); !closed) {
    throw ReadingRefused(diagnostic_text(item.file(), "", closed.error()), closed.error());
  }
  const std::string_view format = item.format() == nullptr ? "unknown" : item.format()->id;
  if (options.json) {
    print_json({{"item", golden::display_path(options.item)}, {"format", format}, {"size", item.bytes().size()}});
  } else {
    print(fmt::format("{}  {}, {}\n\n{:>10}  {:>8}  {:<32}  {:<40}  {}\n", golden::display_path(options.item), format,
                      counted(item.bytes().size(), "byte"), "offset", "size", "field", "value", "status"));
  }
  visit_lines(item, map, [&](const Line& line) { print_line(line, item.origin(), options.json); });
  print_findings(item, options.json);
  print_shares(map.shares(), options.json);
  return verdict_of(item.findings().list()) == Verdict::kFail ? ExitStatus::kFindings : doubts;
}

}  // namespace

void add_inspect(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* verb = app.add_subcommand("inspect", "show every byte of an item: field, value, and how sure it is");
  verb->footer(
      "Offsets count from the start of the item. A field's status is layout-confirmed, consumer-inferred or opaque; "
      "what is no\n"
      "field is data, payload, padding, gap, unindexed or opaque. The sums at the end cover every byte.\n"
      "  assay inspect palettes.lib\n  assay inspect static.rlb::model.msh --json\n"
      "  assay inspect static.rlb::model.msh --pose --time 2.5");
  verb->add_option("ITEM", options->item, "FILE or FILE::ENTRY[::ENTRY]...")->required();
  add_reading_options(*verb, options->reading, "compatible");
  add_pose_options(*verb, options->pose);
  verb->add_flag("--json", options->json, "one JSON object a field, or a node");
  choose(*verb, chosen, options, run);
}

}  // namespace assay::tools
