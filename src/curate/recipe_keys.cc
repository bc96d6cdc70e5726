// SPDX-License-Identifier: Apache-2.0
// What each key means, in a sentence. Which keys there are, what they take, and their defaults come
// from the parser itself: it is given a recipe with every section and its questions are written
// down. So a key without a sentence, or a sentence without a key, is a mistake that a test finds.
#include "curate/recipe_keys.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "curate/recipe_score.h"
#include "score/score.h"

namespace headrace::curate {
namespace {

// Every section; `code_points`, `DOMAIN` and `LANGUAGE` stand for any measure, domain and language.
constexpr const char* kEverySection = R"(
sources: [{domain: DOMAIN, paths: [x], keep: [x]}]
measure: {stop_words: {LANGUAGE: x}, flagged_words: {LANGUAGE: x}}
judge:
  rules: {code_points: {min: 1}}
  languages: {zh: {rules: {code_points: {min: 1}}}, en: {rules: {code_points: {min: 1}}}}
  buckets: [{when: {code_points: {max: 1}}, rules: {code_points: {min: 1}}}]
  domains:
    DOMAIN:
      rules: {code_points: {min: 1}}
      languages: {zh: {rules: {code_points: {min: 1}}}, en: {rules: {code_points: {min: 1}}}}
      buckets: [{when: {code_points: {max: 1}}, rules: {code_points: {min: 1}}}]
dedup: {exact: {view: [nfkc, casefold, whitespace]}, near: {threshold: 0.8}, substring: {min_code_points: 100}}
leak: {against: [{name: x, paths: [x], question: x}]}
mix: {weights: {DOMAIN: 1}, validation: {share: 0.01}}
tokenize: {tokenizer: x, special_tokens: {TOKEN: 1}, lowercase: true, end: x}
pack: {length: 4096}
shards: {multiple_of: 1}
limits: {threads: 1}
)";

struct Sentence {
  std::string_view key;
  std::string_view summary;
  std::string_view kind = {};           // where the parser reads the node itself
  std::string_view default_value = {};  // likewise
  std::string_view also = {};           // likewise: KeyInfo::also, where it is one
};

constexpr Sentence kSentences[] = {
    {"version", "of the recipe's language; a newer one is refused"},
    {"name", "of the run, for people"},
    {"seed", "the only source of randomness: shuffles, samples and quotas are keyed by it"},
    {"sources", "needed: what is read; their order decides nothing but document ids",
     "list of maps, at least one"},
    {"sources[].domain", "needed: the name under which thresholds, shares and books are kept"},
    {"sources[].paths",
     "needed: globs (`*`, `?`, `**`) of local paths or of URIs (`s3://`, `gs://`, `abfs://`, "
     "`hdfs://`, `http(s)://`; docs/rooms/02-io.md), sorted by name; one that matches no file is "
     "an error"},
    {"sources[].format", "of the files; auto goes by their extension"},
    {"sources[].text", "where the text stands in a record; a dotted path (a.b.text)"},
    {"sources[].keep", "other fields to carry along, as dotted paths", "all, or list of words",
     "all", "all"},
    {"sources[].documents", "what one document of a plain text file is"},
    {"sources[].encoding",
     "of the bytes: auto, or a name such as gb18030, big5, utf-16le; "
     "undetermined files are quarantined"},
    {"normalize", "steps in their order (steps.md): a name, or one name with options", "list",
     "[html_to_text, control_chars, whitespace]"},
    {"measure", "what the measures look for", "map"},
    {"measure.stop_words", "lists in place of the built-in ones, per language", "map of languages"},
    {"measure.stop_words.LANGUAGE",
     "path of a list, by the language's code (ISO 639: zh, en): UTF-8, at most 16 MiB, one word a "
     "line, in Chinese one character, # for comments; its content is part of the run"},
    {"measure.flagged_words", "lists in place of the built-in ones, per language",
     "map of languages"},
    {"measure.flagged_words.LANGUAGE",
     "path of a list, by the language's code: UTF-8, at most 16 MiB, one word or phrase a line, # "
     "for comments, !phrase for an exception; "
     "no single Han characters; its content is part of the run"},
    {"score",
     "what models say of the documents that the rules on measures keep, one entry after the other, "
     "each of what those before it keep (docs/rooms/22-curate.md)",
     "list of one-key maps"},
    {"score.language",
     "its language by a fastText model, as the column `language`; another name with `kind: "
     "language` is as good",
     "map"},
    {"score.language.keep",
     "the labels to keep; others are the reason language_not_kept",
     {},
     "all"},
    {"score.language.min", "as score.NAME.min, of the probability"},
    {"score.language.max", "as score.NAME.max"},
    {"score.language.undetermined",
     "what becomes of a text that is too short to tell: the reason language_undetermined, or "
     "nothing"},
    {"score.external", "scores that somebody else made; as often as there are columns", "map"},
    {"score.external.column", "needed: the column in the files, and the name of the score"},
    {"score.external.min", "as score.NAME.min; a number"},
    {"score.external.max", "as score.NAME.max"},
    {"score.external.invalid", "as score.NAME.invalid; also of a document without a row"},
    {"score.NAME",
     "NAME is a column like a measure: `judge` may have other rules on it, also by domain. Options "
     "of the kind that are not named here are those of the model's card (model_card.md), else "
     "their "
     "defaults",
     "map"},
    {"score.NAME.kind", "needed: what gives the score"},
    {"score.NAME.min",
     "a value below is the reason NAME_below_min; best_f1 is the threshold in the model's card "
     "(`headrace score eval`)",
     "number or best_f1",
     {},
     "best_f1"},
    {"score.NAME.max",
     "a value above is the reason NAME_above_max; best_f1 as of min, where the card says that low "
     "scores are better (perplexity)",
     "number or best_f1",
     {},
     "best_f1"},
    {"score.NAME.invalid",
     "what becomes of a text that the model gives no number: the reason NAME_invalid, or nothing"},
    {"judge", "thresholds on measures and scores", "map"},
    {"judge.preset", "rules to start from (presets.md)", {}, "none"},
    {"judge.rules", "replace the rules of the preset and of `score` on the same column",
     "map of measures (measures.md) and scores"},
    {"judge.rules.MEASURE.min", "a value below is a reason to drop; equal is kept; null never is"},
    {"judge.rules.MEASURE.max", "a value above is a reason to drop; equal is kept; null never is"},
    {"judge.rules.MEASURE.auto",
     "bounds from the data, as percentiles of the domain's own values (in a bucket, of the rows "
     "that it "
     "takes): "
     "p5..p95, p5.., ..p95"},
    {"judge.rules.MEASURE.null",
     "whether a document without a value goes; it never does unasked. Of a score: as the entry "
     "says, unless it stands here"},
    {"judge.languages",
     "rules for texts of one script; they replace the common ones on the same measure",
     "map of zh, en"},
    {"judge.languages.LANGUAGE",
     "zh: han_share is 0.2 or more; en: ascii_share 0.9 and letter_share 0.5 or more, which other "
     "languages in Latin letters reach too",
     "map"},
    {"judge.languages.LANGUAGE.preset", "rules to start from, for these texts"},
    {"judge.languages.LANGUAGE.rules", "replace the preset's rules on the same measure",
     "map of measures"},
    {"judge.buckets",
     "rules for some documents, such as short ones; of several that a document falls into the last "
     "decides",
     "list of maps"},
    {"judge.buckets[].when",
     "needed: bounds on any measures, all of which a document must meet; null meets none",
     "map of measures"},
    {"judge.buckets[].when.MEASURE.min", "the least value that the bucket takes"},
    {"judge.buckets[].when.MEASURE.max", "the greatest value that the bucket takes"},
    {"judge.buckets[].rules",
     "needed: replace the rules on the same measure; one without bounds lifts it",
     "map of measures"},
    {"judge.domains", "other rules for some domains", "map of domains"},
    {"judge.domains.DOMAIN.preset",
     "the domain starts from this preset alone; without it, from "
     "the common rules"},
    {"judge.domains.DOMAIN.rules", "replace the rules on the same measure, in buckets as well",
     "map of measures"},
    {"dedup", "duplicates; without it none is looked for", "map"},
    {"dedup.exact",
     "documents whose view is equal are one; the longest survives, then the "
     "smallest hash, then the first",
     "true, false or a map",
     {},
     "bool"},
    {"dedup.exact.view",
     "what is hashed: nfkc, casefold, whitespace, punctuation; the stored text "
     "stays as it is"},
    {"dedup.exact.level",
     "what is compared: documents, and the paragraphs and lines of those that are kept; of equal "
     "ones the first stays, the others are removed from their texts"},
    {"dedup.exact.min_code_points",
     "paragraphs and lines whose view is shorter stay; short lines are equal without being copies"},
    {"dedup.substring",
     "stretches that stand in an earlier document, or earlier in the same one, are removed",
     "true, false or a map",
     {},
     "bool"},
    {"dedup.substring.min_code_points", "shortest stretch"},
    {"dedup.min_rest",
     "code points besides white space that must be left of a document from which something was "
     "removed; with fewer it is dropped as little_left"},
    {"dedup.near",
     "documents whose sets of n-grams are similar are one, whichever of them links the others; the "
     "survivor is chosen as in dedup.exact, after it (docs/rooms/08-dedup.md)",
     "true, false or a map",
     {},
     "bool"},
    {"dedup.near.ngram",
     "words of an n-gram, where a Han character is a word; auto takes 3 for short Chinese texts "
     "and "
     "5 for all others",
     "auto, or whole number from 1 to 32", "auto", "auto"},
    {"dedup.near.permutations", "values of a signature; a multiple of 16"},
    {"dedup.near.threshold",
     "least Jaccard similarity of the sets of n-grams of two near duplicates; candidates are "
     "compared by their whole sets"},
    {"dedup.near.bands",
     "bands of values of which two documents must share one to be compared; default: from "
     "threshold and permutations, so that 995 of 1000 pairs at the threshold are",
     "whole number from 1 to 1024", "from the others"},
    {"dedup.near.rows", "values of a band; default: as bands", "whole number from 1 to 1024",
     "from the others"},
    {"dedup.near.method",
     "how values are made: sketch is faster, and closer on short texts; minhash is the classic "
     "one; simhash compares 64 bits of each text"},
    {"dedup.near.radius", "of simhash: bits in which near duplicates may differ"},
    {"dedup.near.verify",
     "of simhash: what lies within the radius must reach the threshold as well"},
    {"dedup.against",
     "run directory of an earlier run: what it kept counts as kept, so copies of it go; needs the "
     "same view and signatures there"},
    {"leak",
     "held-out items (evaluation sets) that no document may hold; looked for in what rules and "
     "scores keep (docs/recipes/keep-evaluation-out.md)",
     "map"},
    {"leak.against",
     "needed: the files of items, as globs or as maps; a file that is missing, empty or of an "
     "unknown layout is an error at the start",
     "list of globs or maps", "", "words"},
    {"leak.against[].name",
     "under which hits are counted; default: the name of the file, one set for each"},
    {"leak.against[].paths",
     "needed: globs of local paths or URIs; JSON Lines, JSON, CSV, TSV, "
     "text, also compressed"},
    {"leak.against[].id", "field of an item's name; goes with the other fields"},
    {"leak.against[].question",
     "field of the question, a dotted path; default: the names in use (docs/rooms/09-leak.md)"},
    {"leak.against[].options", "field of the options, or several fields, one each"},
    {"leak.against[].answer", "field of the answer: a text, or the letter or number of an option"},
    {"leak.against[].passage", "field of the passage that the question is about"},
    {"leak.against[].report_only",
     "hits in this set are counted and shown, and touch no document; needs name"},
    {"leak.ngram", "what is compared; auto follows the script"},
    {"leak.verdict",
     "of a document that holds enough of an item: drop gives the reason leak; flag only counts; "
     "remove_span takes the item out of the text. Less of an item (a quotation, a passage) is "
     "always only counted"},
    {"leak.sample",
     "documents of the run, drawn by the seed, that tell which phrases are common; more is better "
     "and takes longer"},
    {"mix", "shares of the domains; without it everything is kept; needs tokenize", "map"},
    {"mix.weights", "a weight for every domain", "map of domains"},
    {"mix.weights.DOMAIN", "its share of the tokens, relative to the other weights"},
    {"mix.max_repeats", "how often a document may be taken; only 1 in this version"},
    {"mix.total_tokens", "size of the mix in tokens; default: as many as the weights allow"},
    {"mix.validation",
     "documents that are held out for validation, as a shard set of its own in shards/validation",
     "map"},
    {"mix.validation.share",
     "needed: of the source documents, drawn by the seed and their names; all of their documents "
     "that are kept go in, whatever the weights",
     {},
     ""},
    {"mix.validation.by",
     "what stays together: source_document is a file whose documents are its pieces (documents: "
     "paragraph, line) and each record of other files; file; field: records with the same value"},
    {"mix.validation.field",
     "with by: field, where the name of the source document stands in a record, as a dotted path; "
     "a record without it stands for itself"},
    {"mix.validation.leaks",
     "what becomes of training documents that hold text of validation documents: drop gives the "
     "reason validation_leak; flag only counts; ignore does not look"},
    {"tokenize", "texts to tokens; without it the run ends with verdicts", "map"},
    {"tokenize.tokenizer",
     "needed: path of a tokenizer.json, a .tiktoken rank file, a SentencePiece .model or a "
     "vocab.txt"},
    {"tokenize.pattern",
     "how texts are split, for a .tiktoken file that is none of the published ones: gpt2, cl100k, "
     "llama3, qwen2, o200k, kimi, or a regular expression"},
    {"tokenize.special_tokens",
     "of a .tiktoken file, in place of those of a published one; no file of this kind holds any",
     "map of tokens"},
    {"tokenize.special_tokens.TOKEN", "its id"},
    {"tokenize.lowercase", "whether letters become small, for a vocab.txt, which does not say it",
     "true or false", "not said"},
    {"tokenize.begin",
     "the token that opens each document, or none; without it, what the tokenizer file itself puts "
     "there"},
    {"tokenize.end",
     "needed: the token that closes each document, as the tokenizer file names it, or none"},
    {"pack", "documents to sequences; needs tokenize", "map"},
    {"pack.method",
     "concat lays documents end to end and cuts; best_fit puts whole documents together, so that "
     "little is padded; padded gives each a sequence of its own; none makes each document a "
     "sample"},
    {"pack.length", "tokens of a sequence"},
    {"shards", "files of the shard set; needs tokenize", "map"},
    {"shards.format", "container (formats.md)"},
    {"shards.size", "about how many bytes of tokens a shard gets"},
    {"shards.multiple_of", "the number of shards is a multiple of this"},
    {"shards.shuffle",
     "documents and sequences in a global order keyed by the seed; else in id "
     "order"},
    {"limits", "what a run may use", "map"},
    {"limits.threads", "threads; speed only", "auto, or whole number from 1 to 4096", "auto",
     "auto"},
    {"limits.memory",
     "what steps that look at the whole corpus (dedup) may hold; the rest goes to files in the run "
     "directory for a while; speed only"},
    {"limits.confidence", "detected encodings below this are quarantined; affects results"},
    {"output", "run directory, a local path; needed here or on the command line"},
};

// "judge.rules.code_points.min" → "judge.rules.MEASURE.min".
std::string general(std::string key) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {".code_points.", ".MEASURE."},
      {"languages.zh", "languages.LANGUAGE"},
      {"languages.en", "languages.LANGUAGE"},
      {"[0]", "[]"}};
  for (const auto& [name, general_name] : kNames) {
    if (const std::size_t at = key.find(name); at != std::string::npos)
      key.replace(at, name.size(), general_name);
  }
  return key;
}

