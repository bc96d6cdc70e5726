// SPDX-License-Identifier: Apache-2.0
#include "io/uri.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/error.h"

namespace headrace::io {
namespace {

constexpr std::string_view kHidden = "***";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_scheme_character(char c) {
  return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

bool all_digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
                        hex_value(text[i + 2]) >= 0;
    if (!escape) {
      result += text[i];
      continue;
    }
    result += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
    i += 2;
  }
  return result;
}

// Parameters that sign or unlock: X-Amz-Signature, sig, AWSAccessKeyId, session_token, api_key ...
// By parts of the name, since each store has names of its own; a harmless one hidden costs little.
bool is_secret_parameter(std::string_view name) {
  const std::string plain = lower(percent_decoded(name));
  for (const std::string_view part :
       {"sig", "token", "secret", "passw", "pwd", "credential", "auth", "key", "session"}) {
    if (plain.find(part) != plain.npos) return true;
  }
  return false;
}

bool is_http(std::string_view scheme) { return scheme == "http" || scheme == "https"; }

// name=value, name=value&name=value ..., or nothing.
bool is_query(std::string_view text) {
  if (text.empty()) return true;
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == text.npos) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
}

// Where the query of a URI starts ('?'); npos without one. In the web the first '?' does it. Keys
// of object stores may hold any character and '?' is a wildcard, so there it is the last one, if
// what follows looks like a query.
std::size_t query_place(std::string_view scheme, std::string_view uri) {
  if (is_http(scheme)) return uri.find('?');
  const std::size_t mark = uri.rfind('?');
  return mark != uri.npos && is_query(uri.substr(mark + 1)) ? mark : uri.npos;
}

std::size_t scheme_length(std::string_view path) {
  const std::size_t colon = path.find("://");
  if (colon == path.npos || colon == 0 || !is_letter(path[0])) return 0;
  const bool valid = std::all_of(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(colon),
                                 is_scheme_character);
  return valid ? colon : 0;
}

// Where the path of a file URI of this machine begins: file:///x, file://localhost/x, file:/x. npos
// for all others; "file://data/x" names a machine.
std::size_t place_in_file_uri(std::string_view path) {
  for (const std::string_view front : {"file:///", "file://localhost/", "file:/"}) {
    if (lower(path.substr(0, front.size())) != front) continue;
    const bool another_host = front == "file:/" && path.substr(front.size()).starts_with('/');
    return another_host ? path.npos : front.size() - 1;
  }
  return path.npos;
}

// The length of user information with its '@' at the front of `rest` (what follows "://").
std::size_t user_length(std::string_view rest) {
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = authority.rfind('@'); at != authority.npos) return at + 1;
  // A secret key with a bare '/': no valid URI, and not to be shown for that.
  const std::size_t colon = authority.find(':');
  if (colon == authority.npos || all_digits(authority.substr(colon + 1))) return 0;
  const std::size_t at = rest.rfind('@');
  return at == rest.npos ? 0 : at + 1;
}

std::string redact_query(std::string_view query) {
  std::string result;
  while (!query.empty()) {
    const std::size_t size = std::min(query.find_first_of("&;"), query.size());
    const std::string_view item = query.substr(0, size);
    const std::size_t equals = item.find('=');
    if (equals != item.npos && is_secret_parameter(item.substr(0, equals))) {
      result.append(item.substr(0, equals + 1)).append(kHidden);
    } else {
      result += item;
    }
    if (size < query.size()) result += query[size];
    query.remove_prefix(std::min(size + 1, query.size()));
  }
  return result;
}

// One URI, from its scheme on.
std::string redact_uri(std::string_view uri) {
  const std::size_t scheme = scheme_length(uri);
  std::string result(uri.substr(0, scheme + 3));
  std::string_view rest = uri.substr(scheme + 3);
  const std::size_t user = user_length(rest);
  const std::string_view who = rest.substr(0, user);
  // A user without a password names a container or an account, but in the web it may be a token.
  const bool secret =
      user > 0 && (who.find(':') != who.npos || is_http(lower(uri.substr(0, scheme))));
  if (secret) {
    result.append(kHidden).append("@");
  } else {
    result += who;
  }
  rest.remove_prefix(user);
  const std::size_t mark = rest.find('?');
  result += rest.substr(0, mark);
  if (mark != rest.npos) result.append("?").append(redact_query(rest.substr(mark + 1)));
  return result;
}

