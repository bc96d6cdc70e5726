// SPDX-License-Identifier: Apache-2.0
// Mirrors headrace/tokenizer.h. An Encoder is for one thread and keeps caches, so each Tokenizer
// holds those that are not in use and lends one to each thread of a call.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "headrace/tokenizer.h"

#include "bindings.h"

namespace headrace::python {
namespace {

using Ids = std::vector<std::uint32_t>;

// Ids as int32, the type of a batch's tokens: no vocabulary reaches 2^31.
nb::object to_array(Ids&& moved) {
  auto held = std::make_unique<Ids>(std::move(moved));
  Ids& ids = *held;
  const nb::capsule owner(held.get(),
                          [](void* pointer) noexcept { delete static_cast<Ids*>(pointer); });
  static_cast<void>(held.release());  // the capsule has it
  return nb::cast(nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>(
      reinterpret_cast<std::int32_t*>(ids.data()), {ids.size()}, owner));
}

// The UTF-8 that the str object keeps for as long as it lives.
std::string_view utf8(nb::handle text) {
  if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a text to encode must be a str");
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

class TokenizerHandle {
 public:
  TokenizerHandle(const std::filesystem::path& path, const std::string& pattern,
                  const std::map<std::string, std::uint32_t>& special_tokens,
                  std::optional<bool> lowercase)
      : tokenizer_(unwrap([&] {
          const nb::gil_scoped_release released;
          return Tokenizer::open(path.string(),
                                 {.pattern = pattern,
                                  .special_tokens = {special_tokens.begin(), special_tokens.end()},
                                  .lowercase = lowercase});
        }())) {}

  const Tokenizer& get() const { return tokenizer_; }

  nb::object encode(nb::str text, bool special_tokens_in_text) {
    const std::string_view bytes = utf8(text);
    Ids ids;
    unwrap([&] {
      const nb::gil_scoped_release released;
      Lease lease(*this, special_tokens_in_text);
      return lease.encoder().encode(bytes, &ids);
    }());
    return to_array(std::move(ids));
  }

  nb::list encode_batch(nb::typed<nb::sequence, nb::str> given, std::size_t threads,
                        bool special_tokens_in_text) {
    if (PyUnicode_Check(given.ptr()))
      throw nb::type_error("texts must be a list of str, not a str");
    PyObject* copy = PySequence_List(given.ptr());  // no other thread changes it
    if (copy == nullptr) throw nb::python_error();
    const nb::list texts = nb::steal<nb::list>(copy);
    std::vector<std::string_view> bytes;
    for (nb::handle text : texts) bytes.push_back(utf8(text));
    std::vector<Ids> ids(bytes.size());
    unwrap([&] {
      const nb::gil_scoped_release released;
      return encode_all(bytes, threads, special_tokens_in_text, ids);
    }());
    nb::list out;
    for (Ids& row : ids) out.append(to_array(std::move(row)));
    return out;
  }

  nb::bytes decode(nb::object ids) const {
    const nb::object numpy = nb::module_::import_("numpy");
    const auto array = nb::cast<nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>>(
        numpy.attr("ascontiguousarray")(ids, "int64"));
    Ids values(array.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t id = array.data()[i];
      if (id < 0 || id > std::numeric_limits<std::uint32_t>::max()) {
        throw StatusError(Status(Code::kInvalidArgument, "decoding: " + std::to_string(id) +
                                                             " at position " + std::to_string(i) +
                                                             " is no token id"));
      }
      values[i] = static_cast<std::uint32_t>(id);
    }
    const std::string bytes = unwrap(tokenizer_.decode(values));
    return nb::bytes(bytes.data(), bytes.size());
  }

 private:
  // An Encoder borrowed from the idle ones, given back at the end.
  class Lease {
   public:
    Lease(TokenizerHandle& from, bool special) : from_(from), special_(special) {
      const std::lock_guard lock(from.mutex_);
      auto& idle = from.idle_[special ? 1 : 0];
      if (!idle.empty()) {
        encoder_ = std::move(idle.back());
        idle.pop_back();
      }
    }
    Lease(const Lease&) = delete;
    ~Lease() {
      if (!encoder_.has_value()) return;
      const std::lock_guard lock(from_.mutex_);
      from_.idle_[special_ ? 1 : 0].push_back(*std::move(encoder_));
    }
    Encoder& encoder() {
      if (!encoder_) encoder_.emplace(from_.tokenizer_, EncodeOptions{special_});
      return *encoder_;
    }

   private:
    TokenizerHandle& from_;
    bool special_;
    std::optional<Encoder> encoder_;
  };

  // Texts are dealt one by one. Of several errors, that of the first text is returned.
  Result<void> encode_all(const std::vector<std::string_view>& texts, std::size_t threads,
                          bool special, std::vector<Ids>& ids) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    threads = std::min(threads, std::max<std::size_t>(1, texts.size()));
    std::vector<std::optional<Status>> errors(texts.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      Lease lease(*this, special);
      for (std::size_t i = next++; i < texts.size(); i = next++) {
        auto result = lease.encoder().encode(texts[i], &ids[i]);
        if (!result.has_value()) errors[i] = std::move(result).error();
      }
    };
    {
      std::vector<std::jthread> helpers;
      for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
      work();
    }
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (errors[i].has_value()) return errors[i]->with_context("text " + std::to_string(i));
    }
    return {};
  }

