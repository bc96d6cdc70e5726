// SPDX-License-Identifier: Apache-2.0
#include "record/reasons.h"

#include <algorithm>

namespace headrace {
namespace {

using enum ReasonKind;

constexpr ReasonInfo kReasons[] = {
    {"undetermined_encoding", kQuarantine, "all with text",
     "the encoding is not known for sure, and the record is not plain ASCII",
     "look at the candidates of 'headrace inspect FILE' and set 'encoding' of the source"},
    {"undecodable", kQuarantine, "all with text",
     "the record is not valid in the encoding of its file",
     "look at the bytes ('headrace cat RUN --quarantined'); declare another 'encoding' if many "
     "are"},
    {"invalid_utf8", kQuarantine, "all with text", "bytes that are not UTF-8 in a file that is",
     "mend the source; if many are, its 'encoding' is another one"},
    {"not_json", kQuarantine, "jsonl", "the line is not JSON", "mend the writer of the file"},
    {"unpaired_surrogate", kQuarantine, "jsonl",
     "a \\u escape stands for half a character: there is no text that it means",
     "mend the writer of the file"},
    {"ragged_row", kQuarantine, "csv", "the row has more or fewer fields than the first row names",
     "mend the row; an unquoted comma or newline is the usual cause"},
    {"bad_quotes", kQuarantine, "csv", "a quoted field goes on behind its closing quote",
     "double the quotes inside of quoted fields"},
    {"unclosed_quote", kQuarantine, "csv",
     "a quote never closes: the rest of the file is this one row", "close the quote"},
    {"bad_header", kQuarantine, "csv", "the first row does not name the columns",
     "mend the first row; no row can be read without it"},
    {"truncated", kQuarantine, "all", "the file is cut off inside this record",
     "fetch the file again; all records before it were read"},
    {"corrupt", kQuarantine, "warc, wet, tar, parquet, arrow",
     "bytes that are not what their format or checksum says",
     "fetch the file again; what is whole around them was read"},
    {"wrong_length", kQuarantine, "warc, wet", "the record is not as long as its header says",
     "mend the writer of the archive"},
    {"not_warc", kQuarantine, "warc, wet", "no record starts where one should",
     "look whether it is a web archive; reading goes on at the next record"},
    {"bad_content_encoding", kQuarantine, "warc",
     "the payload cannot be decompressed as its header says", ""},
    {"not_tar", kQuarantine, "tar", "the file is no tar archive", "set the right 'format'"},
    {"not_parquet", kQuarantine, "parquet", "the file is no Parquet file",
     "set the right 'format'"},
    {"not_arrow", kQuarantine, "arrow", "the file is no Arrow file or stream",
     "set the right 'format'"},

    {"text_missing", kDrop, "jsonl, csv, parquet, arrow", "the record has no text field",
     "set 'text' of the source, if it has another name"},
    {"text_null", kDrop, "jsonl, parquet, arrow", "the text field is null", ""},
    {"text_not_string", kDrop, "jsonl, parquet, arrow", "the text field is no string",
     "set 'text' of the source to a field that is one"},
    {"not_an_object", kDrop, "jsonl", "the line is JSON, but no object",
     "look whether the file is JSON Lines"},
    {"record_too_long", kDrop, "all", "the record is longer than 256 MiB", "split it"},
    {"binary_file", kDrop, "code, tar", "the file has zero bytes in it: it is no text", ""},
    {"not_text", kDrop, "warc, tar", "a page or member that is no text by its type or name", ""},
    {"warc_metadata", kDrop, "warc, wet", "a record about the crawl, no page", ""},
    {"revisit", kDrop, "warc", "a page that was seen before; another record holds it", ""},
    {"http_status", kDrop, "warc", "a page that was not served with status 200", ""},
    {"no_payload", kDrop, "warc, wet", "a page without content", ""},
    {kNotSampledReason, kDrop, "--sample", "left out by the sample; counted only",
     "run without --sample, into another output"},
    {kDuplicateReason, kDrop, "dedup.exact",
     "its view equals that of another document, which stands for both ('headrace explain' names "
     "it)",
     ""},
    {kNearDuplicateReason, kDrop, "dedup.near",
     "its n-grams are nearly those of another document of its cluster, one of which stands for all "
     "('headrace explain' lists them with their similarities)",
     "raise 'dedup.near.threshold' if too much goes"},
    {kEarlierDuplicateReason, kDrop, "dedup.against",
     "its view equals that of a document that the earlier run kept", ""},
    {kEarlierNearDuplicateReason, kDrop, "dedup.against",
     "by its signature it is nearly a document that the earlier run kept", ""},
    {kLeakReason, kDrop, "leak",
     "a held-out item stands in it ('headrace explain' shows which, and where)",
     "judge the finds on the page of 'headrace audit'; 'leak.verdict: flag' only counts them"},
    {kValidationLeakReason, kDrop, "mix.validation",
     "a training document that holds text of a validation document ('headrace explain' names it)",
     "'mix.validation.leaks: flag' only counts them"},
    {kLittleLeftReason, kDrop, "dedup, leak",
     "of its text, without what stands elsewhere too, fewer code points are left than "
     "'dedup.min_rest' ('headrace explain' shows what was removed)",
     ""},
    {kQuotaReason, kDrop, "mix", "its domain has its share of tokens without it",
     "change 'mix.weights' or 'mix.total_tokens'"},

    {"truncated", kNote, "all", "the file is cut off; its whole records were read",
     "fetch the file again"},
    {"corrupt", kNote, "all compressed, parquet, arrow, warc, wet",
     "a part of the file could not be read; the rest was", "fetch the file again"},
    {"trailing_garbage", kNote, "all compressed",
     "bytes behind the end of the compressed data were left aside", ""},
    {"empty_file", kNote, "all compressed, parquet, arrow",
     "0 bytes, where even an empty file has a header: its writing was cut short",
     "fetch the file again"},
    {"valid_empty", kNote, "all", "a whole file that holds nothing", ""},
    {"detected_encoding", kNote, "all with text",
     "the encoding was detected, not declared; the evidence is told",
     "set 'encoding' of the source to make it sure"},
    {"doubtful_encoding", kNote, "all with text",
     "the declared encoding is used, but the bytes speak against it",
     "look at the text, and correct 'encoding' if it is garbled"},
    {"undetermined_encoding", kNote, "all with text",
     "the encoding is not known for sure: records that are not plain ASCII are quarantined",
     "set 'encoding' of the source"},
};

}  // namespace

std::span<const ReasonInfo> reasons() { return kReasons; }

const ReasonInfo* find_reason(std::string_view name, ReasonKind kind) {
  const auto* const found =
      std::find_if(std::begin(kReasons), std::end(kReasons),
                   [&](const ReasonInfo& info) { return info.name == name && info.kind == kind; });
  return found == std::end(kReasons) ? nullptr : found;
}

bool is_duplicate(std::string_view reason) {
  return reason == kDuplicateReason || reason == kNearDuplicateReason ||
         reason == kEarlierDuplicateReason || reason == kEarlierNearDuplicateReason;
}

}  // namespace headrace
