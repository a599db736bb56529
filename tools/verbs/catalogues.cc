#include <fmt/format.h>
#include <fmt/ranges.h>

#include "parsers/base/field_text.h"
#include "parsers/base/rules.h"
#include "parsers/formats/catalogue.h"
#include "tools/console.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct CatalogueOptions {
  bool json = false;
};

ExitStatus run_rules(const CatalogueOptions& options) {
  for (const Rule& rule : all_rules()) {
    if (options.json) {
      print_json({{"rule", rule.name},
                  {"scope", rule.scope},
                  {"opt_in", rule.opt_in},
                  {"predicate", rule.predicate},
                  {"reason", rule.reason},
                  {"evidence", rule.evidence}});
    } else {
      print(fmt::format("{}  ({}{})\n  when      {}\n  then      {}\n  evidence  {}\n\n", rule.name, rule.scope,
                        rule.opt_in ? ", opt-in" : "", rule.predicate, rule.reason, rule.evidence));
    }
  }
  return ExitStatus::kFine;
}

Json field_json(const FieldInfo& info) {
  return {{"field", info.name},
          {"offset", info.offset},
          {"size", info.size_bytes},
          {"type", field_type_text(info.type)},
          {"count", info.count},
          {"status", field_status_text(info.status)},
          {"derived", info.is_derived()},
          {"reason", info.derived},
          {"note", info.note}};
}

Json hints_json(const Format& format) {
  Json tags = Json::array();
  for (const std::uint32_t tag : format.type_tags) {
    tags.push_back(tag_text(tag));
  }
  Json names = Json::array();
  for (const NamePattern& pattern : format.name_patterns) {
    names.push_back(pattern.pattern);
  }
  return {{"magic", format.has_magic != nullptr},
          {"type_tags", tags},
          {"names", names},
          {"structure", format.probe != nullptr},
          {"refines", format.refines.empty() ? Json() : Json(format.refines)}};
}

void print_format_json(const Format& format) {
  Json records = Json::array();
  for (const RecordInfo& record : format.records) {
    Json fields = Json::array();
    for (const FieldInfo& info : record.fields) {
      fields.push_back(field_json(info));
    }
    records.push_back({{"record", record.name}, {"size", record.size_bytes}, {"fields", fields}});
  }
  print_json({{"format", format.id},
              {"title", format.title},
              {"documentation", format.documentation},
              {"recognised_by", hints_json(format)},
              {"records", records}});
}

// In the order in which they are asked.
std::string recognised_by(const Format& format) {
  std::vector<std::string> ways;
  if (format.has_magic != nullptr) {
    ways.emplace_back("magic");
  }
  for (const std::uint32_t tag : format.type_tags) {
    ways.push_back("tag " + tag_text(tag));
  }
  for (const NamePattern& pattern : format.name_patterns) {
    ways.push_back(std::string(pattern.pattern) +
                   (pattern.folder.empty() ? "" : " in a folder " + std::string(pattern.folder)));
  }
  if (format.probe != nullptr) {
    ways.emplace_back("structure");
  }
  const std::string base = format.refines.empty() ? "" : " (inside " + std::string(format.refines) + ")";
  return fmt::format("{}{}", fmt::join(ways, ", "), base);
}

void print_format_text(const Format& format) {
  print(fmt::format("{}  {}  ({})\n", format.id, format.title, format.documentation));
  print(fmt::format("  recognised by: {}\n", recognised_by(format)));
  for (const RecordInfo& record : format.records) {
    print(fmt::format("  {}, {}\n", record.name,
                      record.has_fixed_size() ? counted(record.size_bytes, "byte") : "no fixed size"));
    for (const FieldInfo& info : record.fields) {
      const std::string note = std::string(info.note) + (*info.note != '\0' && info.is_derived() ? "; " : "") +
                               (info.is_derived() ? std::string("derived: ") + info.derived : std::string());
      const std::string count = info.count > 1 ? fmt::format("[{}]", info.count) : std::string();
      print(fmt::format("    0x{:02X}  {:<18}  {:<10}  {:<17}  {}\n", info.offset, info.name,
                        std::string(field_type_text(info.type)) + count, field_status_text(info.status), note));
    }
  }
  print("\n");
}

ExitStatus run_formats(const CatalogueOptions& options) {
  for (const Format* format : all_formats()) {
    if (options.json) {
      print_format_json(*format);
    } else {
      print_format_text(*format);
    }
  }
  return ExitStatus::kFine;
}

}  // namespace

void add_rules(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<CatalogueOptions>();
  CLI::App* verb = app.add_subcommand("rules", "the named relaxations: when each fires, what then, and why");
  verb->footer("  assay rules\n  assay verify sprites.lib --rule deflate_eof_plus_one");
  verb->add_flag("--json", options->json, "one JSON object a rule");
  choose(*verb, chosen, options, run_rules);
}

void add_formats(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<CatalogueOptions>();
  CLI::App* verb = app.add_subcommand("formats", "the formats, their records and how sure each field is");
  verb->footer("`assay inspect` shows the same fields with the values of a file.\n  assay formats");
  verb->add_flag("--json", options->json, "one JSON object a format");
  choose(*verb, chosen, options, run_formats);
}

}  // namespace assay::tools
