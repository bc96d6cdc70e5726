// SPDX-License-Identifier: Apache-2.0
// Decides a file's encoding from its first MiB.
//
// In order: what the recipe declares; a byte order mark; valid UTF-8; UTF-8 with damage; a detector
// that is sure enough; plain ASCII with a few stray bytes, whose lines are damaged UTF-8; else
// undetermined.
//
// Damage must not turn a UTF-8 file into something else, and a GB18030 file must not pass as
// damaged UTF-8. What separates them is how many of the bytes above 0x7F form valid UTF-8
// sequences: nearly all in a damaged file; by chance 26 to 36 % in 47 Chinese web pages in GBK, at
// most 50 % in 439 files of charset samples (EUC-JP is the nearest), and next to none in the
// single-byte encodings.
//
// In an undetermined file records of pure ASCII pass: they read the same in all the candidates. No
// other record does, although a short one may happen to be valid UTF-8 (GBK 模式 is "ģʽ").
//
// ISO-2022 and HZ are pure ASCII with escape sequences. A file that the detector names so is
// undetermined, as its lines cannot be cut, and its records pass when they hold no sequence.
#include "read/internal/file_encoding.h"

#include <algorithm>
#include <optional>
#include <simdjson.h>
#include <utility>

#include "base/error.h"
#include "io/input_stream.h"
#include "read/text_reading.h"

namespace headrace::read {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 20;
// Share of the bytes above 0x7F in valid sequences from which on a file is UTF-8 with damage.
constexpr double kUtf8Share = 0.6;
// Damage so rare, per byte of the head, that the file is ASCII or UTF-8 whatever a detector
// guesses.
constexpr double kRareDamage = 0.001;
constexpr double kContradicts = 0.98;  // confidence of a detector that doubts a declaration
// Share of zero bytes from which on a file is no text.
constexpr double kBinaryZeros = 0.1;
// A record of a file detected as another encoding that is all valid UTF-8 and has this many
// sequences of three bytes or more is UTF-8, as in files that were joined. Of 217,184 lines of
// Chinese prose in GB18030, 137 were valid UTF-8 by chance, and none with two such sequences.
constexpr std::size_t kSureSequences = 4;

unsigned char byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

// Length of the valid UTF-8 sequence at `i`, or 0. Table 3-7 of the Unicode standard.
std::size_t sequence_length(std::string_view bytes, std::size_t i) {
  const unsigned char lead = byte_at(bytes, i);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (bytes.size() - i < length) return 0;
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  const unsigned char second = byte_at(bytes, i + 1);
  if (second < low || second > high) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if ((byte_at(bytes, i + k) & 0xC0) != 0x80) return 0;
  }
  return length;
}

struct Utf8Census {
  std::size_t valid_bytes = 0;     // in sequences of two bytes and more
  std::size_t long_sequences = 0;  // of three bytes and more
  std::size_t bad_bytes = 0;
};

Utf8Census take_census(std::string_view bytes) {
  Utf8Census census;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = sequence_length(bytes, i);
    if (length > 1) census.valid_bytes += length;
    if (length > 2) ++census.long_sequences;
    if (length == 0) ++census.bad_bytes;
    i += std::max<std::size_t>(length, 1);
  }
  return census;
}

// Zero bytes are not counted in: what has them may be UTF-16 or UTF-32.
bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return c != '\0' && static_cast<unsigned char>(c) < 0x80; });
}

// What begins other characters in ASCII: ESC and SO of ISO-2022, ~{ of HZ.
bool has_shifts(std::string_view bytes) {
  return bytes.find('\x1B') != bytes.npos || bytes.find('\x0E') != bytes.npos ||
         bytes.find("~{") != bytes.npos;
}

bool is_seven_bit(std::string_view encoding) {
  return encoding.starts_with("iso-2022-") || encoding == "hz-gb-2312";
}

bool is_utf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

