// SPDX-License-Identifier: Apache-2.0
// Blanks and line ends: what layout left behind goes, what carries meaning stays.
//
// mode paragraphs:
// - Line ends (also CR LF, CR, VT, FF, NEL, U+2028) become "\n", U+2029 a blank line; more than one
//   blank line in a row becomes one.
// - Blanks at the end of a line go. Blanks at its beginning stay, as they are code's and lists'
//   structure, unless they hold an ideographic blank (U+3000): those are the paragraph indents of
//   Chinese text, which is layout, and go.
// - Inside a line a run of blanks becomes one space. Tabs inside a line stay, all of them, because
//   they separate columns (two tabs are an empty cell); the spaces around them go. One U+3000
//   stays: it is a full-width character that an author typed; a run with one becomes one. NBSP,
//   thin and other fixed spaces become a space. Tables aligned by spaces lose their alignment, not
//   their cells.
// - The ends of the text are trimmed; its first line keeps its indentation only where a later line
//   is indented as well, so that a piece of code keeps its shape.
// mode single_line: every run becomes one space (or one U+3000, if it holds one and no line end).
//
// Clean text has a blank every six bytes, so looking at each is too slow: the scan looks for pairs
// that may be wrong (blank + blank, blank + line end, three line ends, unusual blanks), and only
// the run of blanks around such a pair is parsed. In place: what replaces a run is never longer.
#include <cstring>

#include "base/error.h"
#include "normalize/internal/suspects.h"
#include "normalize/internal/utf8.h"
#include "normalize/internal/white_run.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using internal::code_point_at;
using internal::CodePoint;
using internal::has_indented_line;
using internal::is;
using internal::parse_run;
using internal::Run;
using internal::run_begin;
using internal::within;

constexpr std::string_view kIdeographicBlankBytes = "\xE3\x80\x80";

struct UnusualBlanks {
  template <class Bytes>
  static auto matches(Bytes a, Bytes b, Bytes c) {
    const auto general =
        is(a, 0xE2) &
        ((is(b, 0x80) & (within(c, 0x80, 0x8A) | within(c, 0xA8, 0xA9) | is(c, 0xAF))) |
         (is(b, 0x81) & is(c, 0x9F)));
    return within(a, '\v', '\r') | (is(a, 0xC2) & (is(b, 0xA0) | is(b, 0x85))) |
           (is(a, 0xE1) & is(b, 0x9A) & is(c, 0x80)) | general |
           (is(a, 0xE3) & is(b, 0x80) & is(c, 0x80));
  }
};

struct ParagraphsPattern {
  template <class Bytes>
  static auto matches(Bytes a, Bytes b, Bytes c) {
    const auto blank = is(a, ' ') | is(a, '\t');
    return (blank & (is(b, ' ') | within(b, '\t', '\n'))) |
           (is(a, '\n') & is(b, '\n') & is(c, '\n')) | UnusualBlanks::matches(a, b, c);
  }
};

struct SingleLinePattern {
  template <class Bytes>
  static auto matches(Bytes a, Bytes b, Bytes c) {
    return within(a, '\t', '\n') | (is(a, ' ') & is(b, ' ')) | UnusualBlanks::matches(a, b, c);
  }
};

// Rewrites one text in place: `write` never overtakes `read`.
class Rewriter {
 public:
  explicit Rewriter(std::string& text) : text_(text) {}

  template <class Pattern>
  std::size_t run(bool single_line) {
    const std::size_t end = trim_end();
    trim_begin(single_line);
    for (;;) {
      const std::size_t suspect = std::min(find_in_text<Pattern>(end), end);
      keep(run_begin(text_, suspect, read_) - read_);
      if (suspect == end) break;
      const Run white = parse_run(text_, read_);
      HEADRACE_DCHECK(white.points > 0);
      if (white.line_ends == 0 || single_line) {
        fold(white, single_line);
      } else {
        break_lines(white);
      }
    }
    text_.resize(write_);
    return changes_;
  }

