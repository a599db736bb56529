#include "reports/render_sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "parsers/base/rules.h"
#include "reports/report_test_support.h"

namespace assay::reports {
namespace {

using Json = nlohmann::json;
using golden::FileResult;
using golden::test::sample_file;
using golden::test::VectorSource;
using test::broken_file;
using test::kHostile;
using test::kHostileShown;
using test::quirky_file;
using test::run_record;
using ::testing::ElementsAre;

std::string text_of(const std::vector<FileResult>& files, const std::optional<std::vector<FileResult>>& before = {},
                    std::int64_t run_id = 2, const std::string& corpus = "/games/IS") {
  VectorSource source(files);
  golden::RunRecord run = run_record(run_id, files);
  run.info.corpus = corpus;
  if (!before) {
    return sarif_json(run, source, std::nullopt);
  }
  VectorSource source_before(*before);
  const golden::RunRecord record_before = run_record(1, *before);
  return sarif_json(run, source, Comparison{record_before, source_before});
}

Json run_of(const std::vector<FileResult>& files, const std::optional<std::vector<FileResult>>& before = {}) {
  return Json::parse(text_of(files, before))["runs"][0];
}

// Walks a value as the schema of SARIF 2.1.0 does: which properties an object may have, which it must have, and of what
// type they are. Holds the part of the schema that we write; anything else is refused.
class SchemaWalk {
 public:
  std::string problem;

  void log(const Json& value) {
    object(value, "log", {"version", "runs"}, {"$schema"});
    must(value.at("version") == "2.1.0", "version");
    must(value.at("runs").size() == 1, "one run");
    for (const Json& run : value.at("runs")) {
      this->run(run);
    }
  }

 private:
  void fail(const std::string& what) {
    if (problem.empty()) {
      problem = what;
    }
  }

  void must(bool holds, const std::string& what) {
    if (!holds) {
      fail("expected " + what);
    }
  }

  void object(const Json& value, const std::string& name, const std::set<std::string>& required,
              const std::set<std::string>& allowed) {
    if (!value.is_object()) {
      fail(name + " is no object");
      return;
    }
    for (const std::string& key : required) {
      if (!value.contains(key)) {
        fail(name + " lacks " + key);
      }
    }
    for (const auto& [key, unused] : value.items()) {
      if (!required.contains(key) && !allowed.contains(key)) {
        fail(name + " has " + key);
      }
    }
  }

  void run(const Json& value) {
    object(value, "run", {"tool", "results"}, {"invocations", "originalUriBaseIds", "properties"});
    object(value.at("tool"), "tool", {"driver"}, {});
    object(value.at("tool").at("driver"), "driver", {"name", "version", "rules"}, {});
    std::set<std::string> ids;
    for (const Json& rule : value.at("tool").at("driver").at("rules")) {
      object(rule, "rule", {"id"}, {"shortDescription", "fullDescription", "help", "properties"});
      for (const char* text : {"shortDescription", "fullDescription", "help"}) {
        if (rule.contains(text)) {
          message(rule.at(text));
        }
      }
      must(ids.insert(rule.at("id")).second, "rules that differ");
    }
    for (const Json& invocation : value.at("invocations")) {
      object(invocation, "invocation", {"executionSuccessful"}, {"startTimeUtc", "endTimeUtc"});
      must(invocation.at("executionSuccessful").is_boolean(), "executionSuccessful that is a truth value");
    }
    for (const auto& [name, base] : value.at("originalUriBaseIds").items()) {
      object(base, name, {}, {"uri", "description"});
      must(!base.contains("uri") || base.at("uri").get<std::string>().ends_with('/'), "a base that ends in a slash");
    }
    for (const Json& result : value.at("results")) {
      this->result(result, value);
    }
  }

  void result(const Json& value, const Json& run) {
    object(value, "result", {"message", "ruleId", "ruleIndex", "level", "locations", "partialFingerprints"},
           {"baselineState", "properties"});
    message(value.at("message"));
    const Json& rules = run.at("tool").at("driver").at("rules");
    if (value.at("ruleIndex") >= rules.size() ||
        rules.at(value.at("ruleIndex").get<std::size_t>()).at("id") != value.at("ruleId")) {
      fail("ruleIndex and ruleId differ");
    }
    one_of(value.at("level"), {"none", "note", "warning", "error"});
    if (value.contains("baselineState")) {
      one_of(value.at("baselineState"), {"new", "unchanged", "updated", "absent"});
    }
    for (const auto& [name, fingerprint] : value.at("partialFingerprints").items()) {
      must(fingerprint.is_string(), "fingerprints that are texts");
    }
    must(value.at("locations").size() == 1, "one location");
    location(value.at("locations").at(0), run.at("originalUriBaseIds"));
  }

