// SPDX-License-Identifier: Apache-2.0
// HTML → text: the main content of a page, or all of it.
//
// Rules and no model: one walk over the tree makes blocks (runs of inline text) and elements; then
// arithmetic on arrays values each block, marks regions that are not content, chooses the element
// with the greatest sum and prints it, pruned. Names are hints in a few languages; the rest knows
// no language. Formulas come out as TeX, code with its indentation, tables of data as rows.
//
// A text that is not known to be a page is one only if it begins as one does: a plain text never
// loses a "<". One that is known to be plain is never touched.
//
// Cost: parsing is most of it (docs/rooms/04-normalize.md has the figures). The passes are linear;
// what bounds the parser stands in html_parser.cc.
#include "normalize/internal/html_text.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using internal::HtmlMode;

class HtmlToText final : public Step {
 public:
  HtmlToText(bool always, HtmlMode mode) : always_(always), mode_(mode) {}

  std::size_t apply(std::string& text, Markup& markup, std::string& scratch) const override {
    if (markup == Markup::kPlain) return 0;
    if (markup == Markup::kUnknown && !always_ && !internal::begins_as_html(text)) return 0;
    if (!internal::html_to_text(text, mode_, &scratch)) return 0;
    markup = Markup::kPlain;
    if (scratch == text) return 0;
    text.swap(scratch);
    return 1;
  }

 private:
  const bool always_;
  const HtmlMode mode_;
};

Result<std::unique_ptr<Step>> make(const OptionValues& options) {
  return std::make_unique<HtmlToText>(options.at("when") == "always", options.at("mode") == "plain"
                                                                          ? HtmlMode::kPlain
                                                                          : HtmlMode::kMain);
}

}  // namespace

void register_html_to_text(Registry& registry) {
  registry.add({"html_to_text",
                "pages turned into text",
                "turns HTML into text: the main content, or all of it",
                {{"when",
                  "html",
                  {"html", "always"},
                  "html acts on what is declared as HTML or begins as a page; always on every "
                  "text that is not known to be plain"},
                 {"mode",
                  "main",
                  {"main", "plain"},
                  "main keeps the content and leaves out navigation, comments and notices; plain "
                  "keeps all text"}},
                make});
}

}  // namespace headrace::normalize
