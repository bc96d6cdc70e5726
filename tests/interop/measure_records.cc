// SPDX-License-Identifier: Apache-2.0
// For the tests against other tools' measures: documents on standard input, all measures of each on
// standard output, one JSON object a line; null where a measure does not apply.
//
//   headrace_measure_records < documents > measures
//
// A document is its length in bytes (u32, native byte order) and the bytes.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "measure/measure.h"
#include "records.h"

int main() {
  namespace measure = headrace::measure;
  headrace::TextViewBuilder builder;
  measure::MeasureSet set;
  const std::vector<std::string> names = measure::registry().names();
  std::vector<double> values(set.size());
  std::string text;
  while (headrace::interop::read(&text)) {
    set.of(builder.build(text), values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::printf("%s\"%s\": ", i == 0 ? "{" : ", ", names[i].c_str());
      if (std::isnan(values[i])) {
        std::fputs("null", stdout);
      } else {
        std::printf("%.17g", values[i]);  // every double comes back to the bit
      }
    }
    std::puts("}");
  }
  return 0;
}
