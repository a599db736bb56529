#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A strict reader of markup for tests, apart from what writes it: tags nest, attributes are quoted and stand once, only
// the five entities of XML are known, and every character is one that XML 1.0 can hold.
namespace assay::reports::test {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  // Text and elements inside it, in order: the text of all, and the elements directly inside.
  std::string text;
  std::vector<Element> children;

  // All elements of that name at any depth, in order.
  [[nodiscard]] std::vector<const Element*> all(std::string_view wanted) const {
    std::vector<const Element*> found;
    for (const Element& child : children) {
      if (child.name == wanted) {
        found.push_back(&child);
      }
      std::ranges::copy(child.all(wanted), std::back_inserter(found));
    }
    return found;
  }
  // The element whose attribute has that value, or null.
  [[nodiscard]] const Element* with(const std::string& attribute, const std::string& value) const {
    for (const Element& child : children) {
      const auto own = child.attributes.find(attribute);
      if (own != child.attributes.end() && own->second == value) {
        return &child;
      }
      if (const Element* inside = child.with(attribute, value)) {
        return inside;
      }
    }
    return nullptr;
  }
};

class MarkupReader {
 public:
  // Reads a document of one element behind `prologue`.
  MarkupReader(std::string_view document, std::string_view prologue) : document_(document), rest_(document) {
    if (expect(prologue, "the prologue")) {
      check_characters();
      root_ = element();
      skip_blanks();
      if (problem_.empty() && !rest_.empty()) {
        fail("something behind the last element");
      }
    }
  }

  // What is wrong and where, or an empty text.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const Element& root() const { return root_; }

 private:
  void fail(const std::string& what) {
    if (problem_.empty()) {
      problem_ = what + " at byte " + std::to_string(document_.size() - rest_.size()) + ": " +
                 std::string(rest_.substr(0, 60));
    }
  }

  bool expect(std::string_view text, const std::string& what) {
    if (!rest_.starts_with(text)) {
      fail("expected " + what);
      return false;
    }
    rest_.remove_prefix(text.size());
    return true;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\t"), rest_.size())); }

  // Control characters, and bytes that are no UTF-8 as far as single bytes tell.
  void check_characters() {
    for (const char character : document_) {
      const auto byte = static_cast<unsigned char>(character);
      if ((byte < 0x20 && character != '\n') || byte == 0x7F || byte == 0xC0 || byte == 0xC1 || byte > 0xF4) {
        fail("a byte that may not be there, " + std::to_string(byte));
      }
    }
  }

  std::string name() {
    std::size_t size = 0;
    while (size < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[size])) != 0 || rest_[size] == '-')) {
      ++size;
    }
    const std::string found(rest_.substr(0, size));
    if (found.empty()) {
      fail("expected a name");
    }
    rest_.remove_prefix(size);
    return found;
  }

  char reference() {
    static const std::map<std::string_view, char> kKnown{
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    for (const auto& [text, character] : kKnown) {
      if (rest_.starts_with(text)) {
        rest_.remove_prefix(text.size());
        return character;
      }
    }
    fail("an unknown entity");
    rest_ = {};
    return ' ';
  }

  // Text up to one of `ends`, which is not taken.
  std::string text(std::string_view ends, std::string_view forbidden) {
    std::string found;
    while (!rest_.empty() && ends.find(rest_.front()) == std::string_view::npos) {
      if (forbidden.find(rest_.front()) != std::string_view::npos) {
        fail("a character that must be escaped");
      }
      if (rest_.front() == '&') {
        found += reference();
      } else {
        found += rest_.front();
        rest_.remove_prefix(1);
      }
    }
    return found;
  }

  void attribute(Element& element) {
    const std::string key = name();
    if (!expect("=\"", "a quoted value")) {
      return;
    }
    if (!element.attributes.emplace(key, text("\"", "<>'")).second) {
      fail("an attribute that stands twice");
    }
    expect("\"", "the end of a value");
  }

  void content(Element& element) {
    while (problem_.empty() && !rest_.starts_with("</")) {
      if (rest_.empty()) {
        fail("the document ends inside " + element.name);
      } else if (rest_.front() == '<') {
        element.children.push_back(this->element());
        element.text += element.children.back().text;
      } else {
        // A style sheet may hold `>`, as it does in HTML.
        element.text += text("<", element.name == "style" ? "" : ">\"'");
      }
    }
    expect("</" + element.name + ">", "the end of " + element.name);
  }

  Element element() {
    Element element;
    skip_blanks();
    if (!expect("<", "an element")) {
      return element;
    }
    element.name = name();
    while (problem_.empty() && rest_.starts_with(' ')) {
      rest_.remove_prefix(1);
      attribute(element);
    }
    if (rest_.starts_with("/>")) {
      rest_.remove_prefix(2);
    } else if (expect(">", "the end of a tag")) {
      content(element);
    }
    return element;
  }

  std::string_view document_;
  std::string_view rest_;
  std::string problem_;
  Element root_;
};

inline constexpr std::string_view kHtmlPrologue = "<!DOCTYPE html>\n";
inline constexpr std::string_view kXmlPrologue = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

}  // namespace assay::reports::test
