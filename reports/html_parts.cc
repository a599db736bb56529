#include "reports/html_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "parsers/base/diagnostic.h"

namespace assay::reports {
namespace {

bool is_plain(char character) {
  constexpr std::string_view kPlain = "._/+:@%-";
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || kPlain.find(character) != std::string_view::npos;
}

bool is_printable(char character) {
  return character >= ' ' && character < '\x7F';
}

// As bash reads it: $'...' with bytes as \xNN.
std::string escaped_word(std::string_view text) {
  std::string word = "$'";
  for (const char character : text) {
    if (!is_printable(character)) {
      word += fmt::format("\\x{:02x}", static_cast<unsigned char>(character));
    } else {
      word += character == '\'' || character == '\\' ? std::string{'\\', character} : std::string(1, character);
    }
  }
  return word + "'";
}

}  // namespace

std::string shell_word(std::string_view text) {
  // A file that looks like an option is named from its folder.
  std::string word(text.starts_with('-') ? "./" : "");
  word += text;
  if (!word.empty() && std::ranges::all_of(word, is_plain)) {
    return word;
  }
  if (!std::ranges::all_of(word, is_printable)) {
    return escaped_word(word);
  }
  std::string quoted = "'";
  for (const char character : word) {
    quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return quoted + "'";
}

Commands::Commands(const Report& report, const std::string& database)
    : report_(report), database_(shell_word(database)) {}

std::string Commands::report_as(std::string_view ending) const {
  return fmt::format("assay report --db {} {} --against none -o run-{}.{}", database_, report_.run.id, report_.run.id,
                     ending);
}

std::string Commands::findings() const {
  return report_as("sarif");
}

std::string Commands::items() const {
  return report_as("xml");
}

std::string Commands::changes() const {
  return fmt::format("assay diff {} {} --db {} --all", report_.against ? report_.against->id : report_.run.id,
                     report_.run.id, database_);
}

std::string Commands::campaigns() const {
  return fmt::format("assay fuzz list --db {}", database_);
}

std::string Commands::benchmarks() const {
  const auto& measurements = report_.benchmarks.measurements;
  const std::size_t before = report_.benchmarks.is_compared ? measurements.size() - 2 : measurements.size() - 1;
  return fmt::format("assay perf diff {} {} --db {} --all", measurements[before].id, measurements.back().id, database_);
}

std::string Commands::measurements() const {
  return fmt::format("assay perf list --db {}", database_);
}

std::string_view code_sentence(std::string_view code) {
  const auto found = find_code(code);
  return found ? code_meaning(*found) : std::string_view();
}

void open_section(Markup& page, std::string_view id, std::string_view title) {
  page.open("section", {{"id", id}}).element("h2", title);
}

void open_details(Markup& page, bool is_open, std::string_view count, std::string_view name) {
  if (is_open) {
    page.open("details", {{"open", ""}});
  } else {
    page.open("details");
  }
  page.open("summary").element("strong", count);
  if (!name.empty()) {
    page.text(" ").element("code", name);
  }
  page.close();
}

void open_table(Markup& page, std::initializer_list<std::string_view> columns) {
  page.open("div", {{"class", "wide"}}).open("table").open("thead").open("tr");
  for (const std::string_view column : columns) {
    page.element("th", column, {{"scope", "col"}});
  }
  page.close().close();
}

void close_table(Markup& page) {
  page.close().close();
}

void add_code_cell(Markup& page, std::string_view text) {
  page.open("td").element("code", text).close();
}

void add_number_cell(Markup& page, std::string_view number) {
  page.element("td", number, {{"class", "number"}});
}

void add_number_cell(Markup& page, std::uint64_t number) {
  add_number_cell(page, std::to_string(number));
}

void add_more(Markup& page, std::uint64_t more, std::string_view command) {
  if (more != 0) {
    page.open("p").text(fmt::format("... and {} more: ", more)).element("code", command).text(" shows them").close();
  }
}

}  // namespace assay::reports