  void location(const Json& value, const Json& bases) {
    object(value, "location", {"physicalLocation", "logicalLocations"}, {});
    const Json& physical = value.at("physicalLocation");
    object(physical, "physicalLocation", {"artifactLocation", "region"}, {});
    object(physical.at("artifactLocation"), "artifactLocation", {"uri", "uriBaseId"}, {});
    must(bases.contains(physical.at("artifactLocation").at("uriBaseId").get<std::string>()), "a known base");
    object(physical.at("region"), "region", {"byteOffset"}, {});
    must(physical.at("region").at("byteOffset").is_number_unsigned(), "an offset that is a number");
    must(value.at("logicalLocations").is_array(), "a list of logical locations");
    for (const Json& logical : value.at("logicalLocations")) {
      object(logical, "logicalLocation", {"fullyQualifiedName", "kind"}, {});
    }
  }

  void message(const Json& value) {
    object(value, "message", {"text"}, {});
    must(!value.at("text").get<std::string>().empty(), "a message with a text");
  }

  void one_of(const Json& value, const std::set<std::string>& known) {
    if (!value.is_string() || !known.contains(value.get<std::string>())) {
      fail(value.dump() + " is no value of its list");
    }
  }
};

std::string schema_problem(const std::string& text) {
  SchemaWalk walk;
  const Json parsed = Json::parse(text);
  walk.log(parsed);
  return walk.problem;
}

FileResult noted_file(const std::string& path) {
  FileResult file = sample_file(path);
  file.items[0].findings = {test::gap_note()};
  return file;
}

FileResult strict_file(const std::string& path) {
  FileResult file = sample_file(path);
  file.items[1].verdict = Verdict::kFail;
  file.items[1].findings = {golden::test::rule_finding("nres_linear_lookup", false)};
  return file;
}

const std::vector<FileResult>& mixed_files() {
  static const std::vector<FileResult> kFiles{broken_file("a.lib"), noted_file("n.lib"), quirky_file("q.lib"),
                                              strict_file("s.lib")};
  return kFiles;
}

TEST(Sarif, HasTheShapeThatTheSchemaAsksFor) {
  EXPECT_EQ(schema_problem(text_of(mixed_files())), "");
  EXPECT_EQ(schema_problem(text_of(mixed_files(), std::vector{noted_file("gone.lib"), sample_file("n.lib")})), "");
  EXPECT_EQ(schema_problem(text_of({})), "");
}

// The walk judges all logs, so it has to refuse what is wrong.
TEST(Sarif, TheWalkOfTheSchemaRefusesWhatIsMissingOrUnknown) {
  const Json good = Json::parse(text_of(mixed_files()));
  const struct {
    const char* pointer;
    const char* says;
  } kRequired[] = {{"/runs/0/tool/driver/name", "driver lacks name"},
                   {"/runs/0/results/0/message", "result lacks message"},
                   {"/runs/0/results/0/locations/0/physicalLocation/region/byteOffset", "region lacks byteOffset"},
                   {"/runs/0/invocations/0/executionSuccessful", "invocation lacks executionSuccessful"}};
  for (const auto& [pointer, says] : kRequired) {
    Json broken = good;
    const Json::json_pointer path(pointer);
    broken[path.parent_pointer()].erase(path.back());
    SchemaWalk walk;
    try {
      walk.log(broken);
    } catch (const Json::exception&) {
      // What is missing cannot be looked at either.
    }
    EXPECT_EQ(walk.problem, says);
  }
  Json unknown = good;
  unknown["runs"][0]["results"][0]["surprise"] = 1;
  EXPECT_EQ(schema_problem(unknown.dump()), "result has surprise");
  Json elsewhere = good;
  elsewhere["runs"][0]["results"][0]["ruleIndex"] = 0;
  EXPECT_EQ(schema_problem(elsewhere.dump()), "ruleIndex and ruleId differ");
}

TEST(Sarif, AResultSaysWhatAndWhere) {
  const Json run = run_of({broken_file("DATA/a b.lib")});
  ASSERT_EQ(run["results"].size(), 1U);
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "invalid_stream");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["message"]["text"], "DATA/a b.lib::B, field entry[1].data: it is broken");
  const Json& physical = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(physical["artifactLocation"]["uri"], "DATA/a%20b.lib");
  EXPECT_EQ(physical["artifactLocation"]["uriBaseId"], "CORPUS");
  EXPECT_EQ(physical["region"]["byteOffset"], 0x40);
  EXPECT_EQ(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "DATA/a b.lib::B");
  EXPECT_EQ(result["properties"]["code"], "invalid_stream");
  EXPECT_EQ(result["properties"]["verdict"], "fail");
  EXPECT_FALSE(result.contains("baselineState"));
  EXPECT_EQ(run["originalUriBaseIds"]["CORPUS"]["uri"], "file:///games/IS/");
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
}

