#include "golden/manifest_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "golden/strict_json.h"
#include "parsers/base/escape.h"

namespace assay::golden {
namespace {

using Json = nlohmann::json;
// What is written keeps the order of its keys.
using OrderedJson = nlohmann::ordered_json;

constexpr const char* kVersionKey = "iron_assay_manifest";
constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();

OrderedJson hash_json(const std::optional<Sha256>& hash) {
  return hash ? OrderedJson(to_hex(*hash)) : OrderedJson(nullptr);
}

// An item has each fact once, so that none has to be looked for: a facts of gaps can be tens of thousands.
OrderedJson object_json(const std::vector<Fact>& facts) {
  OrderedJson object = OrderedJson::object();
  auto& members = object.get_ref<OrderedJson::object_t&>();
  members.reserve(facts.size());
  for (const Fact& fact : facts) {
    members.emplace_back(fact.key, fact.value);
  }
  return object;
}

std::string dump(const OrderedJson& json) {
  try {
    return json.dump();
  } catch (const OrderedJson::exception&) {
    throw JsonError("a text to be written is not UTF-8");
  }
}

std::optional<Sha256> hash_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (value.is_null()) {
    return std::nullopt;
  }
  Sha256 hash;
  const auto bytes = value.is_string() ? from_hex(value.get_ref<const std::string&>()) : std::nullopt;
  if (!bytes || bytes->size() != hash.size()) {
    throw JsonError(fmt::format("\"{}\" must be null or 64 hex digits", key));
  }
  std::ranges::copy(*bytes, hash.begin());
  return hash;
}

std::vector<std::string> list_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  const bool is_list = value.is_array() && std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
  if (!is_list) {
    throw JsonError(fmt::format("\"{}\" must be a list of texts", key));
  }
  return value.get<std::vector<std::string>>();
}

// The names of the facts in the order of the line, of "row" and of "facts": both are lists as much as objects.
class FactOrder {
 public:
  void see(int depth, const std::string& key) {
    if (depth == 1) {
      object_ = key;
    } else if (depth == 2) {
      keys_[object_].push_back(key);
    }
  }

  // Throws JsonError where `key` is no object of texts.
  [[nodiscard]] std::vector<Fact> facts(const Json& line, const char* key) {
    const Json& value = member(line, key);
    if (!value.is_object() || !std::ranges::all_of(value, [](const Json& one) { return one.is_string(); })) {
      throw JsonError(fmt::format("\"{}\" must be an object of texts", key));
    }
    std::vector<Fact> facts;
    for (std::string& name : keys_[key]) {
      auto text = value.at(name).get<std::string>();
      facts.push_back({.key = std::move(name), .value = std::move(text)});
    }
    return facts;
  }

 private:
  std::string object_;
  std::map<std::string, std::vector<std::string>> keys_;
};

Verdict verdict_member(const Json& object) {
  const auto verdict = find_verdict(text_member(object, "verdict"));
  if (!verdict) {
    throw JsonError("\"verdict\" must be ok, quirk, fail or unknown");
  }
  return *verdict;
}

}  // namespace

std::string header_line(const ManifestHeader& header) {
  OrderedJson json;
  json[kVersionKey] = kManifestVersion;
  json["corpus"] = header.corpus;
  json["profile"] = header.profile;
  json["files"] = header.files;
  json["items"] = header.items;
  return dump(json);
}

ManifestHeader parse_header_line(std::string_view line) {
  const Json json = parse_strict_object(line);
  const std::uint64_t version = count_member(json, kVersionKey, kAnyCount);
  if (version != static_cast<std::uint64_t>(kManifestVersion)) {
    throw JsonError(fmt::format("version {} of the manifest is {}; this program knows {}", version,
                                version > static_cast<std::uint64_t>(kManifestVersion) ? "newer" : "none that was used",
                                kManifestVersion));
  }
  constexpr std::string_view kKnown[] = {kVersionKey, "corpus", "profile", "files", "items"};
  refuse_unknown_keys(json, kKnown);
  return {.corpus = text_member(json, "corpus"),
          .profile = text_member(json, "profile"),
          .files = count_member(json, "files", kAnyCount),
          .items = count_member(json, "items", kAnyCount)};
}

std::string item_line(const std::string& path, const Expectation& item) {
  OrderedJson json;
  json["path"] = path;
  json["entry"] = item.entry;
  json["format"] = item.format;
  json["size"] = item.size;
  json["sha256"] = hash_json(item.sha256);
  if (item.stored_sha256 != item.sha256) {
    json["stored_sha256"] = hash_json(item.stored_sha256);
  }
  json["verdict"] = verdict_text(item.verdict);
  json["rules"] = item.rules;
  json["findings"] = item.findings;
  json["row"] = object_json(item.row);
  json["facts"] = object_json(item.facts);
  if (!item.reason.empty()) {
    json["reason"] = item.reason;
  }
  return dump(json);
}

std::pair<std::string, Expectation> parse_item_line(std::string_view line) {
  FactOrder order;
  const Json json = parse_strict_object(line, [&order](int depth, const std::string& key) { order.see(depth, key); });
  constexpr std::string_view kKnown[] = {"path",    "entry", "format",   "size", "sha256", "stored_sha256",
                                         "verdict", "rules", "findings", "row",  "facts",  "reason"};
  refuse_unknown_keys(json, kKnown);
  Expectation item{.entry = text_member(json, "entry"),
                   .format = text_member(json, "format"),
                   .size = count_member(json, "size", kAnyCount),
                   .sha256 = hash_member(json, "sha256"),
                   .stored_sha256 = {},
                   .verdict = verdict_member(json),
                   .rules = list_member(json, "rules"),
                   .findings = list_member(json, "findings"),
                   .row = order.facts(json, "row"),
                   .facts = order.facts(json, "facts"),
                   .reason = json.contains("reason") ? text_member(json, "reason") : std::string()};
  item.stored_sha256 = json.contains("stored_sha256") ? hash_member(json, "stored_sha256") : item.sha256;
  return {text_member(json, "path"), std::move(item)};
}

}  // namespace assay::golden
