// SPDX-License-Identifier: Apache-2.0
#include "curate/bounded_file.h"

#include <memory>

#include "base/error.h"
#include "io/input_stream.h"
#include "io/uri.h"

namespace headrace::curate {

Result<std::string> read_bounded(const std::string& path, std::uint64_t most) {
  constexpr std::size_t kBlockBytes = 64 << 10;
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<io::InputStream> stream, io::open_input(path));
  std::string bytes;
  for (std::size_t done = 0;;) {
    bytes.resize(done + kBlockBytes);
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                              stream->read(bytes.data() + done, kBlockBytes));
    done += got;
    if (done > most) {
      return invalid_argument("{} has more than {} bytes, which is too much for such a file",
                              io::public_name(path), most);
    }
    if (got > 0) continue;
    if (const std::string damage = stream->end_detail(); !damage.empty())
      return corrupt("{}: {}", io::public_name(path), damage);
    bytes.resize(done);
    return bytes;
  }
}

}  // namespace headrace::curate