// kEverySection with an entry of each kind of score, named by its kind.
std::string every_section() {
  std::string yaml = std::string(kEverySection) + "score:\n- language: {}\n";
  for (const std::string& kind : score_kinds()) {
    if (kind != kLanguageKind && kind != kExternalKind)
      yaml += fmt::format("- {0}: {{kind: {0}}}\n", kind);
  }
  return yaml + "- external: {column: NAME}\n";
}

// "score.fasttext.label" → "score.NAME.label" and, where the key is an option of a kind, what that
// kind says of it.
void generalize_score(KeyInfo* key) {
  constexpr std::string_view kScore = "score.";
  if (!key->key.starts_with(kScore)) return;
  const std::string rest = key->key.substr(kScore.size());
  const std::size_t dot = rest.find('.');
  const std::string kind = rest.substr(0, dot);
  const bool named = kind != kLanguageKind && kind != kExternalKind;
  const std::string option = dot == std::string::npos ? "" : rest.substr(dot + 1);
  if (named) key->key = option.empty() ? "score.NAME" : "score.NAME." + option;
  const bool has_card = score::registry().find(kind) != nullptr;
  for (const OptionInfo& info : score_options(kind)) {
    if (info.name != option) continue;
    key->summary = named ? kind + ": " + info.summary : info.summary;
    if (has_card && !key->default_value.empty())
      key->default_value = "as the card says, else " + key->default_value;
  }
}