TEST(Sarif, SaysWhatRunItIsAndWhenItWas) {
  const Json run = run_of(mixed_files(), std::vector{sample_file("a.lib")});
  EXPECT_EQ(run["invocations"], Json::array({{{"executionSuccessful", true},
                                              {"startTimeUtc", "2026-01-02T03:04:05.678Z"},
                                              {"endTimeUtc", "2026-01-02T03:05:06.789Z"}}}));
  EXPECT_EQ(run["properties"], Json({{"run", 2},
                                     {"against", 1},
                                     {"label", "nightly"},
                                     {"corpus", "/games/IS"},
                                     {"profile", "compatible"},
                                     {"rules", "nres_linear_lookup"},
                                     {"items", 16},
                                     {"ok", 12},
                                     {"quirk", 1},
                                     {"fail", 3},
                                     {"unknown", 0},
                                     {"bytes", 4 * 0x23C}}));
  EXPECT_EQ(run_of(mixed_files())["properties"].at("against"), nullptr);
}

TEST(Sarif, ARunThatWasCutOffHasNoEnd) {
  golden::RunRecord run = run_record(2, {});
  run.finished_at.reset();
  VectorSource none({});
  const Json invocation = Json::parse(sarif_json(run, none, std::nullopt))["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["startTimeUtc"], "2026-01-02T03:04:05.678Z");
  EXPECT_FALSE(invocation.contains("endTimeUtc"));
}

TEST(Sarif, LevelsFollowFromSeverityAndWhetherARuleWasUsed) {
  std::vector<std::string> lines;
  const Json run = run_of(mixed_files());
  for (const Json& result : run["results"]) {
    lines.push_back(result["level"].get<std::string>() + " " + result["ruleId"].get<std::string>());
  }
  EXPECT_THAT(lines, ElementsAre("error invalid_stream", "note non_zero_gap", "note nres_linear_lookup",
                                 "warning nres_linear_lookup"));
}

TEST(Sarif, RulesHaveTheSentencesOfTheCatalogues) {
  FileResult odd = broken_file("a.lib");
  odd.items[2].findings[0].code = "code_of_a_newer_version";
  const Json run = run_of({odd});
  std::map<std::string, Json> rules;
  for (const Json& rule : run["tool"]["driver"]["rules"]) {
    rules[rule["id"]] = rule;
  }
  EXPECT_EQ(rules["invalid_stream"]["shortDescription"]["text"], "the packed stream breaks the rules of its coding");
  EXPECT_EQ(rules["invalid_stream"]["properties"]["category"], "malformed");
  for (const Rule& rule : all_rules()) {
    EXPECT_EQ(rules[std::string(rule.name)]["shortDescription"]["text"], rule.reason);
  }
  EXPECT_EQ(run["results"][0]["ruleId"], "code_of_a_newer_version");
  EXPECT_EQ(rules.count("code_of_a_newer_version"), 1U) << "what the catalogue does not know is listed all the same";
}

// "STATE RULE FINGERPRINT" of each result.
std::vector<std::string> states(const Json& run) {
  std::vector<std::string> lines;
  for (const Json& result : run["results"]) {
    lines.push_back(result["baselineState"].get<std::string>() + " " +
                    result["partialFingerprints"]["assayFinding/v1"].get<std::string>());
  }
  return lines;
}

TEST(Sarif, SaysWhatIsNewUnchangedUpdatedAndAbsent) {
  FileResult allowed = strict_file("s.lib");
  allowed.items[1].verdict = Verdict::kQuirk;
  allowed.items[1].findings[0].applied = true;
  const Json run =
      run_of({broken_file("a.lib"), noted_file("n.lib"), allowed},
             std::vector{noted_file("a.lib"), noted_file("gone.lib"), noted_file("n.lib"), strict_file("s.lib")});
  EXPECT_THAT(states(run),
              ElementsAre("new invalid_stream entry[1].data a.lib::B", "absent non_zero_gap region[0] a.lib",
                          "absent non_zero_gap region[0] gone.lib", "unchanged non_zero_gap region[0] n.lib",
                          "updated sort_order_mismatch/nres_linear_lookup entry[0].sort_index s.lib::A"));
}

TEST(Sarif, FingerprintsDependOnNeitherRunNorOffsetAndTellEqualFindingsApart) {
  FileResult twice = broken_file("a.lib");
  twice.items[2].findings.push_back(twice.items[2].findings[0]);
  FileResult moved = twice;
  moved.items[2].findings[0].offset = 0x99;
  const Json before = Json::parse(text_of({twice}, std::nullopt, 5))["runs"][0]["results"];
  const Json after = Json::parse(text_of({moved}, std::nullopt, 77))["runs"][0]["results"];
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0]["partialFingerprints"], after[0]["partialFingerprints"]);
  EXPECT_EQ(before[1]["partialFingerprints"], after[1]["partialFingerprints"]);
  EXPECT_NE(before[0]["partialFingerprints"], before[1]["partialFingerprints"]);
  EXPECT_THAT(
      states(run_of({twice, strict_file("b")}, std::vector{broken_file("a.lib")})),
      ElementsAre("unchanged invalid_stream entry[1].data a.lib::B", "new invalid_stream entry[1].data a.lib::B #2",
                  "new sort_order_mismatch/nres_linear_lookup entry[0].sort_index b::A"));
}

