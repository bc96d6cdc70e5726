// SPDX-License-Identifier: Apache-2.0
// headrace inspect: what files are, by the evidence a run would go by.
//
// The format is the one that a run takes for the name; where the name says nothing, the first bytes
// may. The encoding is the detector's answer about the first MiB, with what markup declares as one
// piece of evidence.
#include "headrace/inspect.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "io/uri.h"
#include "normalize/normalize.h"
#include "read/reader.h"
#include "read/text_reading.h"

namespace headrace {
namespace curate {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 20;

struct Head {
  std::string bytes;
  bool whole = false;
  std::string damage;  // of the compression, in words
  io::Codec codec = io::Codec::kNone;
};

Result<Head> read_head(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<io::InputStream> stream, io::open_input(path));
  Head head;
  head.bytes.resize(kHeadBytes);
  std::size_t done = 0;
  while (done < kHeadBytes && !head.whole) {
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                              stream->read(head.bytes.data() + done, kHeadBytes - done));
    done += got;
    head.whole = got == 0;
  }
  head.bytes.resize(done);
  head.codec = stream->codec();
  if (head.whole) head.damage = stream->end_detail();
  return head;
}

bool starts_with_tag(std::string_view text, std::string_view lower_case_tag) {
  return text.size() >= lower_case_tag.size() &&
         std::equal(lower_case_tag.begin(), lower_case_tag.end(), text.begin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

// By the first bytes, for names that say nothing.
std::string format_of_content(std::string_view head) {
  if (head.starts_with("PAR1")) return "parquet";
  head.remove_prefix(byte_order_mark_length(head));
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  head.remove_prefix(begin);
  if (starts_with_tag(head, "<?xml")) return "xml";
  for (const char* tag : {"<!doctype html", "<html", "<head", "<body"}) {
    if (starts_with_tag(head, tag)) return "html";
  }
  return head.front() == '{' ? "jsonl" : "";
}

// What no reader opens, by its first bytes.
std::string unread_format(std::string_view head) {
  constexpr std::pair<std::string_view, const char*> kMagics[] = {{"PK\x03\x04", "zip"},
                                                                  {"PK\x05\x06", "zip"},
                                                                  {"7z\xBC\xAF\x27\x1C", "7z"},
                                                                  {"Rar!\x1A\x07", "rar"}};
  for (const auto& [magic, name] : kMagics) {
    if (head.starts_with(magic)) return name;
  }
  return {};
}

std::string name_of(io::Codec codec) {
  switch (codec) {
    case io::Codec::kNone:
      return "none";
    case io::Codec::kGzip:
      return "gzip";
    case io::Codec::kZstd:
      return "zstd";
    case io::Codec::kBz2:
      return "bz2";
    case io::Codec::kXz:
      return "xz";
    case io::Codec::kLz4:
      return "lz4";
  }
  return "";
}

// Formats whose pages or members are decoded one by one, each by evidence of its own.
bool is_archive(std::string_view format) {
  return format == "warc" || format == "wet" || format == "tar";
}

// Formats that hold no text by themselves; the texts in them are UTF-8.
bool is_binary(std::string_view format) { return format == "parquet" || format == "arrow"; }

Result<FileEvidence> inspect_file(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(path));
  std::error_code error;
  if (!io::is_remote(path) && !std::filesystem::is_regular_file(io::local_path(path), error)) {
    return unavailable("{} is no regular file{}", path,
                       info.is_directory ? ": name the files in it" : "");
  }
  HEADRACE_ASSIGN_OR_RETURN(const Head head, read_head(path));
  FileEvidence file{.path = io::public_name(path), .bytes = info.bytes};
  file.compression = name_of(head.codec);
  if (const std::string unread = unread_format(head.bytes); !unread.empty()) {
    file.format = unread;
    file.confidence = 1;
    file.why = fmt::format("{} is not read{}: unpack it and name the files that were in it", unread,
                           unread == "zip" ? " (docx, xlsx and epub are zip, too)" : "");
    return file;
  }
  const read::ReaderInfo* reader = read::registry().for_path(path);
  const std::string content = format_of_content(head.bytes);
  file.format = reader != nullptr ? reader->name : content;
  if (is_binary(file.format)) {
    file.encoding = "utf-8";
    file.confidence = 1;
    file.why = fmt::format("text in {} is UTF-8", file.format);
    return file;
  }
  if (is_archive(file.format)) {
    file.confidence = 1;
    file.why = fmt::format("each text in a {} is decoded by its own evidence", file.format);
    if (!head.damage.empty()) file.why += "; " + head.damage;
    return file;
  }
  const bool markup = file.format == "html" || content == "html" || content == "xml";
  const EncodingHints hints = {.whole = head.whole, .markup = markup};
  const EncodingEvidence evidence = normalize::decoders().detect(head.bytes, hints);
  file.encoding = evidence.encoding;
  file.confidence = evidence.confidence;
  file.declared = evidence.declared;
  file.candidates = evidence.candidates;
  file.why = evidence.why;
  file.undetermined = evidence.confidence < read::ReadOptions{}.confidence;
  // A run takes a little damage in much ASCII for just that, whatever the detector guesses.
  HEADRACE_ASSIGN_OR_RETURN(const read::TextReading reading,
                            read::reading_of(head.bytes, hints, normalize::decoders()));
  if (!reading.damage.empty()) {
    file.undetermined = file.undetermined || evidence.encoding != reading.encoding;
    file.why = reading.damage;
  }
  if (!head.whole && evidence.encoding == "utf-8") file.why += ", as far as its first MiB tells";
  if (!head.damage.empty()) file.why += "; " + head.damage;
  return file;
}

}  // namespace
}  // namespace curate

std::vector<FileEvidence> inspect(const std::vector<std::string>& paths) {
  std::vector<FileEvidence> files;
  for (const std::string& path : paths) {
    Result<FileEvidence> file = curate::inspect_file(path);
    if (!file) file = FileEvidence{.path = io::public_name(path), .error = file.error()};
    files.push_back(*std::move(file));
  }
  return files;
}

}  // namespace headrace
