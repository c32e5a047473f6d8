// stg completion: what a shell offers behind each word, written from the options that the commands declare.
#include "answer.hpp"  // print
#include "tool.hpp"    // add_command

namespace stg::command_line {

namespace {

struct completion_options {
  std::string shell{};
};

/// What stands behind an option, or as a word of the line.
struct completed {
  std::vector<std::string> words{};  // of a list
  bool has_files = false, has_data_sets = false;
};

/// From the type that help texts show: `TEXT:{edges,csv}`, `metis|ranges|PATH`, `PATH`, `GRAPH`.
completed completed_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  completed found;
  const std::size_t begin = type.find('{'), end = type.find('}');
  const bool is_list = begin != std::string::npos && end != std::string::npos;
  const std::string all = is_list ? type.substr(begin + 1, end - begin - 1) : type;
  const char between = is_list ? ',' : '|';
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t next = std::min(all.find(between, at), all.size());
    const std::string word = all.substr(at, next - at);
    at = next + 1;
    if (word == a_path || word == a_model) found.has_files = true;
    else if (word == a_graph) found.has_files = found.has_data_sets = true;
    else if (is_list || next < all.size() || found.words.size() > 0) found.words.push_back(word);
  }
  if (type.ends_with(a_path)) found.has_files = true;  // `[NAME=]PATH`
  return found;
}

bool takes_a_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// `--graph`, `-g`.
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> all;
  for (const std::string& name : option.get_lnames()) all.push_back("--" + name);
  for (const std::string& name : option.get_snames()) all.push_back("-" + name);
  return all;
}
std::vector<std::string> spellings_of_all(const CLI::App& command) {
  std::vector<std::string> all;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& one : spellings(*option)) all.push_back(one);
  return all;
}

/// What the words of a command's line that are no options may be.
completed positionals_of(const CLI::App& command) {
  completed all;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const completed one = completed_of(*option);
    all.words.insert(all.words.end(), one.words.begin(), one.words.end());
    all.has_files = all.has_files || one.has_files;
    all.has_data_sets = all.has_data_sets || one.has_data_sets;
  }
  return all;
}

/// The tool that is completed: the same declarations, of which nothing runs.
struct every_command {
  every_command() { add_all(whole); }
  std::vector<const CLI::App*> commands() const {
    const auto all = static_cast<const CLI::App&>(whole.app).get_subcommands([](const CLI::App*) { return true; });
    return {all.begin(), all.end()};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const CLI::App* one : commands()) all.push_back(one->get_name());
    return all;
  }
  tool whole;
};

// ---- bash ----

std::string in_bash(const completed& what) {
  std::string all = "_stg_offer '" + joined(what.words, " ") + "'";
  if (what.has_data_sets) all += " data-sets";
  return all + (what.has_files ? " files" : "");
}

std::string for_bash(const every_command& all) {
  std::string text =
      "# Completion of stg for bash, written by `stg completion bash`.\n"
      "_stg_offer() {  # words, and `data-sets` or `files` behind them\n"
      "  local words=$1 kind\n"
      "  for kind in \"${@:2}\"; do\n"
      "    [[ $kind == data-sets ]] && words+=\" $(\"${COMP_WORDS[0]}\" info --data-sets 2>/dev/null)\"\n"
      "  done\n"
      "  mapfile -t COMPREPLY < <(\n"
      "    compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"\n"
      "    [[ \" $* \" == *' files '* ]] && compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\"\n"
      "  )\n"
      "  [[ \" $* \" == *' files '* ]] && compopt -o filenames 2>/dev/null\n"
      "  return 0\n"
      "}\n"
      "_stg() {\n"
      "  local command='' k\n"
      "  for ((k = 1; k < COMP_CWORD; ++k)); do\n"
      "    case ${COMP_WORDS[k]} in\n"
      "      " +
      joined(all.names(), " | ") +
      ")\n"
      "        command=${COMP_WORDS[k]}\n"
      "        break ;;\n"
      "    esac\n"
      "  done\n"
      "  case $command:${COMP_WORDS[COMP_CWORD-1]} in\n";
  for (const CLI::App* command : all.commands())
    for (const CLI::Option* option : command->get_options()) {
      if (!takes_a_value(*option) || spellings(*option).empty()) continue;
      std::vector<std::string> cases;
      for (const std::string& one : spellings(*option)) cases.push_back(command->get_name() + ':' + one);
      text += "    " + joined(cases, " | ") + ") " + in_bash(completed_of(*option)) + "; return ;;\n";
    }
  text += "  esac\n  case $command:${COMP_WORDS[COMP_CWORD]} in\n";
  text +=
      "    :*) _stg_offer '" + joined(all.names(), " ") + ' ' + joined(spellings_of_all(all.whole.app), " ") + "' ;;\n";
  for (const CLI::App* command : all.commands()) {
    text += "    " + command->get_name() + ":-*) _stg_offer '" + joined(spellings_of_all(*command), " ") + "' ;;\n";
    text += "    " + command->get_name() + ":*) " + in_bash(positionals_of(*command)) + " ;;\n";
  }
  return text + "  esac\n}\ncomplete -F _stg stg\n";
}

