#include "fuzz/graph/plain_names.h"

#include <algorithm>

namespace assay::fuzz {

std::string lower(std::string_view text) {
  std::string folded(text);
  for (char& letter : folded) {
    letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return folded;
}

std::string path_key(std::string_view path) {
  std::string key = lower(path);
  std::ranges::replace(key, '\\', '/');
  return key;
}

std::vector<std::string> parts_of(std::string_view path, std::string_view separators) {
  std::vector<std::string> parts(1);
  for (const char letter : path) {
    if (separators.find(letter) != std::string_view::npos) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

bool is_path(std::string_view path) {
  const auto parts = parts_of(path, "/\\");
  return path.find('\0') == std::string_view::npos && path.find(':') == std::string_view::npos &&
         std::ranges::none_of(parts,
                              [](const std::string& part) { return part.empty() || part == "." || part == ".."; });
}

std::string extension(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? "" : lower(name.substr(dot + 1));
}

std::string stem(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return std::string(dot == std::string_view::npos ? name : name.substr(0, dot));
}

std::string without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? ""
                                         : std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

}  // namespace assay::fuzz
