// SPDX-License-Identifier: Apache-2.0
#include "curate/ledger.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/test_folder.h"

namespace headrace::curate {
namespace {

class LedgerTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(io::write_file_atomic(directory_.at("out.bin"), "hello")); }

  Commit commit() const {
    Commit commit;
    commit.fingerprint = "f1";
    commit.outputs.push_back({"out.bin", 0, ""});
    commit.files[3] = {
        .in = 5, .out = 3, .quarantined = 1, .lines = 9, .dropped = {{"too_short", 1}}};
    commit.files[3].quarantine = {{"not_json", {1, 40}}};
    commit.notes.emplace_back(3, "truncated: at 17");
    commit.numbers["rows"] = 3;
    return commit;
  }

  io::TestFolder folder_;
  RunDirectory directory_{folder_.path()};
  Ledger ledger_{directory_};
};

TEST_F(LedgerTest, RoundTrip) {
  ASSERT_TRUE(ledger_.write("documents", 2, commit()));
  const auto found = ledger_.find("documents", 2, "f1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outputs[0].bytes, 5U);
  EXPECT_EQ(found->outputs[0].xxh3_128, to_hex(hash128("hello")));
  EXPECT_EQ(found->files.at(3).dropped.at("too_short"), 1U);
  EXPECT_EQ(found->files.at(3).quarantine.at("not_json").first_offset, 40U);
  EXPECT_EQ(found->files.at(3).lines, 9U);
  EXPECT_EQ(found->notes[0].second, "truncated: at 17");
  EXPECT_EQ(found->numbers.at("rows"), 3U);
}

TEST(FileCountsTest, OfTwoTasksTheEarliestIsFirst) {
  FileCounts all{.quarantine = {{"a", {2, 90}}, {"b", {1, 5}}}};
  all.add({.quarantine = {{"a", {3, 7}}, {"c", {4, 1}}}});
  EXPECT_EQ(all.quarantine.at("a").records, 5U);
  EXPECT_EQ(all.quarantine.at("a").first_offset, 7U);
  EXPECT_EQ(all.quarantine.at("b").first_offset, 5U);
  EXPECT_EQ(all.quarantine.at("c").records, 4U);
}

TEST_F(LedgerTest, AnotherFingerprintOrAMissingOutputIsNoCommit) {
  ASSERT_TRUE(ledger_.write("documents", 0, commit()));
  EXPECT_FALSE(ledger_.find("documents", 0, "f2"));
  EXPECT_FALSE(ledger_.find("documents", 1, "f1"));
  ASSERT_TRUE(io::write_file_atomic(directory_.at("out.bin"), "hell"));
  EXPECT_FALSE(ledger_.find("documents", 0, "f1"));
  ASSERT_TRUE(io::remove_all(directory_.at("out.bin")));
  EXPECT_FALSE(ledger_.find("documents", 0, "f1"));
}

// The right size is not enough: what was touched behind the commit is read.
TEST_F(LedgerTest, AnOutputThatWasChangedIsNoCommit) {
  ASSERT_TRUE(ledger_.write("documents", 0, commit()));
  const Commit written = ledger_.find("documents", 0, "f1").value();
  ASSERT_TRUE(io::write_file_atomic(directory_.at("out.bin"), "hellO"));
  EXPECT_FALSE(ledger_.find("documents", 0, "f1"));
  EXPECT_EQ(ledger_.broken_output("documents", 0, written), "out.bin");
  const char* const elsewhere[] = {"other"};
  EXPECT_FALSE(ledger_.broken_output("documents", 0, written, elsewhere));
  ASSERT_TRUE(io::write_file_atomic(directory_.at("out.bin"), "hello"));  // written again, the same
  EXPECT_TRUE(ledger_.find("documents", 0, "f1"));
}

// A run that was copied is read once: its files are younger than their commits.
TEST_F(LedgerTest, RenewedCommitsAreTrustedAgain) {
  ASSERT_TRUE(ledger_.write("documents", 0, commit()));
  const std::string path = directory_.at("tasks/documents/00000.json");
  ASSERT_TRUE(io::write_file_atomic(directory_.at("out.bin"), "hello"));
  ASSERT_TRUE(ledger_.find("documents", 0, "f1"));
  const std::int64_t before = io::file_info(path).value().changed_ns;
  ledger_.renew("documents", 0);
  const std::int64_t renewed = io::file_info(path).value().changed_ns;
  EXPECT_GE(renewed, before);
  EXPECT_GE(renewed, io::file_info(directory_.at("out.bin")).value().changed_ns);
  EXPECT_TRUE(ledger_.find("documents", 0, "f1"));
}

TEST_F(LedgerTest, ADamagedCommitIsNoCommit) {
  ASSERT_TRUE(ledger_.write("documents", 0, commit()));
  for (const char* text : {"", "{", "{}", "[]", "{\"fingerprint\": \"f1\"}", "\xff\xfe"}) {
    ASSERT_TRUE(io::write_file_atomic(directory_.at("tasks/documents/00000.json"), text));
    EXPECT_FALSE(ledger_.find("documents", 0, "f1")) << text;
  }
}

TEST_F(LedgerTest, ForgetsWhatAShorterPlanNoLongerHas) {
  for (std::size_t task = 0; task < 4; ++task) {
    Commit one = commit();
    one.outputs[0].path = fmt::format("part-{}", task);
    ASSERT_TRUE(io::write_file_atomic(directory_.at(one.outputs[0].path), "x"));
    ASSERT_TRUE(ledger_.write("documents", task, one));
  }
  ASSERT_TRUE(ledger_.forget_from("documents", 2));
  EXPECT_EQ(ledger_.all("documents").size(), 2U);
  EXPECT_TRUE(io::exists(directory_.at("part-1")));
  EXPECT_FALSE(io::exists(directory_.at("part-2")));
  EXPECT_FALSE(io::exists(directory_.at("part-3")));
}

TEST_F(LedgerTest, ForgettingATaskRemovesItsOutputsAndItsCommit) {
  ASSERT_TRUE(ledger_.write("documents", 0, commit()));
  ASSERT_TRUE(ledger_.forget("documents", 0));
  EXPECT_FALSE(io::exists(directory_.at("out.bin")));
  EXPECT_FALSE(ledger_.read("documents", 0));
  EXPECT_TRUE(ledger_.forget("documents", 0));  // nothing to forget is no error
}

TEST_F(LedgerTest, AChangedNumberIsNoCommit) {
  ASSERT_TRUE(ledger_.write("documents", 0, commit()));
  const std::string path = directory_.at("tasks/documents/00000.json");
  std::string text = io::read_file(path).value();
  text.replace(text.find("\"rows\": 3"), 9, "\"rows\": 4");
  ASSERT_TRUE(io::write_file_atomic(path, text));
  EXPECT_FALSE(ledger_.read("documents", 0));
}

TEST_F(LedgerTest, ACommitThatLeadsOutOfTheRunIsNoCommit) {
  const RunDirectory inner(folder_ / "inner");
  ASSERT_TRUE(io::make_directories(inner.root()));
  const Ledger ledger(inner);
  Commit outside = commit();
  outside.outputs[0].path = "../out.bin";
  ASSERT_TRUE(ledger.write("documents", 0, outside));
  EXPECT_FALSE(ledger.read("documents", 0));
}

TEST(FingerprintTest, WordsDoNotFlowTogether) {
  EXPECT_NE(Fingerprint().add("ab").add("c").hex(), Fingerprint().add("a").add("bc").hex());
  EXPECT_EQ(Fingerprint().add("ab").add(0.5).hex(), Fingerprint().add("ab").add(0.5).hex());
}

}  // namespace
}  // namespace headrace::curate
