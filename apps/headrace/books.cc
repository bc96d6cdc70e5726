// SPDX-License-Identifier: Apache-2.0
#include "command.h"

namespace headrace::app {
namespace {

int execute(const std::string& directory, const Common& common) {
  const auto run = Run::open(directory);
  if (!run) return fail(run.error());
  const auto books = run->books();
  if (!books) return fail(books.error());
  if (common.json) {
    print_json(to_json(*books));
  } else {
    print_text(to_text(*books));
  }
  return books->balanced ? kDone : kBadAnswer;
}

}  // namespace

void add_books(CLI::App& app, Common* common, Action* action) {
  CLI::App* command = app.add_subcommand(
      "books",
      "where every record went: in = kept + dropped + quarantined, by stage, domain and reason");
  command->footer("--json has the same by input file. Exit code 1 if the books do not balance.");
  auto directory = std::make_shared<std::string>();
  command->add_option("RUN", *directory, "run directory")->required()->type_name("");
  add_common(command, common);
  command->callback([=] { *action = [=] { return execute(*directory, *common); }; });
}

}  // namespace headrace::app
