// SPDX-License-Identifier: Apache-2.0
// What is removed from the texts of kept documents → spans/part-*.parquet.
#include "base/error.h"
#include "curate/passes.h"
#include "curate/removed_spans.h"
#include "io/file.h"

namespace headrace::curate {

Result<std::vector<Commit>> span_pass(Context& context, const std::vector<Commit>& documents,
                                      const std::vector<Commit>& verdicts) {
  (void)documents;
  (void)verdicts;
  HEADRACE_RETURN_IF_ERROR(context.ledger.forget_from(kSpans, 0));
  return std::vector<Commit>();
}

}  // namespace headrace::curate