 private:
  template <class Pattern>
  std::size_t find_in_text(std::size_t end) const {
    return internal::find_suspect<Pattern>(std::string_view(text_).substr(0, end), read_);
  }

  void keep(std::size_t length) {
    if (write_ != read_) std::memmove(text_.data() + write_, text_.data() + read_, length);
    write_ += length;
    read_ += length;
  }

  void put(std::string_view bytes) {
    std::memcpy(text_.data() + write_, bytes.data(), bytes.size());
    write_ += bytes.size();
  }

  // Returns where the trimmed text ends.
  std::size_t trim_end() {
    const std::size_t end = run_begin(text_, text_.size(), 0);
    changes_ += parse_run(text_, end).points;
    text_.resize(end);
    return end;
  }

  void trim_begin(bool single_line) {
    const Run white = parse_run(text_, 0);
    const bool keeps_indent = !single_line && white.indent_points > 0 &&
                              !white.indent_ideographic && has_indented_line(text_, white.end);
    changes_ += white.points - (keeps_indent ? white.indent_points : 0);
    read_ = keeps_indent ? white.indent : white.end;
    if (keeps_indent) put_indent(white);
    read_ = white.end;
  }

  // A run inside a line, or any run of a single line.
  void fold(const Run& white, bool single_line) {
    if (white.tabs > 0 && !single_line) {
      for (std::size_t i = 0; i < white.tabs; ++i) put("\t");
      changes_ += white.points - white.tabs;
    } else if (white.ideographic > 0 && white.line_ends == 0) {
      put(kIdeographicBlankBytes);
      changes_ += white.points - 1;
    } else {
      put(" ");
      changes_ += white.points - (white.spaces > 0 ? 1 : 0);
    }
    read_ = white.end;
  }

  void break_lines(const Run& white) {
    const std::size_t line_ends = std::min<std::size_t>(white.line_ends, 2);
    for (std::size_t i = 0; i < line_ends; ++i) put("\n");
    const std::size_t before_indent = white.points - white.indent_points;
    changes_ += before_indent - std::min(line_ends, white.line_feeds);
    if (white.indent_ideographic) {
      changes_ += white.indent_points;
    } else {
      read_ = white.indent;
      put_indent(white);
    }
    read_ = white.end;
  }

  // Copies indentation from white.indent on; other blanks than space and tab become spaces.
  void put_indent(const Run& white) {
    for (std::size_t i = white.indent; i < white.end;) {
      const CodePoint c = code_point_at(text_, i);
      i += c.length;
      changes_ += c.value != ' ' && c.value != '\t';
      put(c.value == '\t' ? "\t" : " ");
    }
  }

  std::string& text_;
  std::size_t read_ = 0;
  std::size_t write_ = 0;
  std::size_t changes_ = 0;
};

class Whitespace final : public Step {
 public:
  explicit Whitespace(bool single_line) : single_line_(single_line) {}

  std::size_t apply(std::string& text, Markup&, std::string& scratch) const override {
    (void)scratch;
    return single_line_ ? Rewriter(text).run<SingleLinePattern>(true)
                        : Rewriter(text).run<ParagraphsPattern>(false);
  }

 private:
  const bool single_line_;
};

Result<std::unique_ptr<Step>> make(const OptionValues& options) {
  return std::make_unique<Whitespace>(options.at("mode") == "single_line");
}

}  // namespace

void register_whitespace(Registry& registry) {
  registry.add(
      {"whitespace",
       "blanks and line ends removed or replaced",
       "trims and folds blanks and blank lines; keeps paragraphs, indentation and tabs",
       {{"mode",
         "paragraphs",
         {"paragraphs", "single_line"},
         "paragraphs keeps lines and one blank line between them; single_line joins all lines "
         "by a space"}},
       make});
}

}  // namespace headrace::normalize