struct Mark {
  std::string_view bytes;
  std::string_view encoding;
};
constexpr Mark kMarks[] = {{"\xEF\xBB\xBF", "utf-8"},
                           {"\xFF\xFE", "utf-16le"},
                           {"\xFE\xFF", "utf-16be"},
                           {"\x84\x31\x95\x33", "gb18030"}};

std::size_t mark_bytes(std::string_view head, std::string_view encoding) {
  for (const Mark& mark : kMarks) {
    if (mark.encoding == encoding && head.starts_with(mark.bytes)) return mark.bytes.size();
  }
  return 0;
}

struct Head {
  std::string bytes;
  bool whole = false;  // that is all of the file
};

Result<Head> read_head(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<io::InputStream> stream, io::open_input(path));
  Head head;
  std::size_t done = 0;
  for (std::size_t size = kHeadBytes / 16; size <= kHeadBytes; size *= 2) {
    head.bytes.resize(size);
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                              stream->read(head.bytes.data() + done, size - done));
    done += got;
    head.whole = done < size;
    if (head.whole) break;
  }
  head.bytes.resize(done);
  return head;
}

// How lines end in an encoding; nothing where they cannot be found in its bytes.
std::optional<Newline> newline_of(const TextDecoder& decoder) {
  if (decoder.cuts_at_newline_bytes()) return Newline::kByte;
  if (decoder.encoding() == "utf-16le") return Newline::kUtf16Little;
  if (decoder.encoding() == "utf-16be") return Newline::kUtf16Big;
  return std::nullopt;
}

// Completes what follows from a decoder.
Result<FileEncoding> use_decoder(FileEncoding encoding, std::shared_ptr<const TextDecoder> decoder,
                                 std::string_view head) {
  encoding.name = decoder->encoding();
  encoding.mark_bytes = mark_bytes(head, encoding.name);
  const std::optional<Newline> newline = newline_of(*decoder);
  if (!newline) return unsupported("lines in the encoding {} cannot be cut", encoding.name);
  encoding.newline = *newline;
  if (encoding.name != "utf-8") encoding.decoder = std::move(decoder);
  return encoding;
}

FileEncoding utf8(std::string_view head, std::string detail) {
  FileEncoding encoding;
  encoding.mark_bytes = mark_bytes(head, encoding.name);
  encoding.detail = std::move(detail);
  return encoding;
}

// What to do about a file that looks like something, but not surely.
std::string remedy_for(const EncodingEvidence& evidence) {
  if (evidence.encoding.empty()) return "declare it in the recipe";
  return fmt::format("if it is that, declare it in the recipe: 'encoding: {}'", evidence.encoding);
}

std::string looks_like(const EncodingEvidence& evidence) {
  return fmt::format("it looks like {} (confidence {:.2f})", evidence.encoding,
                     evidence.confidence);
}

FileEncoding undetermined(const EncodingEvidence& evidence, std::string_view remedy) {
  FileEncoding encoding;
  encoding.name.clear();
  encoding.undetermined = true;
  encoding.detail = "the encoding is not known for sure";
  if (!evidence.encoding.empty()) {
    encoding.detail += "; " + looks_like(evidence);
  }
  if (!evidence.candidates.empty()) {
    encoding.detail += fmt::format("; candidates: {}", fmt::join(evidence.candidates, ", "));
  }
  encoding.detail += fmt::format("; {}", remedy);
  encoding.notes.push_back({"undetermined_encoding", encoding.detail});
  return encoding;
}

