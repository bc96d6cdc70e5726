// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "report/assets.h"
#include "report/page_reader.h"
#include "report/report.h"
#include "report/sample_report.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

std::unique_ptr<Element> read_page(const ReportData& data) {
  PageReader reader;
  auto page = reader.read(render_html(data));
  EXPECT_NE(page, nullptr) << reader.error();
  return page;
}

TEST(PageReaderTest, RefusesBrokenPages) {
  for (const char* broken :
       {"<p>a<b></p></b>", "<p", "<p class=x></p>", "<p a=\"1></p>", "<p>a & b</p>", "<p>1 < 2</p>",
        "<p a=\"1\" a=\"2\"></p>", "</p>", "<p>\x01</p>", "<p>"}) {
    PageReader reader;
    EXPECT_EQ(reader.read(broken), nullptr) << broken;
  }
}

TEST(HtmlTest, HasEverySectionOnce) {
  const auto page = read_page(sample_report());
  ASSERT_NE(page, nullptr);
  for (const char* id :
       {"verdict", "summary", "stages", "domains", "reasons", "measures", "samples", "notes"}) {
    EXPECT_NE(page->id(id), nullptr) << id;
  }
  EXPECT_EQ(page->named("title").at(0)->text, "zh-en · headrace report");
  for (const Element* link : page->named("a")) {
    const std::string& target = link->attributes.at("href");
    ASSERT_EQ(target.front(), '#');
    EXPECT_NE(page->id(target.substr(1)), nullptr) << target;
  }
}

TEST(HtmlTest, CardsTellTheRun) {
  const auto page = read_page(sample_report());
  ASSERT_NE(page, nullptr);
  std::string cards;
  for (const Element* card : page->of_class("card")) {
    cards += card->text + "\n";
  }
  EXPECT_EQ(cards,
            "Input files3 2.5 MB\nDocuments in1,000 2 domains\nKept800 80.0 %\nDropped196 19.6 %\n"
            "Quarantined4 0.4 %\nShards2 megatron\nSamples9 of 1,024 tokens\n"
            "Tokens9.22 k 784 left over\n");
}

TEST(HtmlTest, NeedsNothingFromOutside) {
  const std::string html = render_html(sample_report());
  const auto page = read_page(sample_report());
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(html.find("://"), html.rfind("://"));  // in the name that SVG elements are made by
  EXPECT_NE(html.find("//www.w3.org/2000/svg"), std::string::npos);
  EXPECT_EQ(html.find("url("), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
  EXPECT_TRUE(page->all([](const Element& e) { return e.attributes.contains("src"); }).empty());
  EXPECT_NE(html.find("default-src &#39;none&#39;"), std::string::npos);
}

// The hashes of the two short scripts are from Python's hashlib and base64.
TEST(HtmlTest, OneScriptThatThePolicyNames) {
  const std::string html = render_html(sample_report());
  const auto page = read_page(sample_report());
  ASSERT_NE(page, nullptr);
  ASSERT_EQ(page->named("script").size(), 1u);
  const std::size_t begin = html.find("<script>") + 8;
  const std::string script = html.substr(begin, html.find("</script>") - begin);
  EXPECT_EQ(script, assets::report_js());
  EXPECT_EQ(html.find("unsafe-inline", html.find("script-src")),
            html.find("unsafe-inline", html.find("style-src")));
  EXPECT_EQ(policy_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(policy_hash("alert(1)"), "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
  EXPECT_NE(html.find("script-src &#39;" + policy_hash(script) + "&#39;"), std::string::npos);
}

TEST(HtmlTest, SameDataSameBytes) {
  EXPECT_EQ(render_html(sample_report()), render_html(sample_report()));
}

TEST(HtmlTest, BalancedBooks) {
  const auto page = read_page(sample_report());
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->id("verdict")->text,
            "The books balance. 1,000 in = 800 kept + 196 dropped + 4 quarantined");
  EXPECT_EQ(page->id("verdict")->attributes.at("class"), "verdict good");
}

TEST(HtmlTest, BooksThatDoNotBalanceAreTold) {
  ReportData data = sample_report();
  data.balanced = false;
  const auto said = read_page(data);
  ASSERT_NE(said, nullptr);
  EXPECT_EQ(said->id("verdict")->attributes.at("class"), "verdict bad");
  EXPECT_NE(said->id("verdict")->text.find("do NOT balance"), std::string::npos);

  // The page adds up for itself: a caller that says "balanced" is not believed.
  data.balanced = true;
  data.stages[1].out = 889;
  const auto found = read_page(data);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->id("verdict")->attributes.at("class"), "verdict bad");
  EXPECT_NE(found->of_class("wrong").at(0)->text.find("judge: 990 in, but 889 out + 100 dropped"),
            std::string::npos);
  EXPECT_NE(found->of_class("wrong").at(0)->text.find("dedup: 890 in, but 889 came out of judge"),
            std::string::npos);
}

TEST(HtmlTest, NoData) {
  const auto page = read_page(ReportData{});
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->named("h1").at(0)->text, "unnamed run");
  EXPECT_EQ(page->of_class("none").size(), 6u);  // each section says that it has nothing
  EXPECT_EQ(page->of_class("card").size(), 5u);  // no shards
}

