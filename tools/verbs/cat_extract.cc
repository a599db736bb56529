#include <algorithm>

#include <fmt/format.h>

#include "golden/scan/corpus.h"
#include "parsers/base/escape.h"
#include "parsers/resource/address.h"
#include "tools/console.h"
#include "tools/files.h"
#include "tools/reading.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct CatOptions {
  std::string item;
  ReadingOptions reading;
};

ExitStatus run_cat(const CatOptions& options) {
  const OpenedItem item(options.item, options.reading, OpenedItem::Depth::kBytesOnly);
  print_bytes(item.bytes());
  return tell_doubts(item);
}

struct ExtractOptions {
  std::string archive;
  std::vector<std::string> entries;
  std::string folder;
  ReadingOptions reading;
  bool force = false;
};

// Each entry once, however often it was named.
std::vector<std::size_t> chosen_members(const Container& container, const ExtractOptions& options) {
  std::vector<std::size_t> chosen;
  for (const std::string& entry : options.entries) {
    const auto index = find_member(container, entry);
    if (!index) {
      throw CannotWork(no_entry_text(golden::display_path(options.archive), entry, container.member_count()));
    }
    if (std::ranges::find(chosen, *index) == chosen.end()) {
      chosen.push_back(*index);
    }
  }
  if (options.entries.empty()) {
    for (std::size_t index = 0; index < container.member_count(); ++index) {
      chosen.push_back(index);
    }
  }
  return chosen;
}

ExitStatus run_extract(const ExtractOptions& options) {
  const OpenedItem item(options.archive, options.reading);
  const Container& container = item.container();
  const std::vector<std::size_t> chosen = chosen_members(container, options);
  ExtractionFolder folder(options.folder, options.force);
  // All names first, so that an existing file is refused before anything is written.
  std::vector<std::string> file_names;
  for (const std::size_t index : chosen) {
    file_names.push_back(folder.take_name(container.member(index).name, index));
  }
  const std::vector<std::string> addresses = member_addresses(container);
  DecodeScratch scratch;
  ExitStatus status = tell_doubts(item);
  for (std::size_t number = 0; number < chosen.size(); ++number) {
    const std::size_t index = chosen[number];
    const std::string& address = addresses[index];
    Findings findings;
    const auto payload = container.load(index, scratch, findings);
    if (!payload) {
      message(diagnostic_text(options.archive, address, payload.error()));
      status = ExitStatus::kFindings;
      continue;
    }
    if (const auto error = first_failure(findings)) {
      message(diagnostic_text(options.archive, address, *error));
      status = ExitStatus::kFindings;
    }
    folder.write(file_names[number], *payload);
    print(fmt::format("{}  {}{}\n", file_names[number], counted(payload->size(), "byte"),
                      file_names[number] == address ? "" : "  from " + address));
  }
  return status;
}

}  // namespace

void add_cat(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<CatOptions>();
  CLI::App* verb = app.add_subcommand("cat", "write the decoded payload of an entry to stdout");
  verb->footer("  assay cat sprites.lib::COCKPIT.TEX > cockpit.tex\n  assay cat static.rlb::model.msh::#0 | xxd");
  verb->add_option("ITEM", options->item, "FILE::ENTRY[::ENTRY]...")->required();
  add_reading_options(*verb, options->reading, "compatible");
  choose(*verb, chosen, options, run_cat);
}

void add_extract(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<ExtractOptions>();
  CLI::App* verb = app.add_subcommand("extract", "write decoded payloads into a folder");
  verb->footer(
      "Never writes outside the folder: characters that could lead elsewhere, or that a file system forbids, become "
      "%NN; links in\n"
      "the folder are not followed; names that are equal but for case get ~INDEX. An existing file is refused unless "
      "--force.\n"
      "  assay extract sprites.lib -o out\n  assay extract sprites.lib COCKPIT.TEX LOGO.TEX -o out");
  verb->add_option("ARCHIVE", options->archive, "an archive, or FILE::ENTRY for one inside it")->required();
  verb->add_option("ENTRY", options->entries, "names or #INDEX; none is all");
  verb->add_option("-o,--output", options->folder, "the folder; made when missing")->required()->type_name("DIR");
  verb->add_flag("--force", options->force, "replace existing files");
  add_reading_options(*verb, options->reading, "compatible");
  choose(*verb, chosen, options, run_extract);
}

}  // namespace assay::tools
