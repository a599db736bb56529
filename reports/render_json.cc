#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/render.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;
using golden::Change;
using golden::FileChanges;
using golden::ItemChanges;

void append_line(std::string& text, const Json& json) {
  // Texts come from file names at worst; a byte that is not UTF-8 may not stop the report.
  text += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text += '\n';
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json verdict_json(const std::optional<Verdict>& verdict) {
  return verdict ? Json(std::string(verdict_text(*verdict))) : Json(nullptr);
}

Json change_json(const std::string& path, const std::string& entry, const Change& change) {
  Json json;
  json["kind"] = golden::change_kind_text(change.kind);
  json["path"] = path;
  json["entry"] = entry;
  json["subject"] = text_or_null(change.subject);
  json["before"] = text_or_null(change.before);
  json["after"] = text_or_null(change.after);
  json["message"] = text_or_null(change.message);
  json["offset"] = change.place ? Json(change.place->offset) : Json(nullptr);
  json["size"] = change.place ? Json(change.place->size) : Json(nullptr);
  return json;
}

void append_changes(std::string& text, const std::vector<FileChanges>& files) {
  for (const FileChanges& file : files) {
    for (const ItemChanges& item : file.items) {
      for (const Change& change : item.changes) {
        Json json = change_json(file.path, item.entry, change);
        json["explained"] = item.is_explained;
        append_line(text, json);
      }
    }
    if (file.moved) {
      Json json = change_json(file.path, file.moved->message, *file.moved);
      json["entries"] = file.moved_entries;
      append_line(text, json);
    }
  }
}

std::string key_of(Category category) {
  std::string key(category_text(category));
  std::ranges::replace(key, ' ', '_');
  return key;
}

}  // namespace

std::string check_json(const golden::CheckResult& result) {
  std::string text;
  append_changes(text, result.files);
  Json summary;
  summary["passed"] = result.passed();
  summary["expected"] = result.compared.items_before;
  summary["items"] = result.compared.items_after;
  summary["changed"] = result.changed_items;
  for (std::size_t kind = 0; kind < golden::kChangeKinds; ++kind) {
    summary[std::string(golden::change_kind_text(static_cast<golden::ChangeKind>(kind)))] = result.changes[kind];
  }
  summary["problems"] = result.problems;
  append_line(text, Json{{"summary", summary}});
  return text;
}

std::string accepted_json(const golden::Accepted& accepted) {
  std::string text;
  append_changes(text, accepted.files);
  append_line(text, Json{{"summary", Json{{"items", accepted.items}, {"files", accepted.files.size()}}}});
  return text;
}

std::string diff_json(const Diff& diff) {
  std::string text;
  for (const DiffGroup& group : diff.groups) {
    for (const DiffItem& item : group.items) {
      Json json;
      json["category"] = key_of(group.category);
      json["cause"] = group.cause;
      json["path"] = item.path;
      json["entry"] = item.entry;
      json["before"] = verdict_json(item.before);
      json["after"] = verdict_json(item.after);
      json["detail"] = item.detail;
      json["explained"] = item.is_explained;
      append_line(text, json);
    }
  }
  Json summary;
  for (std::size_t index = 0; index < kCategories; ++index) {
    summary[key_of(static_cast<Category>(index))] = diff.counts[index];
  }
  summary["items_before"] = diff.compared.items_before;
  summary["items_after"] = diff.compared.items_after;
  append_line(text, Json{{"summary", summary}});
  return text;
}

}  // namespace assay::reports