// Keys that read as another section does: of a rule wherever it stands, of a domain's own rules.
std::string alias_of(const std::string& key) {
  constexpr std::string_view kRule = ".rules.MEASURE.";
  constexpr std::string_view kDomain = "judge.domains.DOMAIN.";
  if (const std::size_t at = key.rfind(kRule); at != std::string::npos && at > 5)
    return "judge" + key.substr(at);
  if (key.starts_with(kDomain)) return "judge." + key.substr(kDomain.size());
  return "";
}

}  // namespace

std::vector<KeyInfo> recipe_keys() {
  std::vector<KeyInfo> keys;
  for (KeyInfo& key : declared_keys(every_section())) {
    key.key = general(std::move(key.key));
    generalize_score(&key);
    const auto known = std::find_if(keys.begin(), keys.end(),
                                    [&](const KeyInfo& other) { return other.key == key.key; });
    if (known != keys.end()) {
      if (!key.summary.empty()) known->summary += "; " + key.summary;  // of another kind of score
      continue;
    }
    const auto sentence_of = [](const std::string& name) {
      return std::find_if(std::begin(kSentences), std::end(kSentences),
                          [&](const Sentence& sentence) { return sentence.key == name; });
    };
    if (const auto* const found = sentence_of(key.key); found != std::end(kSentences)) {
      key.summary = found->summary;
      if (!found->kind.empty()) key.kind = found->kind;
      if (!found->default_value.empty()) key.default_value = found->default_value;
      if (!found->also.empty()) key.also.emplace_back(found->also);
    } else if (const std::string alias = alias_of(key.key);
               sentence_of(alias) != std::end(kSentences)) {
      key.summary = "as " + alias;
      if (!sentence_of(alias)->kind.empty()) key.kind = sentence_of(alias)->kind;
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace headrace::curate
