// SPDX-License-Identifier: Apache-2.0
#include "read/internal/text_pieces.h"

#include <utility>

#include "base/error.h"
#include "read/internal/line_reader.h"

namespace headrace::read {
namespace {

// What is kept of a rejected text that is over the limit.
constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

}  // namespace

Result<void> PieceSink::put(const Piece& piece) {
  if (piece.too_long) {
    return reject(piece, Rejection::kDrop, "record_too_long",
                  fmt::format("the text is longer than {} bytes", options_.max_record_bytes));
  }
  if (piece.cut_off) {
    return reject(
        piece, Rejection::kQuarantine, "truncated",
        fmt::format("the file is cut off inside the text that starts at offset {}", piece.offset));
  }
  const RecordDecoder::Outcome decoded = decoder_.decode(piece.bytes, piece.offset);
  if (!decoded.reason.empty()) {
    return reject(piece, Rejection::kQuarantine, decoded.reason, decoded.detail);
  }
  return document(piece, decoded.text);
}

Result<bool> PieceSink::put_line(const Piece& piece) {
  if (!piece.too_long && !piece.cut_off) {
    const RecordDecoder::Outcome decoded = decoder_.decode(piece.bytes, piece.offset);
    if (decoded.reason.empty()) {
      if (is_blank(decoded.text)) return false;
      HEADRACE_RETURN_IF_ERROR(document(piece, strip_carriage_return(decoded.text)));
      return true;
    }
  }
  HEADRACE_RETURN_IF_ERROR(put(piece));
  return true;
}

Result<void> PieceSink::document(const Piece& piece, std::string_view text) {
  document_.id = DocumentId::make(split_.file, piece.offset);
  document_.text = text;
  document_.meta.clear();
  document_.line = piece.line;
  return sink_.document(document_);
}

Result<void> PieceSink::reject(const Piece& piece, Rejection kind, std::string_view reason,
                               std::string detail) {
  RejectedRecord record;
  record.kind = kind;
  record.reason = reason;
  record.detail = std::move(detail);
  record.offset = piece.offset;
  record.line = piece.line;
  record.bytes = piece.too_long ? piece.bytes.substr(0, kFrontBytes) : piece.bytes;
  return sink_.rejected(record);
}

}  // namespace headrace::read