// ---- zsh ----

/// A text inside of zsh's quotes and brackets.
std::string in_zsh(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '\'') all += "'\\''";
    else if (c == '[' || c == ']' || c == ':') (all += '\\') += c;
    else all += c;
  }
  return all;
}
std::string action_in_zsh(const completed& what) {
  const std::string words = '(' + joined(what.words, " ") + ')';
  if (what.has_data_sets) return "_stg_graphs";
  if (what.has_files && !what.words.empty()) return "{_alternative w\\:word\\:\"" + words + "\" f\\:file\\:_files}";
  return what.has_files ? "_files" : what.words.empty() ? " " : words;
}

std::string for_zsh(const every_command& all) {
  std::string text =
      "#compdef stg\n# Completion of stg for zsh, written by `stg completion zsh`.\n"
      "_stg_graphs() {\n"
      "  local -a sets=(${(f)\"$(${words_of_line[1]:-stg} info --data-sets 2>/dev/null)\"})\n"
      "  _alternative \"sets:data set:($sets)\" \"files:file:_files\"\n"
      "}\n"
      "_stg() {\n"
      "  local -a words_of_line=($words) commands=(\n";
  for (const CLI::App* command : all.commands())
    text += "    '" + command->get_name() + ':' + in_zsh(command->get_description()) + "'\n";
  text +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const CLI::App* command : all.commands()) {
    text += "    " + command->get_name() + ") _arguments";
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& one : spellings(*option)) {
        text += " \\\n      '" + one + '[' + in_zsh(option->get_description()) + ']';
        if (takes_a_value(*option)) text += ":value:" + action_in_zsh(completed_of(*option));
        text += '\'';
      }
      if (option->get_positional()) text += " \\\n      ':word:" + action_in_zsh(completed_of(*option)) + '\'';
    }
    text += " ;;\n";
  }
  return text + "  esac\n}\ncompdef _stg stg\n";
}

// ---- fish ----

std::string in_fish(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '\'' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}

std::string for_fish(const every_command& all) {
  std::string text = "# Completion of stg for fish, written by `stg completion fish`.\n";
  for (const CLI::App* command : all.commands())
    text += "complete -c stg -n __fish_use_subcommand -f -a " + command->get_name() + " -d '" +
            in_fish(command->get_description()) + "'\n";
  for (const CLI::App* command : all.commands()) {
    const std::string begin = "complete -c stg -n '__fish_seen_subcommand_from " + command->get_name() + '\'';
    for (const CLI::Option* option : command->get_options()) {
      const completed what = completed_of(*option);
      if (option->get_positional()) {
        if (what.has_data_sets) text += begin + " -a '(stg info --data-sets 2>/dev/null)'\n";
        else if (!what.words.empty()) text += begin + " -f -a '" + joined(what.words, " ") + "'\n";
        continue;
      }
      text += begin;
      for (const std::string& name : option->get_lnames()) text += " -l " + name;
      for (const std::string& name : option->get_snames()) text += " -s " + name;
      if (takes_a_value(*option)) text += what.has_files ? " -r" : " -x";
      if (!what.words.empty()) text += " -a '" + joined(what.words, " ") + '\'';
      if (what.has_data_sets) text += " -a '(stg info --data-sets 2>/dev/null)'";
      text += " -d '" + in_fish(option->get_description()) + "'\n";
    }
  }
  return text;
}

}  // namespace

void add_completion(tool& to) {
  add_command<completion_options>(
      to, "completion", "the completion of stg for a shell", "source <(stg completion bash)",
      [](CLI::App& command, completion_options& o) {
        command.add_option("shell", o.shell, "bash, zsh or fish")
            ->required()
            ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
      },
      [](const completion_options& o) {
        const every_command all;
        print(o.shell == "bash" ? for_bash(all) : o.shell == "zsh" ? for_zsh(all) : for_fish(all));
      });
}

}  // namespace stg::command_line
