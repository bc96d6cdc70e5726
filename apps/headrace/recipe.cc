// SPDX-License-Identifier: Apache-2.0
#include "command.h"

namespace headrace::app {

void add_recipe(CLI::App& app, Common* /*common*/, Action* action) {
  CLI::App* command = app.add_subcommand("recipe", "what a recipe may say, for programs");
  command->require_subcommand(1);
  CLI::App* schema =
      command->add_subcommand("schema", "print the JSON Schema of a recipe (draft 2020-12)");
  schema->footer(
      "An editor that knows YAML completes and checks a recipe by it:\n\n"
      "  headrace recipe schema > recipe.schema.json\n\n"
      "and, as the first line of the recipe,\n\n"
      "  # yaml-language-server: $schema=recipe.schema.json");
  schema->callback([=] {
    *action = [] {
      print(Recipe::schema());
      return kDone;
    };
  });
}

}  // namespace headrace::app