TEST(Sarif, EscapesWhatMeansSomethingInMessagesAndUris) {
  FileResult file = broken_file("\\xff{0}[x](1)%.lib");
  file.items[2].entry = kHostile;
  file.items[2].findings[0].message = std::string("a\0b", 3);
  const std::string text = text_of({file});
  EXPECT_EQ(schema_problem(text), "");
  const Json result = Json::parse(text)["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "%FF%7B0%7D%5Bx%5D%281%29%25.lib");
  EXPECT_EQ(result["message"]["text"],
            std::string("\\xff{{0}}[x]\\x281)%.lib::") + kHostileShown + ", field entry[1].data: a\\x00b");
}

TEST(Sarif, DoesNotGuessWhereASingleFileLies) {
  const auto base = [](const std::string& corpus) {
    return Json::parse(
        text_of({broken_file("a.lib")}, std::nullopt, 2, corpus))["runs"][0]["originalUriBaseIds"]["CORPUS"];
  };
  EXPECT_FALSE(base("/games/a.lib").contains("uri")) << "it may be the file itself";
  EXPECT_FALSE(base("games").contains("uri")) << "a relative name says nothing";
  EXPECT_EQ(base("/my games")["uri"], "file:///my%20games/");
  EXPECT_EQ(base("/")["uri"], "file:///");
}

TEST(Sarif, TheSameRunGivesTheSameBytes) {
  EXPECT_EQ(text_of(mixed_files()), text_of(mixed_files()));
}

TEST(PercentEncoded, KeepsUnreservedCharactersAlone) {
  EXPECT_EQ(percent_encoded("AZaz09-._~/x"), "AZaz09-._~/x");
  EXPECT_EQ(percent_encoded("a:b?c#d%"), "a%3Ab%3Fc%23d%25");
  EXPECT_EQ(percent_encoded("\\\\"), "%5C");
  EXPECT_EQ(percent_encoded("\xd0\xb6"), "%D0%B6");
  EXPECT_EQ(percent_encoded("\\q"), "%5Cq") << "what no scan writes stands for itself";
}

}  // namespace
}  // namespace assay::reports
