// Reading the line, and saying what went wrong.
#include "tool.hpp"  // tool

#include <algorithm>  // find_if, min
#include <charconv>   // from_chars
#include <csignal>    // signal
#include <cstdio>     // fputs
#include <new>        // bad_alloc
#include <utility>    // exchange

#include <stg/runtime/parallel.hpp>  // set_threads

#include "../runtime/data/word.hpp"  // in_quotes
#include "answer.hpp"                // gone_reader, print

namespace stg::command_line {

namespace {

/// The command that the line asks for, or the tool itself.
CLI::App& asked_of(tool& of) {
  const std::vector<CLI::App*> commands = of.app.get_subcommands();
  return commands.empty() ? of.app : *commands.front();
}

std::string words_of_commands(const tool& of) {
  std::string all;
  for (const CLI::App* command : of.app.get_subcommands(nullptr))
    all += (all.empty() ? "" : ", ") + command->get_name();
  return all;
}

/// How many letters are to be changed, added or left out between two words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}
/// `, or is it info?`, where one of the words is near.
std::string nearest(std::string_view to, const std::vector<std::string>& words) {
  constexpr std::size_t near = 2;
  for (const std::string& word : words)
    if (distance(to, word) <= near) return "; is it " + word + "?";
  return {};
}

std::string without_end(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

/// The sentence for words that nothing takes: an unknown command or option, or a word too many.
std::string sentence_of_extra(const tool& of, const CLI::App& command, const std::vector<std::string>& left) {
  const bool is_tool = &command == &of.app;
  const std::string name = is_tool ? "stg" : "stg " + command.get_name();
  const auto option = std::find_if(left.begin(), left.end(), [](const std::string& w) { return w.starts_with('-'); });
  const std::string word = option == left.end() ? left.front() : *option;
  const bool is_option = option != left.end();
  std::vector<std::string> words;
  if (is_option)
    for (const CLI::Option* one : command.get_options())
      for (const std::string& long_name : one->get_lnames()) words.push_back("--" + long_name);
  else if (is_tool)
    for (const CLI::App* one : of.app.get_subcommands([](const CLI::App*) { return true; }))
      words.push_back(one->get_name());
  const std::string kind = is_option ? " has no option " : is_tool ? " has no command " : " takes no further word ";
  const std::string meant = nearest(word.substr(0, word.find('=')), words);
  const std::string rest = !meant.empty()          ? meant
                           : is_tool && !is_option ? "; it has " + words_of_commands(of)
                                                   : "; " + name + " --help says what there is";
  return name + kind + detail::in_quotes(word) + rest;
}

/// The sentence for a line that CLI11 refuses.
std::string sentence(tool& of, const CLI::ParseError& wrong) {
  const CLI::App& command = asked_of(of);
  const bool is_tool = &command == &of.app;
  const std::string name = is_tool ? "stg" : "stg " + command.get_name();
  const std::string help = "; " + name + " --help says what there is";
  const auto kind = static_cast<CLI::ExitCodes>(wrong.get_exit_code());
  const bool is_required = kind == CLI::ExitCodes::RequiredError;
  const std::vector<std::string> left = of.app.remaining(true);
  if (!left.empty() && (kind == CLI::ExitCodes::ExtrasError || (is_tool && is_required)))
    return sentence_of_extra(of, command, left);
  if (is_tool && is_required) return "stg: a command is missing; it has " + words_of_commands(of);
  if (is_required) {
    const std::string what = wrong.what();
    return name + " needs " + what.substr(0, what.find(' ')) + help;
  }
  // "--graph: 1 required GRAPH missing" and the like, CLI11's own words but for these two.
  std::string what = without_end(wrong.what());
  const std::size_t colon = what.find(": ");
  const bool names_option = what.starts_with('-') && colon != std::string::npos;
  if (names_option && what.find(" required ") != std::string::npos && what.ends_with("missing"))
    return name + ": " + what.substr(0, colon) + " needs a value" + help;
  if (names_option && what.find("At Most 1") != std::string::npos)
    return name + ": " + what.substr(0, colon) + " is given several times; give it once";
  if (names_option) what.erase(colon, 1);
  return name + ": " + what + help;
}

int say(const std::string& text, int code) {
  std::fputs((text + '\n').c_str(), stderr);
  return code;
}

/// A whole number as all of a text has it.
std::int64_t whole_number(const std::string& option, const std::string& text, std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end || number < least || number > most)
    throw CLI::ValidationError(option, "takes a whole number from " + std::to_string(least) + " to " +
                                           std::to_string(most) + ", not " + detail::in_quotes(text));
  return number;
}

int run_line(int count, const char* const* words) {
  tool all;
  add_all(all);
  try {
    all.app.parse(count, words);
  } catch (const CLI::CallForVersion& asked) {
    return print(std::string(asked.what()) + '\n'), 0;
  } catch (const CLI::CallForHelp&) {
    return print(asked_of(all).help()), 0;
  } catch (const CLI::ParseError& wrong) {
    const std::string what = sentence(all, wrong);
    return say(what.starts_with("stg") ? what : "stg: " + what, 2);
  }
  all.asked();
  return 0;
}

}  // namespace

void add_all(tool& to) {
  to.app.name("stg");
  to.app.description("Graphs and models of stg from the command line");
  to.app.set_version_flag("--version", "stg " STG_VERSION, "print the version");
  to.app.set_config("--config", "", "read options from a file: sections [command], lines option = value")
      ->type_name(a_path);
  to.app.require_subcommand(1);
  to.app.footer("Exit codes: 0, 1 where something failed, 2 where the line is wrong. Pages: docs/command_line.md");
  add_info(to);
  add_convert(to);
  add_partition(to);
  add_draw(to);
  add_run(to);
  add_trace(to);
  add_bench(to);
  add_completion(to);
}

void add_number(CLI::App& command, const std::string& name, std::int64_t& value, std::int64_t least, std::int64_t most,
                const std::string& about) {
  const auto read = [name, least, most, &value](const std::string& text) {
    value = whole_number(name, text, least, most);
  };
  command.add_option_function<std::string>(name, read, about)->type_name("N");
}

void add_json(CLI::App& command, bool& as_json) { command.add_flag("--json", as_json, "print one JSON object"); }

void add_threads(CLI::App& command) {
  const auto read = [](const std::string& text) {
    set_threads(static_cast<int>(whole_number("--threads", text, 1, 4096)));
  };
  command.add_option_function<std::string>("--threads", read, "threads to run on; results do not depend on it")
      ->type_name("N");
}

int run_tool(int count, const char* const* words) try {
  std::signal(SIGPIPE, SIG_IGN);
  return run_line(count, words);
} catch (const gone_reader&) {
  return 1;
} catch (const wrong_usage& wrong) {
  return say(wrong.what(), 2);
} catch (const error& wrong) {
  return say(wrong.what(), 1);
} catch (const std::bad_alloc&) {
  return say("stg: there is no memory for it", 1);
} catch (const std::exception& wrong) {
  return say(std::string("stg: ") + wrong.what(), 1);
}

}  // namespace stg::command_line
