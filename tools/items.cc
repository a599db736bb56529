#include "tools/items.h"

#include <algorithm>

#include <fmt/format.h>

#include "golden/scan/hash.h"

namespace assay::tools {
namespace {

bool is_direct_entry_of(const std::string& entry, const std::string& archive) {
  const std::size_t own = archive.empty() ? 0 : archive.size() + golden::kAddressSeparator.size();
  return golden::is_inside(entry, archive) && entry.find(golden::kAddressSeparator, own) == std::string::npos;
}

void collect_rules(const golden::Item& item, std::vector<std::string>& rules) {
  for (const golden::ItemFinding& finding : item.findings) {
    if (finding.applied && std::ranges::find(rules, finding.rule) == rules.end()) {
      rules.push_back(finding.rule);
    }
  }
}

}  // namespace

Json finding_json(const golden::ItemFinding& finding) {
  return {{"code", finding.code},
          {"severity", severity_text(finding.severity)},
          {"rule", finding.rule.empty() ? Json() : Json(finding.rule)},
          {"applied", finding.applied},
          {"offset", finding.offset},
          {"field", finding.field},
          {"message", finding.message}};
}

std::string item_address(const std::string& path, const std::string& entry) {
  return entry.empty() ? path : path + "::" + entry;
}

std::string finding_line(const golden::ItemFinding& finding) {
  std::string line = fmt::format("{}  {} at {}", colored(finding.severity), finding.code, hex_offset(finding.offset));
  if (!finding.field.empty()) {
    line += ", field " + finding.field;
  }
  line += ": " + finding.message;
  if (!finding.rule.empty()) {
    line += fmt::format(" [rule {}, {}]", finding.rule, finding.applied ? "applied" : "not enabled");
  }
  return line;
}

std::vector<std::string> applied_rules(const golden::FileResult& file, std::size_t index) {
  std::vector<std::string> rules;
  collect_rules(file.items[index], rules);
  const std::string& archive = file.items[index].entry;
  // Entries follow their archive, depth first; a leaf, the common case, stops at once.
  for (std::size_t next = index + 1; next < file.items.size() && golden::is_inside(file.items[next].entry, archive);
       ++next) {
    if (is_direct_entry_of(file.items[next].entry, archive)) {
      collect_rules(file.items[next], rules);
    }
  }
  return rules;
}

Json verify_json(const std::string& path, const golden::Item& item, const std::vector<std::string>& rules) {
  Json findings = Json::array();
  for (const golden::ItemFinding& finding : item.findings) {
    findings.push_back(finding_json(finding));
  }
  return {{"path", path},
          {"entry", item.entry},
          {"format", item.format},
          {"size", item.size},
          {"sha256", item.sha256 ? Json(golden::hash_text(*item.sha256)) : Json()},
          {"verdict", verdict_text(item.verdict)},
          {"rules", rules},
          {"findings", findings}};
}

std::string totals_line(const golden::Totals& totals) {
  return fmt::format("{}: {} ok, {} quirk, {} fail, {} unknown; {}", counted(totals.items, "item"), totals.ok,
                     totals.quirk, totals.fail, totals.unknown, counted(totals.bytes, "byte"));
}

void add_totals(golden::Totals& sum, const golden::Totals& more) {
  sum.items += more.items;
  sum.ok += more.ok;
  sum.quirk += more.quirk;
  sum.fail += more.fail;
  sum.unknown += more.unknown;
  sum.bytes += more.bytes;
}

}  // namespace assay::tools
