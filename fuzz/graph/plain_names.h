#pragma once

#include <string>
#include <string_view>
#include <vector>

// Names and paths as the game compares them, written out plainly.
namespace assay::fuzz {

// Where prototypes are.
inline constexpr std::string_view kRegistry = "objects.rlb";

// With the letters A to Z in lower case.
[[nodiscard]] std::string lower(std::string_view text);
// The form in which paths are compared.
[[nodiscard]] std::string path_key(std::string_view path);
[[nodiscard]] std::vector<std::string> parts_of(std::string_view path, std::string_view separators);
// Whether a path stays below the folder that it starts from.
[[nodiscard]] bool is_path(std::string_view path);
// What is behind the last dot, in lower case, and what is in front of it.
[[nodiscard]] std::string extension(std::string_view name);
[[nodiscard]] std::string stem(std::string_view name);
[[nodiscard]] std::string without_blanks(std::string_view text);

}  // namespace assay::fuzz
