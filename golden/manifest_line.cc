#include "golden/manifest_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "parsers/base/escape.h"

namespace assay::golden {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersionKey = "iron_assay_manifest";

Json hash_json(const std::optional<Sha256>& hash) {
  return hash ? Json(to_hex(*hash)) : Json(nullptr);
}

Json object_json(const std::vector<Fact>& facts) {
  Json object = Json::object();
  for (const Fact& fact : facts) {
    object[fact.key] = fact.value;
  }
  return object;
}

std::string dump(const Json& json) {
  try {
    return json.dump();
  } catch (const Json::exception&) {
    throw LineError("a text to be written is not UTF-8");
  }
}

// Of a key that is there twice the parser would silently keep the last value. Throws LineError.
class UniqueKeys {
 public:
  void see(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      open_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open_.pop_back();
    } else if (event == Json::parse_event_t::key && !open_.back().insert(parsed.get<std::string>()).second) {
      throw LineError(fmt::format("the key {} is there twice", parsed.dump()));
    }
  }

 private:
  // The keys so far of each object that is not closed.
  std::vector<std::set<std::string>> open_;
};

Json parse_object(std::string_view line) {
  UniqueKeys keys;
  const auto see = [&keys](int, Json::parse_event_t event, const Json& parsed) {
    keys.see(event, parsed);
    return true;
  };
  Json json = Json::parse(line, see, false);
  if (json.is_discarded()) {
    throw LineError("not JSON");
  }
  if (!json.is_object()) {
    throw LineError("not a JSON object");
  }
  return json;
}

const Json& member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    throw LineError(fmt::format("the key \"{}\" is missing", key));
  }
  return *found;
}

std::string text_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) {
    throw LineError(fmt::format("\"{}\" must be a text", key));
  }
  return value.get<std::string>();
}

std::uint64_t count_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_number_unsigned()) {
    throw LineError(fmt::format("\"{}\" must be a whole number, not negative", key));
  }
  return value.get<std::uint64_t>();
}

std::optional<Sha256> hash_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (value.is_null()) {
    return std::nullopt;
  }
  Sha256 hash;
  const auto bytes = value.is_string() ? from_hex(value.get_ref<const std::string&>()) : std::nullopt;
  if (!bytes || bytes->size() != hash.size()) {
    throw LineError(fmt::format("\"{}\" must be null or 64 hex digits", key));
  }
  std::ranges::copy(*bytes, hash.begin());
  return hash;
}

std::vector<std::string> list_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  const bool is_list = value.is_array() && std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
  if (!is_list) {
    throw LineError(fmt::format("\"{}\" must be a list of texts", key));
  }
  return value.get<std::vector<std::string>>();
}

std::vector<Fact> facts_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  std::vector<Fact> facts;
  bool is_good = value.is_object();
  for (auto one = value.begin(); is_good && one != value.end(); ++one) {
    is_good = one.value().is_string();
    if (is_good) {
      facts.push_back({.key = one.key(), .value = one.value().get<std::string>()});
    }
  }
  if (!is_good) {
    throw LineError(fmt::format("\"{}\" must be an object of texts", key));
  }
  return facts;
}

void refuse_unknown_keys(const Json& object, std::span<const char* const> known) {
  for (auto one = object.begin(); one != object.end(); ++one) {
    if (std::ranges::find(known, std::string_view(one.key()), [](const char* key) { return std::string_view(key); }) ==
        known.end()) {
      throw LineError(fmt::format("the key \"{}\" is unknown", one.key()));
    }
  }
}

Verdict verdict_member(const Json& object) {
  const auto verdict = find_verdict(text_member(object, "verdict"));
  if (!verdict) {
    throw LineError("\"verdict\" must be ok, quirk, fail or unknown");
  }
  return *verdict;
}

}  // namespace

std::string header_line(const ManifestHeader& header) {
  Json json;
  json[kVersionKey] = kManifestVersion;
  json["corpus"] = header.corpus;
  json["profile"] = header.profile;
  json["files"] = header.files;
  json["items"] = header.items;
  return dump(json);
}

ManifestHeader parse_header_line(std::string_view line) {
  const Json json = parse_object(line);
  const std::uint64_t version = count_member(json, kVersionKey);
  if (version != static_cast<std::uint64_t>(kManifestVersion)) {
    throw LineError(fmt::format("version {} of the manifest is {}; this program knows {}", version,
                                version > static_cast<std::uint64_t>(kManifestVersion) ? "newer" : "none that was used",
                                kManifestVersion));
  }
  constexpr const char* kKnown[] = {kVersionKey, "corpus", "profile", "files", "items"};
  refuse_unknown_keys(json, kKnown);
  return {.corpus = text_member(json, "corpus"),
          .profile = text_member(json, "profile"),
          .files = count_member(json, "files"),
          .items = count_member(json, "items")};
}

std::string item_line(const std::string& path, const Expectation& item) {
  Json json;
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
  const Json json = parse_object(line);
  constexpr const char* kKnown[] = {"path",    "entry", "format",   "size", "sha256", "stored_sha256",
                                    "verdict", "rules", "findings", "row",  "facts",  "reason"};
  refuse_unknown_keys(json, kKnown);
  Expectation item{.entry = text_member(json, "entry"),
                   .format = text_member(json, "format"),
                   .size = count_member(json, "size"),
                   .sha256 = hash_member(json, "sha256"),
                   .stored_sha256 = {},
                   .verdict = verdict_member(json),
                   .rules = list_member(json, "rules"),
                   .findings = list_member(json, "findings"),
                   .row = facts_member(json, "row"),
                   .facts = facts_member(json, "facts"),
                   .reason = json.contains("reason") ? text_member(json, "reason") : std::string()};
  item.stored_sha256 = json.contains("stored_sha256") ? hash_member(json, "stored_sha256") : item.sha256;
  return {text_member(json, "path"), std::move(item)};
}

}  // namespace assay::golden
