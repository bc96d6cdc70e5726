// SPDX-License-Identifier: Apache-2.0
#include "read/internal/http_message.h"

#include <charconv>

#include "io/content_coding.h"

namespace headrace::read {
namespace {

// A size line is shorter, extensions included.
constexpr std::size_t kMostSizeLine = 64;

// "HTTP/1.1 200 OK", "HTTP/1.1 200"; 0 if there is no number in its place.
int status_of(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == line.npos) return 0;
  const std::string_view rest = trim_blanks(line.substr(blank));
  int status = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), status);
  return status >= 100 && status < 1000 ? status : 0;
}

// Codings that exist and that are not decoded here; other names ("utf-8") are servers' mistakes.
bool is_known_to_others(std::string_view coding) {
  for (const std::string_view name : {"compress", "x-compress", "sdch", "exi", "dcb", "dcz"}) {
    if (equal_ignoring_case(coding, name)) return true;
  }
  return false;
}

}  // namespace

bool join_chunks(std::string_view body, std::string* joined) {
  joined->clear();
  bool any = false;
  while (!body.empty()) {
    const std::size_t newline = body.substr(0, kMostSizeLine).find('\n');
    std::uint64_t size = 0;
    bool good = newline != body.npos;
    if (good) {
      std::string_view digits = body.substr(0, newline);
      digits = trim_blanks(digits.substr(0, digits.find(';')));
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
      good = error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    }
    if (!good) {
      joined->append(body);
      return any;
    }
    any = true;
    body.remove_prefix(newline + 1);
    if (size == 0) return true;
    const std::string_view chunk = body.substr(0, size);
    joined->append(chunk);
    body.remove_prefix(chunk.size());
    if (body.starts_with("\r\n")) {
      body.remove_prefix(2);
    } else if (body.starts_with('\n')) {
      body.remove_prefix(1);
    }
  }
  return any;
}

void HttpMessage::parse(std::string_view block) {
  status_ = 0;
  headers_.clear();
  body_ = block;
  if (!block.starts_with("HTTP/") && !block.starts_with("ICY ")) {
    // Header lines alone are known by the first one.
    const std::string_view line = block.substr(0, block.find('\n'));
    const std::size_t colon = line.find(':');
    const bool is_field = colon != line.npos && colon > 0 &&
                          line.substr(0, colon).find_first_of(" \t<{") == line.npos;
    if (is_field) body_.remove_prefix(headers_.parse(block));
    return;
  }
  const std::size_t newline = block.find('\n');
  status_ = status_of(trim_line_end(block.substr(0, newline)));
  body_ = newline == block.npos ? std::string_view() : block.substr(newline + 1);
  body_.remove_prefix(headers_.parse(body_));
}

PayloadState HttpMessage::payload(std::uint64_t limit, std::string_view* payload) {
  *payload = body_;
  // Chunks of a cut-off body end anywhere; whether it was cut off says the record.
  if (headers_.get("Transfer-Encoding").find("hunked") != std::string_view::npos &&
      join_chunks(body_, &joined_)) {
    *payload = joined_;
  }
  // Codings are named in the order in which they were applied.
  std::string_view codings = headers_.get("Content-Encoding");
  PayloadState state = PayloadState::kWhole;
  for (int round = 0; round < 2 && !codings.empty(); ++round) {
    const std::size_t comma = codings.rfind(',');
    const std::string_view coding =
        trim_blanks(comma == codings.npos ? codings : codings.substr(comma + 1));
    codings = comma == codings.npos ? std::string_view() : codings.substr(0, comma);
    if (coding.empty() || payload->empty() || equal_ignoring_case(coding, "identity") ||
        equal_ignoring_case(coding, "none")) {
      continue;
    }
    switch (io::decode_content(coding, *payload, limit, &decoded_[round])) {
      case io::Decoded::kNotCoded:
        continue;
      case io::Decoded::kUnknown:
        if (!is_known_to_others(coding)) continue;
        return PayloadState::kUnknownCoding;
      case io::Decoded::kTooLong:
        return PayloadState::kTooLong;
      case io::Decoded::kCutOff:
        state = PayloadState::kCutOff;
        break;
      case io::Decoded::kDamaged:
        state = PayloadState::kDamaged;
        break;
      case io::Decoded::kWhole:
        break;
    }
    *payload = decoded_[round];
  }
  if (payload->size() > limit) return PayloadState::kTooLong;
  return state;
}

}  // namespace headrace::read