  Tokenizer tokenizer_;
  std::mutex mutex_;
  std::vector<Encoder> idle_[2];  // [special_tokens_in_text]
};

}  // namespace

void bind_tokenizer(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<TokenizerHandle>(
      module, "Tokenizer",
      "A tokenizer.json, a .tiktoken rank file, a SentencePiece .model or a "
      "vocab.txt, id for id.")
      .def(nb::init<const std::filesystem::path&, const std::string&,
                    const std::map<std::string, std::uint32_t>&, std::optional<bool>>(),
           "path"_a, nb::kw_only(), "pattern"_a = "", "special_tokens"_a = nb::dict(),
           "lowercase"_a.none() = nb::none(),
           nb::sig("def __init__(self, path: str | os.PathLike[str], *, pattern: str = '', "
                   "special_tokens: collections.abc.Mapping[str, int] = {}, "
                   "lowercase: bool | None = None) -> None"),
           "pattern and special_tokens are for rank files that are none of the published ones, "
           "lowercase is for a vocab.txt.")
      .def("encode", &TokenizerHandle::encode, "text"_a, nb::kw_only(),
           "special_tokens_in_text"_a = false,
           nb::sig("def encode(self, text: str, *, special_tokens_in_text: bool = False) -> "
                   "numpy.typing.NDArray[numpy.int32]"),
           "The ids of one text, int32. Special tokens in it are ordinary text unless asked.")
      .def("encode_batch", &TokenizerHandle::encode_batch, "texts"_a, nb::kw_only(),
           "threads"_a = 0, "special_tokens_in_text"_a = false,
           nb::sig(
               "def encode_batch(self, texts: collections.abc.Sequence[str], *, threads: int = 0, "
               "special_tokens_in_text: bool = False) -> list[numpy.typing.NDArray[numpy.int32]]"),
           "The ids of each text of a list; threads=0 takes all CPUs.")
      .def("decode_bytes", &TokenizerHandle::decode, "ids"_a,
           nb::sig("def decode_bytes(self, ids: numpy.typing.ArrayLike) -> bytes"),
           "The bytes of the ids; a character may be cut at either end.")
      .def(
          "decode",
          [](const TokenizerHandle& self, nb::object ids) {
            const nb::bytes bytes = self.decode(std::move(ids));
            return to_str({bytes.c_str(), bytes.size()});
          },
          "ids"_a, nb::sig("def decode(self, ids: numpy.typing.ArrayLike) -> str"),
          "The text of the ids; bytes that are not UTF-8 become U+FFFD.")
      .def(
          "token_id",
          [](const TokenizerHandle& self, const std::string& token) {
            return self.get().token_id(token);
          },
          "token"_a, "The id of a token by its text as it stands in the file, or None.")
      .def_prop_ro("vocabulary_size",
                   [](const TokenizerHandle& self) { return self.get().vocabulary_size(); })
      .def_prop_ro("special_tokens",
                   [](const TokenizerHandle& self) { return self.get().special_tokens(); })
      .def_prop_ro(
          "begin_tokens", [](const TokenizerHandle& self) { return self.get().before(); },
          "What the file puts before a text; encode() does not.")
      .def_prop_ro(
          "end_tokens", [](const TokenizerHandle& self) { return self.get().behind(); },
          "What the file puts behind a text; encode() does not.")
      .def_prop_ro(
          "fingerprint", [](const TokenizerHandle& self) { return self.get().fingerprint(); },
          "Of all that ids depend on: sha256, or a hash of it and the options.")
      .def_prop_ro("sha256", [](const TokenizerHandle& self) { return self.get().sha256(); });
}

}  // namespace headrace::python
