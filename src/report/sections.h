// SPDX-License-Identifier: Apache-2.0
// The sections of the page, in the order in which it shows them. Each appends to `html` and is
// complete by itself: no data gives a sentence that says so, never an empty frame. Private to this
// room.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "report/report.h"

namespace headrace::report {

// Totals over all stages: the first stage's in, the last one's out, the losses between.
struct Totals {
  std::uint64_t in = 0;
  std::uint64_t kept = 0;
  std::uint64_t dropped = 0;
  std::uint64_t quarantined = 0;
};

std::uint64_t dropped(const StageRow& stage);
Totals totals(const std::vector<StageRow>& stages);

// Why the books do not balance, a sentence for each stage that is wrong; empty when all are right.
std::vector<std::string> imbalances(const std::vector<StageRow>& stages);

void append_sample(const DroppedSample& sample, bool quarantined, std::string* html);

// Where each reason's samples stand: reason → anchor; "" = the first that was quarantined.
using Anchors = std::map<std::string, std::string, std::less<>>;
Anchors sample_anchors(const ReportData& data);

// "sha256-..." as a content security policy names a script that may run.
std::string policy_hash(std::string_view script);

const char* style_sheet();                                          // style.cc
void append_projection(const ReportData& data, std::string* html);  // projection.cc
void append_stages(const ReportData& data, std::string* html);      // funnel.cc
void append_domains(const ReportData& data, std::string* html);     // funnel.cc
void append_reasons(const ReportData& data, std::string* html);     // funnel.cc
void append_measures(const ReportData& data, std::string* html);    // measures.cc
void append_scores(const ReportData& data, std::string* html);      // score.cc
void append_leaks(const ReportData& data, std::string* html);       // leaks.cc
void append_samples(const ReportData& data, std::string* html);     // samples.cc
void append_clusters(const ReportData& data, std::string* html);    // clusters.cc
void append_notes(const ReportData& data, std::string* html);       // samples.cc

}  // namespace headrace::report