// What is declared is used, but where the bytes clearly are something else that decodes as well,
// the text would be mojibake that no error tells of.
void note_contradiction(std::string_view bytes, const EncodingHints& hints,
                        const DecoderFactory& decoders, FileEncoding* encoding) {
  const EncodingEvidence evidence = decoders.detect(bytes, hints);
  if (evidence.confidence < kContradicts || evidence.encoding == encoding->name) return;
  const auto declared = decoders.declared(encoding->name);
  const auto other = decoders.declared(evidence.encoding);
  if (!declared || !other) return;
  // Up to a line end: the head may stop inside a character.
  const std::string_view lines = bytes.substr(0, bytes.rfind('\n'));
  std::string as_declared;
  std::string as_detected;
  if (!(*other)->decode(lines, &as_detected)) return;
  if ((*declared)->decode(lines, &as_declared) && as_declared == as_detected) return;
  encoding->notes.push_back(
      {"doubtful_encoding",
       fmt::format("read as {}, which is declared, but the bytes look like {} (confidence {:.2f}: "
                   "{}): look at the text, and correct the recipe if it is garbled",
                   encoding->name, evidence.encoding, evidence.confidence, evidence.why)});
}

}  // namespace

Result<FileEncoding> decide_encoding(const std::string& path, const ReadOptions& options,
                                     const DecoderFactory& decoders) {
  HEADRACE_ASSIGN_OR_RETURN(const Head head, read_head(path));
  const EncodingHints hints = {.whole = head.whole};
  HEADRACE_ASSIGN_OR_RETURN(FileEncoding encoding,
                            decide_encoding_of(head.bytes, hints, options, decoders));
  // Once for a file, not for each page of an archive, whose notes nobody reads.
  if (options.encoding != "auto") note_contradiction(head.bytes, hints, decoders, &encoding);
  return encoding;
}

Result<FileEncoding> decide_encoding_of(std::string_view bytes, const EncodingHints& hints,
                                        const ReadOptions& options,
                                        const DecoderFactory& decoders) {
  if (options.encoding != "auto") {
    HEADRACE_ASSIGN_OR_RETURN(std::shared_ptr<const TextDecoder> decoder,
                              decoders.declared(options.encoding));
    return use_decoder({.detail = "declared"}, std::move(decoder), bytes);
  }
  const bool valid = is_utf8(bytes) || (!hints.whole && is_utf8_cut_short(bytes));
  // ASCII in UTF-16 without a mark is valid UTF-8, too, but full of zero bytes.
  const bool has_zeros = bytes.find('\0') != bytes.npos;
  if (valid && !has_zeros) {
    if (!has_shifts(bytes) || !is_ascii(bytes)) {
      FileEncoding encoding = utf8(bytes, "valid UTF-8");
      if (!hints.whole && is_ascii(bytes)) {
        encoding.suspicion =
            "the front of the file, which tells the encoding, is plain ASCII: if the rest is in "
            "another one, declare it in the recipe, such as 'encoding: windows-1252'";
      }
      return encoding;
    }
    const EncodingEvidence evidence = decoders.detect(bytes, hints);
    if (!is_seven_bit(evidence.encoding)) return utf8(bytes, "valid UTF-8");
    FileEncoding encoding =
        undetermined(evidence, "convert the file to UTF-8, or declare utf-8 if it is that");
    encoding.shifts = true;
    return encoding;
  }

  const EncodingEvidence evidence = decoders.detect(bytes, hints);
  const auto decoder = decoders.declared(evidence.encoding);
  const bool sure = decoder.has_value() && evidence.confidence >= options.confidence &&
                    newline_of(**decoder).has_value();
  const Utf8Census census = take_census(bytes);
  const bool marked = sure && mark_bytes(bytes, evidence.encoding) > 0;
  // Text of any encoding that is read here has next to no zero bytes; UTF-32 and binary data do.
  const bool is_binary = static_cast<double>(std::count(bytes.begin(), bytes.end(), '\0')) >=
                         kBinaryZeros * static_cast<double>(bytes.size());
  if (!marked && !(is_binary && !sure)) {
    if (valid && !(sure && evidence.encoding.starts_with("utf-16"))) {
      return utf8(bytes, "valid UTF-8");
    }
    const std::size_t high_bytes = census.valid_bytes + census.bad_bytes;
    if (!valid &&
        static_cast<double>(census.valid_bytes) >= kUtf8Share * static_cast<double>(high_bytes)) {
      return utf8(bytes, "UTF-8 with damage");
    }
  }
  if (sure) {
    HEADRACE_ASSIGN_OR_RETURN(FileEncoding encoding,
                              use_decoder({.detail = evidence.why}, *decoder, bytes));
    encoding.detected = !marked && encoding.name != "utf-8";
    if (encoding.detected) {
      encoding.notes.push_back(
          {"detected_encoding", fmt::format("{} (confidence {:.2f}): {}", encoding.name,
                                            evidence.confidence, evidence.why)});
    }
    return encoding;
  }
  if (!is_binary &&
      static_cast<double>(census.bad_bytes) < kRareDamage * static_cast<double>(bytes.size())) {
    FileEncoding encoding = utf8(bytes, "ASCII with damage");
    if (!evidence.encoding.empty() && evidence.encoding != "utf-8") {
      encoding.suspicion = fmt::format("the file is taken for damaged ASCII; {}: {}",
                                       looks_like(evidence), remedy_for(evidence));
    }
    return encoding;
  }
  return undetermined(evidence, remedy_for(evidence));
}

