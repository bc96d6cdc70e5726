// SPDX-License-Identifier: Apache-2.0
// One table, looked up by the library's number for a tag; tags without one go by name.
#include "normalize/internal/html_tags.h"

#include <algorithm>
#include <array>

namespace headrace::normalize::internal {
namespace {

using Table = std::array<HtmlTagInfo, MyHTML_TAG_LAST_ENTRY>;

constexpr myhtml_tag_id_t kSkipTags[] = {
    MyHTML_TAG_STYLE,       MyHTML_TAG_NOSCRIPT, MyHTML_TAG_TEMPLATE, MyHTML_TAG_SVG,
    MyHTML_TAG_IFRAME,      MyHTML_TAG_OBJECT,   MyHTML_TAG_EMBED,    MyHTML_TAG_APPLET,
    MyHTML_TAG_CANVAS,      MyHTML_TAG_AUDIO,    MyHTML_TAG_VIDEO,    MyHTML_TAG_AREA,
    MyHTML_TAG_INPUT,       MyHTML_TAG_NOFRAMES, MyHTML_TAG_FRAME,    MyHTML_TAG_FRAMESET,
    MyHTML_TAG_LINK,        MyHTML_TAG_META,     MyHTML_TAG_BASE,     MyHTML_TAG_PARAM,
    MyHTML_TAG_SOURCE,      MyHTML_TAG_TRACK,    MyHTML_TAG_COL,      MyHTML_TAG_COLGROUP,
    MyHTML_TAG_RT,          MyHTML_TAG_RP,       MyHTML_TAG_DATALIST, MyHTML_TAG_METER,
    MyHTML_TAG_PROGRESS,    MyHTML_TAG__COMMENT, MyHTML_TAG__DOCTYPE, MyHTML_TAG__UNDEF,
    MyHTML_TAG__END_OF_FILE};
constexpr myhtml_tag_id_t kControlTags[] = {
    MyHTML_TAG_MAP,      MyHTML_TAG_BUTTON, MyHTML_TAG_SELECT, MyHTML_TAG_OPTION,
    MyHTML_TAG_TEXTAREA, MyHTML_TAG_DIALOG, MyHTML_TAG_OUTPUT};
constexpr myhtml_tag_id_t kInlineTags[] = {
    MyHTML_TAG_A,    MyHTML_TAG_ABBR,   MyHTML_TAG_ACRONYM, MyHTML_TAG_B,    MyHTML_TAG_BDI,
    MyHTML_TAG_BDO,  MyHTML_TAG_BIG,    MyHTML_TAG_CITE,    MyHTML_TAG_CODE, MyHTML_TAG_DEL,
    MyHTML_TAG_DFN,  MyHTML_TAG_EM,     MyHTML_TAG_FONT,    MyHTML_TAG_I,    MyHTML_TAG_INS,
    MyHTML_TAG_KBD,  MyHTML_TAG_LABEL,  MyHTML_TAG_MARK,    MyHTML_TAG_NOBR, MyHTML_TAG_Q,
    MyHTML_TAG_RB,   MyHTML_TAG_RUBY,   MyHTML_TAG_S,       MyHTML_TAG_SAMP, MyHTML_TAG_SMALL,
    MyHTML_TAG_SPAN, MyHTML_TAG_STRIKE, MyHTML_TAG_STRONG,  MyHTML_TAG_SUB,  MyHTML_TAG_SUP,
    MyHTML_TAG_TIME, MyHTML_TAG_TT,     MyHTML_TAG_U,       MyHTML_TAG_VAR,  MyHTML_TAG_WBR};
constexpr myhtml_tag_id_t kBlockTags[] = {
    MyHTML_TAG_CENTER,   MyHTML_TAG_DETAILS,   MyHTML_TAG_DIR,      MyHTML_TAG_DIV,
    MyHTML_TAG_FIELDSET, MyHTML_TAG_FORM,      MyHTML_TAG_HEADER,   MyHTML_TAG_HGROUP,
    MyHTML_TAG_HR,       MyHTML_TAG_LEGEND,    MyHTML_TAG_LISTING,  MyHTML_TAG_MAIN,
    MyHTML_TAG_MENU,     MyHTML_TAG_PLAINTEXT, MyHTML_TAG_SECTION,  MyHTML_TAG_SUMMARY,
    MyHTML_TAG_TFOOT,    MyHTML_TAG_XMP,       MyHTML_TAG_OPTGROUP, MyHTML_TAG_MARQUEE,
    MyHTML_TAG_BLINK};

struct Named {
  myhtml_tag_id_t id;
  HtmlTag tag;
};
constexpr Named kToldApart[] = {
    {MyHTML_TAG_HTML, HtmlTag::kHtml},
    {MyHTML_TAG_BODY, HtmlTag::kBody},
    {MyHTML_TAG_P, HtmlTag::kP},
    {MyHTML_TAG_H1, HtmlTag::kHeading1},
    {MyHTML_TAG_H2, HtmlTag::kHeading2},
    {MyHTML_TAG_H3, HtmlTag::kHeading3},
    {MyHTML_TAG_H4, HtmlTag::kHeading3},
    {MyHTML_TAG_H5, HtmlTag::kHeading3},
    {MyHTML_TAG_H6, HtmlTag::kHeading3},
    {MyHTML_TAG_UL, HtmlTag::kUl},
    {MyHTML_TAG_OL, HtmlTag::kOl},
    {MyHTML_TAG_LI, HtmlTag::kLi},
    {MyHTML_TAG_DL, HtmlTag::kDl},
    {MyHTML_TAG_DT, HtmlTag::kDt},
    {MyHTML_TAG_DD, HtmlTag::kDd},
    {MyHTML_TAG_TABLE, HtmlTag::kTable},
    {MyHTML_TAG_THEAD, HtmlTag::kThead},
    {MyHTML_TAG_TBODY, HtmlTag::kTbody},
    {MyHTML_TAG_TR, HtmlTag::kTr},
    {MyHTML_TAG_TD, HtmlTag::kTd},
    {MyHTML_TAG_TH, HtmlTag::kTh},
    {MyHTML_TAG_CAPTION, HtmlTag::kCaption},
    {MyHTML_TAG_PRE, HtmlTag::kPre},
    {MyHTML_TAG_BLOCKQUOTE, HtmlTag::kBlockquote},
    {MyHTML_TAG_FIGURE, HtmlTag::kFigure},
    {MyHTML_TAG_FIGCAPTION, HtmlTag::kFigcaption},
    {MyHTML_TAG_ARTICLE, HtmlTag::kArticle},
    {MyHTML_TAG_ASIDE, HtmlTag::kAside},
    {MyHTML_TAG_NAV, HtmlTag::kNav},
    {MyHTML_TAG_FOOTER, HtmlTag::kFooter},
    {MyHTML_TAG_ADDRESS, HtmlTag::kAddress},
};

constexpr Table make_table() {
  Table table{};
  for (const auto id : kSkipTags) table[id].kind = HtmlKind::kSkip;
  for (const auto id : kControlTags) table[id].kind = HtmlKind::kControl;
  for (const auto id : kInlineTags) table[id].kind = HtmlKind::kInline;
  for (const auto id : kBlockTags) table[id].kind = HtmlKind::kBlock;
  for (const Named& named : kToldApart) {
    table[named.id] = {HtmlKind::kBlock, named.tag, false, false};
  }
  for (const auto id : {MyHTML_TAG_PRE, MyHTML_TAG_XMP, MyHTML_TAG_LISTING}) {
    table[id].preformatted = true;
  }
  for (const auto id :
       {MyHTML_TAG_A, MyHTML_TAG_B, MyHTML_TAG_I, MyHTML_TAG_Q, MyHTML_TAG_S, MyHTML_TAG_U}) {
    table[id].one_letter = true;
  }
  table[MyHTML_TAG_BR].kind = HtmlKind::kBreak;
  table[MyHTML_TAG_IMG].kind = HtmlKind::kImage;
  table[MyHTML_TAG_MATH].kind = HtmlKind::kMath;
  table[MyHTML_TAG_SCRIPT].kind = HtmlKind::kScript;
  table[MyHTML_TAG_TITLE].kind = HtmlKind::kTitle;
  table[MyHTML_TAG_HEAD].kind = HtmlKind::kHead;
  return table;
}
constexpr Table kTable = make_table();

HtmlTagInfo by_name(std::string_view name) {
  HtmlTagInfo info;
  if (name.starts_with("mjx") || name.find(':') != std::string_view::npos || name == "picture" ||
      name == "data") {
    info.kind = HtmlKind::kInline;
  } else if (name == "search" || name == "slot" || name.find('-') != std::string_view::npos) {
    info.kind = HtmlKind::kBlock;
  }
  return info;
}

}  // namespace

HtmlTagInfo tag_info(const HtmlParser& parser, const HtmlNode* element) {
  return element->tag_id < kTable.size() ? kTable[element->tag_id]
                                         : by_name(parser.tag_name(element));
}

}  // namespace headrace::normalize::internal