// Public names of URIs that hold secrets → the URIs.
struct Secrets {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> uris;
};

Secrets& secrets() {
  static Secrets all;
  return all;
}

}  // namespace

bool is_uri(std::string_view path) { return scheme_length(path) > 0; }

bool is_remote(std::string_view path) {
  return scheme_length(path) > 0 && place_in_file_uri(path) == path.npos;
}

std::string local_path(const std::string& path) {
  const std::size_t place = place_in_file_uri(path);
  if (place == path.npos) return path;
  std::string decoded = percent_decoded(std::string_view(path).substr(place));
  // No path holds a zero byte: what says so is shown as it was written.
  return decoded.find('\0') == decoded.npos ? decoded : path.substr(place);
}

std::string_view without_query(std::string_view path) {
  if (!is_remote(path)) return path;
  return path.substr(0, query_place(lower(path.substr(0, scheme_length(path))), path));
}

std::string public_name(const std::string& path) {
  if (!is_remote(path)) return path;
  std::string name = redact_uri(path);
  if (name == path) return name;
  Secrets& all = secrets();
  const std::lock_guard lock(all.mutex);
  all.uris.insert_or_assign(name, path);
  return name;
}

std::string redact(std::string_view text) {
  constexpr std::string_view kEnds = " \t\r\n\"'<>`|\\^{}";
  std::string result;
  while (!text.empty()) {
    const std::size_t mark = text.find("://");
    if (mark == text.npos) break;
    std::size_t begin = mark;
    while (begin > 0 && is_scheme_character(text[begin - 1])) --begin;
    const std::size_t end = std::min(text.find_first_of(kEnds, mark), text.size());
    result += text.substr(0, begin);
    const std::string_view uri = text.substr(begin, end - begin);
    result += scheme_length(uri) > 0 ? redact_uri(uri) : std::string(uri);
    text.remove_prefix(end);
  }
  result += text;
  return result;
}

std::string Uri::root() const {
  return fmt::format("{}://{}{}{}", scheme, user, user.empty() ? "" : "@", authority);
}

std::string Uri::with_path(std::string_view other) const {
  std::string uri = fmt::format("{}/{}", root(), other);
  // The empty query keeps a '?' of the key from being read as one.
  if (!query.empty() || query_place(scheme, uri) != uri.npos) uri += "?" + query;
  return uri;
}

Result<Uri> parse_uri(const std::string& path) {
  std::string whole = path;
  if (path.find(kHidden) != path.npos) {
    Secrets& all = secrets();
    const std::lock_guard lock(all.mutex);
    if (const auto found = all.uris.find(path); found != all.uris.end()) whole = found->second;
  }
  Uri uri;
  uri.name = public_name(whole);
  const std::size_t scheme = scheme_length(whole);
  if (scheme == 0) return invalid_argument("{} is no URI", uri.name);
  uri.scheme = lower(whole.substr(0, scheme));
  std::string_view rest = std::string_view(whole).substr(scheme + 3);
  const std::size_t query = query_place(uri.scheme, rest);
  if (query != rest.npos) {
    uri.query = rest.substr(query + 1);
    rest = rest.substr(0, query);
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  if (slash < rest.size()) uri.path = rest.substr(slash + 1);
  if (const std::size_t at = authority.rfind('@'); at != authority.npos) {
    uri.user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  uri.authority = authority;
  if (uri.authority.empty() && uri.scheme != "hdfs") {
    return invalid_argument("{}: no host or bucket behind {}://", uri.name, uri.scheme);
  }
  const std::size_t colon = uri.authority.find(':');
  if (colon != std::string::npos && uri.authority.front() != '[' &&
      !all_digits(std::string_view(uri.authority).substr(colon + 1))) {
    return invalid_argument(
        "{}: what follows the host is no port; a '/' or '@' in a password is written %2F or %40",
        uri.name);
  }
  return uri;
}

}  // namespace headrace::io
