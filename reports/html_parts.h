#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "reports/markup.h"
#include "reports/report.h"

// What the sections of the page share.
namespace assay::reports {

// The commands that show what a page leaves out.
class Commands {
 public:
  Commands(const Report& report, const std::string& database);

  // Every finding, item and change of the run; every campaign and benchmark.
  [[nodiscard]] std::string findings() const;
  [[nodiscard]] std::string items() const;
  [[nodiscard]] std::string changes() const;
  [[nodiscard]] std::string campaigns() const;
  [[nodiscard]] std::string benchmarks() const;
  [[nodiscard]] std::string measurements() const;

 private:
  [[nodiscard]] std::string report_as(std::string_view ending) const;

  const Report& report_;
  std::string database_;
};

// `text` as one word of a command line.
[[nodiscard]] std::string shell_word(std::string_view text);

// The sentence of a code; nothing where it is none of the catalogue.
[[nodiscard]] std::string_view code_sentence(std::string_view code);

// Rows up to this number are shown at once, longer lists when they are asked for.
inline constexpr std::uint64_t kOpenRows = 10;

void open_section(Markup& page, std::string_view id, std::string_view title);
// A list that can be folded away, under a heading of two parts.
void open_details(Markup& page, bool is_open, std::string_view count, std::string_view name);
void open_table(Markup& page, std::initializer_list<std::string_view> columns);
// Closes the table of open_table().
void close_table(Markup& page);
void add_code_cell(Markup& page, std::string_view text);
void add_number_cell(Markup& page, std::uint64_t number);
void add_number_cell(Markup& page, std::string_view number);
// The line for what was cut; nothing where nothing was.
void add_more(Markup& page, std::uint64_t more, std::string_view command);

// One section each, or nothing where there is nothing to say.
void add_changes(Markup& page, const Report& report, const Commands& commands);
void add_failures(Markup& page, const Report& report, const Commands& commands);
void add_rules(Markup& page, const Report& report, const Commands& commands);
void add_formats(Markup& page, const Report& report);
void add_unknown(Markup& page, const Report& report, const Commands& commands);
void add_notes(Markup& page, const Report& report, const Commands& commands);
void add_fuzzing(Markup& page, const Report& report, const Commands& commands);
void add_benchmarks(Markup& page, const Report& report, const Commands& commands);

}  // namespace assay::reports
