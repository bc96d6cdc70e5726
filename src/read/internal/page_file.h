// SPDX-License-Identifier: Apache-2.0
// Files that are one document each, in an encoding of their own: pages, source code.
#pragma once

#include "headrace/result.h"

#include "read/internal/whole_file.h"
#include "read/reader.h"

namespace headrace::read {

// Thread-safe, as readers are.
class PageFileReader : public Reader {
 public:
  PageFileReader(ReadOptions options, const DecoderFactory& decoders, Markup markup);
  Result<ReadCounts> read(const Split& split, RecordSink& sink, std::stop_token stop) const final;

 protected:
  const ReadOptions& options() const { return options_; }
  // What a file is rejected as before it is decoded; an empty reason: it is not.
  virtual RejectedRecord refused(const WholeFile& file) const;
  // What goes along with the text.
  virtual void add_meta(const Split& split, Document* document) const;

 private:
  const ReadOptions options_;
  const DecoderFactory& decoders_;
  const Markup markup_;
};

}  // namespace headrace::read
