#include "reports/markup.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

#include "golden/display.h"
#include "parsers/base/escape.h"

namespace assay::reports {
namespace {

// Elements inside a line of text; after all others the line ends, so that a page can be read and compared as text.
constexpr std::array<std::string_view, 7> kInline{"a", "code", "span", "strong", "td", "th", "time"};

// U+FFFE and U+FFFF are the only characters that display_message() keeps and XML 1.0 cannot hold.
bool starts_with_noncharacter(std::string_view text) {
  return text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
}

void append_bytes(std::string& text, std::string_view bytes) {
  text += escape_bytes(as_bytes(bytes));
}

std::string ascii_text(std::string_view text) {
  std::string shown;
  for (const char character : text) {
    // A backslash stays: names are escaped already, and what is shown is what the command takes.
    if (character >= ' ' && character <= '~') {
      shown += character;
    } else {
      append_bytes(shown, std::string_view(&character, 1));
    }
  }
  return shown;
}

std::string utf8_text(std::string_view text) {
  const std::string displayed = golden::display_message(text);
  std::string shown;
  for (std::string_view rest = displayed; !rest.empty();) {
    const std::size_t escaped = rest.front() == '\n' ? 1 : starts_with_noncharacter(rest) ? 3 : 0;
    const std::size_t taken = std::max<std::size_t>(escaped, 1);
    if (escaped == 0) {
      shown += rest.front();
    } else {
      append_bytes(shown, rest.substr(0, escaped));
    }
    rest.remove_prefix(taken);
  }
  return shown;
}

}  // namespace

std::string shown_text(std::string_view text, Shown shown) {
  return shown == Shown::kAscii ? ascii_text(text) : utf8_text(text);
}

std::string markup_escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char character : text) {
    switch (character) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += character;
    }
  }
  return escaped;
}

Markup& Markup::open(std::string_view element, Attributes attributes) {
  start(element, attributes);
  text_ += '>';
  open_.push_back(element);
  return *this;
}

Markup& Markup::close() {
  assert(!open_.empty());
  const std::string_view element = open_.back();
  open_.pop_back();
  text_.append("</").append(element).append(">");
  end_line(element);
  return *this;
}

Markup& Markup::text(std::string_view text) {
  text_ += markup_escaped(shown_text(text, shown_));
  return *this;
}

Markup& Markup::raw(std::string_view content) {
  text_ += content;
  return *this;
}

Markup& Markup::empty(std::string_view element, Attributes attributes) {
  start(element, attributes);
  text_ += "/>";
  end_line(element);
  return *this;
}

Markup& Markup::element(std::string_view name, std::string_view content, Attributes attributes) {
  return open(name, attributes).text(content).close();
}

std::string Markup::take() {
  assert(open_.empty());
  return std::move(text_);
}

void Markup::start(std::string_view element, Attributes attributes) {
  text_.append("<").append(element);
  for (const auto& [name, value] : attributes) {
    text_.append(" ").append(name).append("=\"").append(markup_escaped(shown_text(value, shown_))).append("\"");
  }
}

void Markup::end_line(std::string_view element) {
  if (std::ranges::find(kInline, element) == kInline.end()) {
    text_ += '\n';
  }
}

}  // namespace assay::reports
