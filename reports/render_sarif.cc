#include "reports/render_sarif.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "parsers/base/escape.h"
#include "parsers/base/rules.h"
#include "reports/lines.h"
#include "reports/markup.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;
using golden::FileResult;
using golden::Item;
using golden::ItemFinding;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* kUriBase = "CORPUS";
constexpr const char* kFingerprint = "assayFinding/v1";

constexpr Code kCodes[] = {
#define ASSAY_CODE(enumerator, text, category, meaning) Code::enumerator,
#include "parsers/base/codes.def"
#undef ASSAY_CODE
};

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string shown(std::string_view text) {
  return shown_text(text, Shown::kUtf8);
}

// A text in a message: braces are placeholders there unless they are doubled, and `[text](target)` is a link.
std::string message_text(std::string_view text) {
  std::string message;
  for (const char character : shown(text)) {
    if (character == '(' && message.ends_with(']')) {
      message += "\\x28";
      continue;
    }
    message += character;
    if (character == '{' || character == '}') {
      message += character;
    }
  }
  return message;
}

Json message(std::string_view text) {
  return {{"text", message_text(text)}};
}

std::string rule_id_of(const ItemFinding& finding) {
  return shown(finding.rule.empty() ? finding.code : finding.rule);
}

const char* level_of(const ItemFinding& finding) {
  switch (finding.severity) {
    case Severity::kError: return "error";
    case Severity::kStrict: return finding.applied ? "note" : "warning";
    case Severity::kNote: return "note";
  }
  return "none";
}

// The rules of the driver: the catalogues, and behind them what a run names that they do not know.
class RuleTable {
 public:
  RuleTable() {
    for (const Code code : kCodes) {
      add({{"id", code_text(code)},
           {"shortDescription", message(code_meaning(code))},
           {"properties", {{"kind", "code"}, {"category", category_text(code_category(code))}}}});
    }
    for (const Rule& rule : all_rules()) {
      add({{"id", rule.name},
           {"shortDescription", message(rule.reason)},
           {"fullDescription", message(fmt::format("When {}: {}.", rule.predicate, rule.reason))},
           {"help", message(rule.evidence)},
           {"properties", {{"kind", "rule"}, {"scope", rule.scope}, {"opt_in", rule.opt_in}}}});
    }
  }

  std::size_t index_of(const std::string& id) {
    const auto found = indexes_.find(id);
    return found != indexes_.end() ? found->second : add({{"id", id}});
  }

  [[nodiscard]] const Json& rules() const { return rules_; }

 private:
  std::size_t add(Json rule) {
    const std::size_t index = rules_.size();
    indexes_.emplace(rule["id"].get<std::string>(), index);
    rules_.push_back(std::move(rule));
    return index;
  }

  Json rules_ = Json::array();
  std::map<std::string, std::size_t> indexes_;
};

// A finding with what tells it from all others of its run, whatever the run's number.
struct Located {
  const Item* item = nullptr;
  const ItemFinding* finding = nullptr;
  std::string fingerprint;
};

std::vector<Located> located_findings(const FileResult* file) {
  std::vector<Located> list;
  if (file == nullptr) {
    return list;
  }
  std::unordered_map<std::string, std::uint64_t> seen;
  for (const Item& item : file->items) {
    for (const ItemFinding& finding : item.findings) {
      std::string fingerprint = fmt::format("{}{}{} {} {}", finding.code, finding.rule.empty() ? "" : "/", finding.rule,
                                            finding.field, address_text(file->path, item.entry));
      // The same in one item twice: the first is the first again in the next run.
      const std::uint64_t earlier = seen[fingerprint]++;
      if (earlier != 0) {
        fingerprint += fmt::format(" #{}", earlier + 1);
      }
      list.push_back({&item, &finding, shown(fingerprint)});
    }
  }
  return list;
}

using ByFingerprint = std::unordered_map<std::string_view, const ItemFinding*>;

ByFingerprint by_fingerprint(const std::vector<Located>& list) {
  ByFingerprint map;
  for (const Located& one : list) {
    map.emplace(one.fingerprint, one.finding);
  }
  return map;
}

class Results {
 public:
  explicit Results(bool is_compared) : is_compared_(is_compared) {}

  // Both sides of one file; null: it is not there.
  void add(const FileResult* before, const FileResult* after) {
    const std::vector<Located> located_before = located_findings(before);
    const std::vector<Located> located_after = located_findings(after);
    const ByFingerprint known_before = by_fingerprint(located_before);
    const ByFingerprint known_after = by_fingerprint(located_after);
    for (const Located& one : located_after) {
      append(after->path, one, is_compared_ ? state_of(one, known_before) : nullptr);
    }
    for (const Located& one : located_before) {
      if (!known_after.contains(one.fingerprint)) {
        append(before->path, one, "absent");
      }
    }
    if (after != nullptr) {
      ++files_;
      only_path_ = after->path;
    }
  }

  [[nodiscard]] const Json& rules() const { return rules_.rules(); }
  [[nodiscard]] const std::string& text() const { return text_; }
  // The only file of the run, or nothing.
  [[nodiscard]] std::string_view only_path() const { return files_ == 1 ? std::string_view(only_path_) : ""; }

