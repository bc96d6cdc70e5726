// SPDX-License-Identifier: Apache-2.0
// For the tests of this room: reads a page as strict XML and finds elements in it.
//
// Strict on purpose: a browser repairs what is broken and so hides a hole in the escaping; here any
// stray "<", any attribute that ends early and any forbidden character is an error.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::report {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;  // values still escaped
  std::string text;                               // of this element and those in it, still escaped
  std::vector<std::unique_ptr<Element>> children;

  // All elements below, in page order, that `wanted` accepts.
  std::vector<const Element*> all(const std::function<bool(const Element&)>& wanted) const {
    std::vector<const Element*> found;
    for (const auto& child : children) {
      if (wanted(*child)) {
        found.push_back(child.get());
      }
      const auto below = child->all(wanted);
      found.insert(found.end(), below.begin(), below.end());
    }
    return found;
  }
  std::vector<const Element*> named(std::string_view wanted) const {
    return all([wanted](const Element& element) { return element.name == wanted; });
  }
  std::vector<const Element*> of_class(std::string_view wanted) const {
    return all([wanted](const Element& element) {
      const auto it = element.attributes.find("class");
      return it != element.attributes.end() &&
             (" " + it->second + " ").find(" " + std::string(wanted) + " ") != std::string::npos;
    });
  }
  const Element* id(std::string_view wanted) const {
    const auto found = all([wanted](const Element& element) {
      const auto it = element.attributes.find("id");
      return it != element.attributes.end() && it->second == wanted;
    });
    return found.size() == 1 ? found.front() : nullptr;
  }
};

class PageReader {
 public:
  // The root, or nothing and error().
  std::unique_ptr<Element> read(std::string_view page) {
    page_ = page;
    auto top = std::make_unique<Element>();
    if (page_.starts_with("<!DOCTYPE html>")) {
      at_ = page_.find('>') + 1;
    }
    content(top.get());
    if (error_.empty() && at_ != page_.size()) {
      fail("a closing tag too many");
    }
    return error_.empty() ? std::move(top) : nullptr;
  }
  const std::string& error() const { return error_; }

 private:
  static bool forbidden(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\n' && c != '\t';
  }

  void fail(std::string_view what) {
    if (error_.empty()) {
      error_ = std::string(what) + " at " + std::to_string(at_) + ": " +
               std::string(page_.substr(at_ < 40 ? 0 : at_ - 40, 80));
    }
  }

  void check_text(std::string_view text) {
    static constexpr std::string_view kEntities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (forbidden(text[i])) {
        fail("a control character");
      }
      bool known = text[i] != '&';
      for (const std::string_view entity : kEntities) {
        known = known || text.substr(i).starts_with(entity);
      }
      if (!known) {
        fail("a bare &");
      }
    }
  }

  // Everything up to the closing tag of `parent`, which stays.
  void content(Element* parent) {
    while (error_.empty() && at_ < page_.size()) {
      const std::size_t next = std::min(page_.find('<', at_), page_.size());
      const std::string_view text = page_.substr(at_, next - at_);
      check_text(text);
      parent->text += text;
      at_ = next;
      if (at_ == page_.size() || page_.substr(at_).starts_with("</")) {
        return;
      }
      element(parent);
    }
  }

  void element(Element* parent) {
    auto child = std::make_unique<Element>();
    const std::size_t name_end = page_.find_first_of(" />", at_);
    if (name_end == std::string_view::npos) {
      return fail("a tag that does not end");
    }
    child->name = page_.substr(at_ + 1, name_end - at_ - 1);
    at_ = name_end;
    if (child->name.empty() || child->name.find_first_not_of(
                                   "abcdefghijklmnopqrstuvwxyz0123456789") != std::string::npos) {
      return fail("not a tag");
    }
    while (error_.empty() && page_.substr(at_, 1) == " ") {
      attribute(child.get());
    }
    if (page_.substr(at_).starts_with("/>")) {
      at_ += 2;
    } else if (page_.substr(at_).starts_with(">")) {
      ++at_;
      content(child.get());
      const std::string closing = "</" + child->name + ">";
      if (!page_.substr(at_).starts_with(closing)) {
        return fail("expected " + closing);
      }
      at_ += closing.size();
    } else {
      return fail("a tag that does not end");
    }
    parent->text += child->text;
    parent->children.push_back(std::move(child));
  }

  void attribute(Element* element) {
    ++at_;
    const std::size_t equals = page_.find("=\"", at_);
    const std::string name(page_.substr(at_, equals - at_));
    if (equals == std::string_view::npos || name.find_first_of(" <>\"/") != std::string::npos) {
      return fail("an attribute without a quoted value");
    }
    const std::size_t end = page_.find('"', equals + 2);
    if (end == std::string_view::npos) {
      return fail("an attribute that does not end");
    }
    const std::string_view value = page_.substr(equals + 2, end - equals - 2);
    check_text(value);
    if (value.find('<') != std::string_view::npos ||
        !element->attributes.emplace(name, value).second) {
      return fail("a bad value or a second one of attribute " + name);
    }
    at_ = end + 1;
  }

  std::string_view page_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace headrace::report
