#include <fmt/format.h>

#include <algorithm>

#include "golden/fuzz/campaign_line.h"
#include "golden/store.h"
#include "golden/strict_json.h"
#include "tools/console.h"
#include "tools/files.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct FuzzOptions {
  std::string database;
  std::string file;
  bool json = false;
};

std::vector<golden::FuzzCampaign> read_campaigns(const std::string& file) {
  const golden::FileBytes bytes = read_file(file);
  std::string_view text = as_text(bytes.bytes());
  std::vector<golden::FuzzCampaign> campaigns;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    try {
      campaigns.push_back(golden::parse_campaign_line(line));
    } catch (const golden::JsonError& wrong) {
      throw CannotWork(fmt::format("{}:{}: is no campaign: {}", file, campaigns.size() + 1, wrong.what()));
    }
  }
  if (campaigns.empty()) {
    throw CannotWork(file + ": holds no campaign");
  }
  return campaigns;
}

void print_campaign(const golden::FuzzCampaign& campaign, bool json) {
  if (json) {
    print(golden::campaign_line(campaign) + '\n');
    return;
  }
  const std::string lines = campaign.line_percent ? fmt::format("{:.1f} % of lines", *campaign.line_percent) : "-";
  std::string text =
      fmt::format("{:>5}  {}  {:<16}  {:<9}  {:>6.0f} s  {:>10} runs  {:>7}/s  {:>6} edges  {:>5} units  {}\n",
                  campaign.id, campaign.started_at, campaign.target, campaign.engine, campaign.seconds,
                  campaign.executions, campaign.per_second(), campaign.edges, campaign.corpus_units, lines);
  for (const golden::FuzzCrash& crash : campaign.crashes) {
    text += fmt::format("       {} crash  {}  in {}: {}\n", crash.is_new ? "new" : "known", crash.kind, crash.frames,
                        crash.reproducer);
  }
  print_shown(text);
}

ExitStatus run_record(const FuzzOptions& options) {
  // Read as a whole and recorded as a whole, before anything is printed: a broken file records nothing, and a full disk
  // at the other end of stdout does not cut the list.
  std::vector<golden::FuzzCampaign> campaigns = read_campaigns(options.file);
  golden::Store store = golden::Store::open(options.database, golden::Store::Mode::kReadWriteCreate);
  store.record_campaigns(campaigns);
  bool crashed = false;
  for (const golden::FuzzCampaign& campaign : campaigns) {
    print_campaign(campaign, options.json);
    crashed = crashed || !campaign.crashes.empty();
  }
  return crashed ? ExitStatus::kFindings : ExitStatus::kFine;
}

ExitStatus run_list(const FuzzOptions& options) {
  const golden::Store store = golden::Store::open(options.database, golden::Store::Mode::kReadOnly);
  for (const golden::FuzzCampaign& campaign : store.campaigns()) {
    print_campaign(campaign, options.json);
  }
  return ExitStatus::kFine;
}

}  // namespace

void add_fuzz(CLI::App& app, ChosenVerb& chosen) {
  CLI::App* fuzz = app.add_subcommand("fuzz", "record and list what fuzzing did and found");
  fuzz->require_subcommand(1);
  auto recorded = std::make_shared<FuzzOptions>();
  CLI::App* record = fuzz->add_subcommand("record", "record campaigns that ci/nightly reports");
  record->footer(
      "FILE holds one JSON object a campaign and line. Crashes are faults: the same kind and frames in a target are\n"
      "one, and new once. Exit status 1 when a campaign has a crash. What `list --json` prints can be recorded in "
      "another\n"
      "database, which numbers it anew.\n"
      "  assay fuzz record build/nightly/campaigns.jsonl --db is.db");
  record->add_option("FILE", recorded->file, "the campaigns")->required();
  record->add_option("--db", recorded->database, "the database, made where there is none")
      ->required()
      ->type_name("FILE");
  record->add_flag("--json", recorded->json, "one JSON object a campaign");
  choose(*record, chosen, recorded, run_record);
  auto listed = std::make_shared<FuzzOptions>();
  CLI::App* list = fuzz->add_subcommand("list", "list the campaigns of a database");
  list->footer(
      "A crash stands under the last campaign that showed it.\n"
      "  assay fuzz list --db is.db");
  list->add_option("--db,DB", listed->database, "the database")->required()->type_name("FILE");
  list->add_flag("--json", listed->json, "one JSON object a campaign");
  choose(*list, chosen, listed, run_list);
}

}  // namespace assay::tools