 private:
  static const char* state_of(const Located& one, const ByFingerprint& known) {
    const auto found = known.find(one.fingerprint);
    if (found == known.end()) {
      return "new";
    }
    return std::string_view(level_of(*found->second)) == level_of(*one.finding) ? "unchanged" : "updated";
  }

  static Json location(const std::string& path, const Located& one) {
    const std::string address = shown(address_text(path, one.item->entry));
    return {{"physicalLocation",
             {{"artifactLocation", {{"uri", percent_encoded(path)}, {"uriBaseId", kUriBase}}},
              {"region", {{"byteOffset", one.finding->offset}}}}},
            {"logicalLocations", Json::array({{{"fullyQualifiedName", address}, {"kind", "resource"}}})}};
  }

  static Json properties(const Located& one) {
    const ItemFinding& finding = *one.finding;
    return {{"code", shown(finding.code)},
            {"severity", severity_text(finding.severity)},
            {"rule", finding.rule.empty() ? Json() : Json(shown(finding.rule))},
            {"applied", finding.applied},
            {"field", shown(finding.field)},
            {"format", shown(one.item->format)},
            {"verdict", verdict_text(one.item->verdict)}};
  }

  void append(const std::string& path, const Located& one, const char* state) {
    const ItemFinding& finding = *one.finding;
    const std::string field = finding.field.empty() ? std::string() : ", field " + finding.field;
    const std::string id = rule_id_of(finding);
    Json result{
        {"ruleId", id},
        {"ruleIndex", rules_.index_of(id)},
        {"level", level_of(finding)},
        {"message", message(fmt::format("{}{}: {}", address_text(path, one.item->entry), field, finding.message))},
        {"locations", Json::array({location(path, one)})},
        {"partialFingerprints", {{kFingerprint, one.fingerprint}}}};
    if (state != nullptr) {
      result["baselineState"] = state;
    }
    result["properties"] = properties(one);
    text_ += text_.empty() ? "\n" : ",\n";
    text_ += dumped(result);
  }

  bool is_compared_;
  RuleTable rules_;
  std::string text_;
  std::uint64_t files_ = 0;
  std::string only_path_;
};

// Where the files lie. A corpus that is a single file and a folder that holds one of its own name look the same, and
// then nothing is said that might be wrong.
Json uri_base(const golden::RunRecord& run, std::string_view only_path) {
  Json base;
  const std::string& corpus = run.info.corpus;
  const bool may_be_file = !only_path.empty() && corpus.ends_with("/" + std::string(only_path));
  if (corpus.starts_with('/') && !may_be_file) {
    base["uri"] = "file://" + percent_encoded(corpus) + (corpus.ends_with('/') ? "" : "/");
  }
  base["description"] = message("the corpus of the run: " + corpus);
  return base;
}

Json invocation(const golden::RunRecord& run) {
  Json json{{"executionSuccessful", run.is_complete()}, {"startTimeUtc", shown(run.started_at)}};
  if (run.finished_at) {
    json["endTimeUtc"] = shown(*run.finished_at);
  }
  return json;
}

Json run_properties(const golden::RunRecord& run, const std::optional<Comparison>& before) {
  return {{"run", run.id},
          {"against", before ? Json(before->run.id) : Json()},
          {"label", shown(run.info.label)},
          {"corpus", shown(run.info.corpus)},
          {"profile", shown(run.info.profile)},
          {"rules", shown(run.info.rules)},
          {"items", run.totals.items},
          {"ok", run.totals.ok},
          {"quirk", run.totals.quirk},
          {"fail", run.totals.fail},
          {"unknown", run.totals.unknown},
          {"bytes", run.totals.bytes}};
}

// The run around its results, which are text already so that they need not be held as values too.
std::string sarif_log(const golden::RunRecord& run, const std::optional<Comparison>& before, const Results& results) {
  const Json driver{{"name", "Iron Assay"}, {"version", shown(run.info.tool_version)}, {"rules", results.rules()}};
  const Json around{{"tool", {{"driver", driver}}},
                    {"invocations", Json::array({invocation(run)})},
                    {"originalUriBaseIds", {{kUriBase, uri_base(run, results.only_path())}}},
                    {"properties", run_properties(run, before)}};
  std::string text = fmt::format("{{\"$schema\":\"{}\",\"version\":\"2.1.0\",\"runs\":[\n", kSchema);
  text += dumped(around);
  text.pop_back();
  text += ",\"results\":[";
  text += results.text();
  text += "\n]}]}\n";
  return text;
}

}  // namespace

std::string percent_encoded(std::string_view path) {
  constexpr std::string_view kUnreserved = "-._~/";
  const auto raw = unescape_bytes(path);
  std::string encoded;
  for (const char character : raw ? as_text(*raw) : path) {
    const bool is_letter = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    const bool is_digit = character >= '0' && character <= '9';
    if (is_letter || is_digit || kUnreserved.find(character) != std::string_view::npos) {
      encoded += character;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    }
  }
  return encoded;
}

std::string sarif_json(const golden::RunRecord& run, golden::FileSource& files,
                       const std::optional<Comparison>& before) {
  Results results(before.has_value());
  if (before) {
    golden::merge_files(before->files, files,
                        [&](const FileResult* left, const FileResult* right) { results.add(left, right); });
  } else {
    while (const std::optional<FileResult> file = files.next()) {
      results.add(nullptr, &*file);
    }
  }
  return sarif_log(run, before, results);
}

}  // namespace assay::reports
