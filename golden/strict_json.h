#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

// JSON of our own files, which somebody may have edited or damaged: read once, and nothing in it passes unseen.
namespace assay::golden {

// What is wrong with a text, without its place.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Is told each key in the order of the text, with the number of objects and lists around it.
using SeeKey = std::function<void(int depth, const std::string& key)>;

// The value that `text` is. Throws JsonError where it is no JSON, where an object has a key twice (a parser keeps the
// last without a word) and where it nests deeper than 64 levels (to write a value again takes stack for each). Cost:
// O(n log n) for n bytes, whatever they say; memory O(n). The order of the keys is lost, see `see_key`.
[[nodiscard]] nlohmann::json parse_strict_json(std::string_view text, const SeeKey& see_key = {});

// As parse_strict_json(), for what has to be an object.
[[nodiscard]] nlohmann::json parse_strict_object(std::string_view text, const SeeKey& see_key = {});

// The member `key` of an object. All throw JsonError where it is missing or is something else than asked for.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* key);
[[nodiscard]] std::string text_member(const nlohmann::json& object, const char* key);
// A whole number from 0 to `most`.
[[nodiscard]] std::uint64_t count_member(const nlohmann::json& object, const char* key, std::uint64_t most);
// A number from 0 to `most`.
[[nodiscard]] double number_member(const nlohmann::json& object, const char* key, double most);

// Throws JsonError where `object` has a key that is not one of `known`.
void refuse_unknown_keys(const nlohmann::json& object, std::span<const std::string_view> known);

}  // namespace assay::golden
