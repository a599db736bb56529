#include "golden/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace assay::golden {
namespace {

using Json = nlohmann::json;

constexpr int kMaxDepth = 64;

// What the parser reports while it reads.
class Watch {
 public:
  explicit Watch(const SeeKey& see_key) : see_key_(see_key) {}

  void see(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kMaxDepth) {
      throw JsonError(fmt::format("nests deeper than {} levels", kMaxDepth));
    }
    if (event == Json::parse_event_t::object_start) {
      open_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      see_key(depth, parsed);
    }
  }

 private:
  void see_key(int depth, const Json& parsed) {
    const auto& key = parsed.get_ref<const std::string&>();
    if (!open_.back().insert(key).second) {
      throw JsonError(fmt::format("the key {} is there twice", parsed.dump()));
    }
    if (see_key_) {
      see_key_(depth, key);
    }
  }

  const SeeKey& see_key_;
  // The keys so far of each object that is not closed.
  std::vector<std::set<std::string>> open_;
};

}  // namespace

Json parse_strict_json(std::string_view text, const SeeKey& see_key) {
  Watch watch(see_key);
  const auto see = [&watch](int depth, Json::parse_event_t event, const Json& parsed) {
    watch.see(depth, event, parsed);
    return true;
  };
  try {
    return Json::parse(text, see);
  } catch (const Json::parse_error& error) {
    throw JsonError(fmt::format("not JSON from byte {} on", error.byte == 0 ? 0 : error.byte - 1));
  } catch (const Json::out_of_range&) {
    throw JsonError("holds a number out of range");
  }
}

Json parse_strict_object(std::string_view text, const SeeKey& see_key) {
  Json json = parse_strict_json(text, see_key);
  if (!json.is_object()) {
    throw JsonError("not a JSON object");
  }
  return json;
}

const Json& member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    throw JsonError(fmt::format("the key \"{}\" is missing", key));
  }
  return *found;
}

std::string text_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) {
    throw JsonError(fmt::format("\"{}\" must be a text", key));
  }
  return value.get<std::string>();
}

std::uint64_t count_member(const Json& object, const char* key, std::uint64_t most) {
  const Json& value = member(object, key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
    throw JsonError(fmt::format("\"{}\" must be a whole number from 0 to {}", key, most));
  }
  return value.get<std::uint64_t>();
}

double number_member(const Json& object, const char* key, double most) {
  const Json& value = member(object, key);
  if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= most)) {
    throw JsonError(fmt::format("\"{}\" must be a number from 0 to {}", key, most));
  }
  return value.get<double>();
}

void refuse_unknown_keys(const Json& object, std::span<const std::string_view> known) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      throw JsonError(fmt::format("the key {} is unknown", Json(key).dump()));
    }
  }
}

}  // namespace assay::golden
