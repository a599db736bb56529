#include "golden/store.h"

#include <limits>
#include <set>
#include <utility>

namespace assay::golden {
namespace {

std::int64_t insert_campaign(const Database& database, const FuzzCampaign& campaign) {
  Statement insert(database,
                   "INSERT INTO fuzz_campaign(target, engine, started_at, seconds, executions, features, edges, "
                   "corpus_units, new_units, line_percent) VALUES(?,?,?,?,?,?,?,?,?,?) RETURNING id");
  insert.bind(1, campaign.target);
  insert.bind(2, campaign.engine);
  insert.bind(3, campaign.started_at);
  insert.bind_real(4, campaign.seconds);
  insert.bind_size(5, campaign.executions);
  insert.bind_size(6, campaign.features);
  insert.bind_size(7, campaign.edges);
  insert.bind_size(8, campaign.corpus_units);
  insert.bind_size(9, campaign.new_units);
  if (campaign.line_percent) {
    insert.bind_real(10, *campaign.line_percent);
  } else {
    insert.bind_null(10);
  }
  if (!insert.step()) {
    database.fail_damaged("a campaign was inserted and got no number");
  }
  return insert.integer(0);
}

// What is known keeps its first campaign and reproducer.
void insert_crash(const Database& database, const FuzzCampaign& campaign, FuzzCrash& crash) {
  Statement insert(database,
                   "INSERT INTO fuzz_crash(target, kind, frames, reproducer, first_campaign, last_campaign) "
                   "VALUES(?1,?2,?3,?4,?5,?5) ON CONFLICT(target, kind, frames) DO UPDATE SET last_campaign = ?5 "
                   "RETURNING first_campaign, reproducer");
  insert.bind(1, campaign.target);
  insert.bind(2, crash.kind);
  insert.bind(3, crash.frames);
  insert.bind(4, crash.reproducer);
  insert.bind(5, campaign.id);
  if (!insert.step()) {
    database.fail_damaged("a crash was inserted and is not there");
  }
  crash.is_new = insert.integer(0) == campaign.id;
  crash.reproducer = insert.text(1);
}

// Kind and frames are what a crash is.
void keep_first_of_each(std::vector<FuzzCrash>& crashes) {
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(crashes, [&](const FuzzCrash& crash) { return !seen.emplace(crash.kind, crash.frames).second; });
}

std::vector<FuzzCrash> crashes_of(const Database& database, const FuzzCampaign& campaign) {
  Statement query(
      database, "SELECT kind, frames, reproducer, first_campaign FROM fuzz_crash WHERE last_campaign = ? ORDER BY id");
  query.bind(1, campaign.id);
  std::vector<FuzzCrash> crashes;
  while (query.step()) {
    crashes.push_back({std::string(query.text(0)), std::string(query.text(1)), std::string(query.text(2)),
                       query.integer(3) == campaign.id});
  }
  return crashes;
}

}  // namespace

std::uint64_t FuzzCampaign::per_second() const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!(seconds > 0)) {
    return 0;
  }
  const double rate = static_cast<double>(executions) / seconds;
  return rate >= static_cast<double>(kMost) ? kMost : static_cast<std::uint64_t>(rate);
}

void Store::record_campaigns(std::span<FuzzCampaign> campaigns) {
  WriteTransaction transaction(*database_);
  for (FuzzCampaign& campaign : campaigns) {
    campaign.id = insert_campaign(*database_, campaign);
    keep_first_of_each(campaign.crashes);
    for (FuzzCrash& crash : campaign.crashes) {
      insert_crash(*database_, campaign, crash);
    }
  }
  transaction.commit();
}

std::vector<FuzzCampaign> Store::campaigns() const {
  Statement query(*database_,
                  "SELECT id, target, engine, started_at, seconds, executions, features, edges, corpus_units, "
                  "new_units, line_percent FROM fuzz_campaign ORDER BY id");
  std::vector<FuzzCampaign> campaigns;
  while (query.step()) {
    FuzzCampaign campaign{.id = query.integer(0),
                          .target = std::string(query.text(1)),
                          .engine = std::string(query.text(2)),
                          .started_at = std::string(query.text(3)),
                          .seconds = query.real(4),
                          .executions = query.size(5),
                          .features = query.size(6),
                          .edges = query.size(7),
                          .corpus_units = query.size(8),
                          .new_units = query.size(9)};
    if (!query.is_null(10)) {
      campaign.line_percent = query.real(10);
    }
    campaign.crashes = crashes_of(*database_, campaign);
    campaigns.push_back(std::move(campaign));
  }
  return campaigns;
}

}  // namespace assay::golden