TEST(HtmlTest, NoDocuments) {
  ReportData data;
  data.stages = {{"read", 0, 0, 0, {}}, {"judge", 0, 0, 0, {{"never", 0}}}};
  data.domains = {{"news", data.stages, 0}};
  const auto page = read_page(data);
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->id("verdict")->attributes.at("class"), "verdict good");
  EXPECT_EQ(page->id("reasons")->of_class("none").size(), 1u);
  EXPECT_EQ(render_html(data).find("nan"), std::string::npos);
}

TEST(HtmlTest, HugeCounts) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  ReportData data = sample_report();
  data.input_bytes = most;
  data.tokens = most;
  data.stages = {{"read", most, most - 1, 1, {}}};
  data.domains = {{"news", data.stages, most}};
  data.histograms[0].series[0].bins = {most, 1};
  const auto page = read_page(data);
  ASSERT_NE(page, nullptr);
  EXPECT_NE(page->id("stages")->text.find("18,446,744,073,709,551,615"), std::string::npos);
  EXPECT_NE(page->id("summary")->text.find("18.4 E"), std::string::npos);
}

TEST(HtmlTest, HostileTextStaysText) {
  std::string hostile =
      "\"><script>alert(1)</script><img src=x onerror='y'>&amp;</pre></style>]]>-->";
  hostile += '\0';
  hostile += "\xff\xe2\x80\xae\x1b";
  ReportData data;
  data.name = data.run_directory = data.version = data.shard_format = hostile;
  data.samples = data.shards = 1;
  data.stages = {{hostile, 3, 1, 1, {{hostile, 1}}}};
  data.domains = {{hostile, data.stages, 1}, {"other", data.stages, 1}};
  Histogram histogram;
  histogram.measure = histogram.unit = histogram.summary = hostile;
  histogram.series = {{hostile, {1, 2}, 0, 0.25, 7, 1}, {"other", {1, 2}, 0, 0.5, {}, 1}};
  data.histograms = {histogram};
  histogram.series = {{hostile, {1, 2}, 0, {}, {}, 0}};
  histogram.family = hostile;
  data.histograms.push_back(histogram);
  data.reasons = {{hostile, 1, {{hostile, hostile, hostile, hostile, hostile, true, hostile}}}};
  data.notes = {{hostile, hostile}};

  const auto page = read_page(data);
  ASSERT_NE(page, nullptr);
  EXPECT_TRUE(page->named("img").empty());
  EXPECT_EQ(page->named("script").size(), 1u);
  EXPECT_EQ(page->named("style").size(), 1u);
  EXPECT_TRUE(page->all([](const Element& e) { return e.attributes.contains("onerror"); }).empty());
  EXPECT_NE(page->named("pre").at(0)->text.find("&lt;/pre&gt;"), std::string::npos);
  EXPECT_NE(page->named("pre").at(0)->text.find("U+0000\\xFFU+202EU+001B"), std::string::npos);
}

TEST(HtmlTest, ASampleSaysWhatItSaysOfTheFullRun) {
  ReportData data = sample_report();
  EXPECT_EQ(render_html(data).find("id=\"projection\""), std::string::npos);
  data.projection.emplace();
  data.projection->records = 100'000;
  data.projection->sampled = 1'000;
  data.projection->kept_documents = {89'000, 87'123.4, 90'500};
  data.projection->reasons = {{"judge", "digit_share_above_max", 30, Estimate{0.03, 0.02, 0.045}},
                              {"dedup", "exact_duplicate", 9, {}}};
  data.projection->seconds = Estimate{7, 5, 9};
  PageReader reader;
  const std::string html = render_html(data);
  const auto page = reader.read(html);
  ASSERT_NE(page, nullptr) << reader.error();
  const Element* section = page->id("projection");
  ASSERT_NE(section, nullptr);
  for (const char* text : {"1,000 of 100,000 records", "89,000", "87,123 to 90,500", "3.000 %",
                           "2.000 % to 4.500 %", "a sample does not see the pairs"})
    EXPECT_NE(section->text.find(text), std::string::npos) << text;
  EXPECT_EQ(section->text.find("seconds"), std::string::npos);  // they differ from run to run
}

}  // namespace
}  // namespace headrace::report