Result<TextReading> reading_of(std::string_view head, const EncodingHints& hints,
                               const DecoderFactory& decoders) {
  HEADRACE_ASSIGN_OR_RETURN(const FileEncoding encoding,
                            decide_encoding_of(head, hints, ReadOptions{}, decoders));
  TextReading reading{.encoding = encoding.name};
  const bool cut_short = !hints.whole && is_utf8_cut_short(head);
  if (encoding.name != "utf-8" || is_utf8(head) || cut_short) return reading;
  const std::size_t bad = take_census(head).bad_bytes;
  const std::size_t first = first_invalid_utf8(head);
  reading.damage = fmt::format(
      "{}: {} bytes are not UTF-8, the first 0x{:02X} at offset {}, and records "
      "that hold one are quarantined (invalid_utf8){}{}",
      encoding.detail, bad, byte_at(head, first), first, encoding.suspicion.empty() ? "" : "; ",
      encoding.suspicion);
  return reading;
}

RecordDecoder::Outcome RecordDecoder::decode(std::string_view bytes, std::uint64_t offset) {
  if (encoding_.decoder == nullptr) {
    if (encoding_.undetermined && (!is_ascii(bytes) || (encoding_.shifts && has_shifts(bytes)))) {
      return {{}, "undetermined_encoding", encoding_.detail};
    }
    if (is_utf8(bytes)) return {bytes, {}, {}};
    const std::size_t bad = first_invalid_utf8(bytes);
    return {
        {},
        "invalid_utf8",
        fmt::format("byte 0x{:02X} at offset {} is not UTF-8{}{}", byte_at(bytes, bad),
                    offset + bad, encoding_.suspicion.empty() ? "" : "; ", encoding_.suspicion)};
  }
  if (encoding_.detected && encoding_.newline == Newline::kByte && is_utf8(bytes) &&
      take_census(bytes).long_sequences >= kSureSequences) {
    return {bytes, {}, {}};
  }
  const Result<void> decoded = encoding_.decoder->decode(bytes, &text_);
  if (decoded) return {text_, {}, {}};
  return {{},
          "undecodable",
          fmt::format("not {}: the record at offset {}: {}", encoding_.name, offset,
                      decoded.error().message())};
}

std::size_t first_invalid_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = sequence_length(bytes, i);
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

bool is_utf8_cut_short(std::string_view bytes) {
  const std::size_t bad = first_invalid_utf8(bytes);
  if (bad == bytes.npos || bytes.size() - bad > 3) return false;
  // Some ending must make it valid.
  std::string tail(bytes.substr(bad));
  const unsigned char lead = byte_at(tail, 0);
  if (lead < 0xC2 || lead > 0xF4) return false;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (tail.size() >= length) return false;
  if (tail.size() == 1) return true;
  tail.resize(length, '\x80');
  return sequence_length(tail, 0) == length;
}

}  // namespace headrace::read
