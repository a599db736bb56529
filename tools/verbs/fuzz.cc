#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "golden/store.h"
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

// A count that was never below zero and has no fraction.
std::uint64_t count_of(const Json& campaign, const char* key) {
  const Json& value = campaign.at(key);
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost) {
    throw CannotWork(fmt::format("{} is {}, expected a count", key, value.dump()));
  }
  return value.get<std::uint64_t>();
}

double number_of(const Json& campaign, const char* key, double most) {
  const Json& value = campaign.at(key);
  if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= most)) {
    throw CannotWork(fmt::format("{} is {}, expected a number from 0 to {}", key, value.dump(), most));
  }
  return value.get<double>();
}

// One line of what a campaign reports; ci/nightly writes it. Throws Json::exception where a key is missing or of
// another type, and CannotWork where a value cannot be.
golden::FuzzCampaign parse_campaign(std::string_view line) {
  constexpr double kMostSeconds = 1e9;
  const Json json = Json::parse(line);
  golden::FuzzCampaign campaign{.target = json.at("target").get<std::string>(),
                                .engine = json.at("engine").get<std::string>(),
                                .started_at = json.at("started_at").get<std::string>(),
                                .seconds = number_of(json, "seconds", kMostSeconds),
                                .executions = count_of(json, "executions"),
                                .features = count_of(json, "features"),
                                .edges = count_of(json, "edges"),
                                .corpus_units = count_of(json, "corpus_units"),
                                .new_units = count_of(json, "new_units")};
  if (!json.at("line_percent").is_null()) {
    campaign.line_percent = number_of(json, "line_percent", 100);
  }
  if (!json.at("crashes").is_array()) {
    throw CannotWork("crashes is no list");
  }
  for (const Json& crash : json.at("crashes")) {
    campaign.crashes.push_back({.kind = crash.at("kind").get<std::string>(),
                                .frames = crash.at("frames").get<std::string>(),
                                .reproducer = crash.at("reproducer").get<std::string>()});
  }
  return campaign;
}

std::vector<golden::FuzzCampaign> read_campaigns(const std::string& file) {
  const golden::FileBytes bytes = read_file(file);
  std::string_view text = as_text(bytes.bytes());
  std::vector<golden::FuzzCampaign> campaigns;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    try {
      campaigns.push_back(parse_campaign(line));
    } catch (const std::runtime_error& wrong) {
      throw CannotWork(fmt::format("{}:{}: is no campaign: {}", file, campaigns.size() + 1, wrong.what()));
    } catch (const Json::exception& wrong) {
      throw CannotWork(fmt::format("{}:{}: is no campaign: {}", file, campaigns.size() + 1, wrong.what()));
    }
  }
  if (campaigns.empty()) {
    throw CannotWork(file + ": holds no campaign");
  }
  return campaigns;
}

Json crash_json(const golden::FuzzCrash& crash) {
  return {{"kind", crash.kind}, {"frames", crash.frames}, {"reproducer", crash.reproducer}, {"new", crash.is_new}};
}

void print_campaign(const golden::FuzzCampaign& campaign, bool json) {
  const std::uint64_t per_second = campaign.per_second();
  if (json) {
    Json crashes = Json::array();
    for (const golden::FuzzCrash& crash : campaign.crashes) {
      crashes.push_back(crash_json(crash));
    }
    print_json({{"campaign_id", campaign.id},
                {"target", campaign.target},
                {"engine", campaign.engine},
                {"started_at", campaign.started_at},
                {"seconds", campaign.seconds},
                {"executions", campaign.executions},
                {"per_second", per_second},
                {"features", campaign.features},
                {"edges", campaign.edges},
                {"corpus_units", campaign.corpus_units},
                {"new_units", campaign.new_units},
                {"line_percent", campaign.line_percent ? Json(*campaign.line_percent) : Json()},
                {"crashes", crashes}});
    return;
  }
  const std::string lines = campaign.line_percent ? fmt::format("{:.1f} % of lines", *campaign.line_percent) : "-";
  print(fmt::format("{:>5}  {}  {:<16}  {:<9}  {:>6.0f} s  {:>10} runs  {:>7}/s  {:>6} edges  {:>5} units  {}\n",
                    campaign.id, campaign.started_at, campaign.target, campaign.engine, campaign.seconds,
                    campaign.executions, per_second, campaign.edges, campaign.corpus_units, lines));
  for (const golden::FuzzCrash& crash : campaign.crashes) {
    print(fmt::format("       {} crash  {}  in {}: {}\n", crash.is_new ? "new" : "known", crash.kind, crash.frames,
                      crash.reproducer));
  }
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
      "one, and new once. Exit status 1 when a campaign has a crash.\n"
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
