// The tool's line: what its commands have in common.
#pragma once

#include <functional>  // function
#include <string>      // string
#include <vector>      // vector

#include <CLI/CLI.hpp>  // App

#include <stg/base/error.hpp>  // error

namespace stg::command_line {

/// The line itself is wrong, and nothing was read for it: exit code 2.
struct wrong_usage : error {
  using error::error;
};

/// The commands of the tool, and the one that the line asks for.
struct tool {
  CLI::App app;
  std::function<void()> asked{};
};

/// A command: its word, a line about it, and an example for its help. `body` runs once the whole line is read.
template <class Options, class Declare, class Body>
void add_command(tool& to, const std::string& word, const std::string& about, const std::string& example,
                 const Declare& declare, Body body) {
  CLI::App* const command = to.app.add_subcommand(word, about);
  command->footer("Example: " + example);
  const auto options = std::make_shared<Options>();
  declare(*command, *options);
  command->callback([&to, options, body] { to.asked = [options, body] { body(*options); }; });
}

/// Declares all of them, each of a file.
void add_all(tool& to);
void add_info(tool& to);
void add_convert(tool& to);
void add_partition(tool& to);
void add_draw(tool& to);
void add_run(tool& to);
void add_trace(tool& to);
void add_bench(tool& to);
void add_completion(tool& to);

/// A whole number of an option, within limits. CLI11's own conversion takes 010 for 8 and knows no limits.
void add_number(CLI::App& command, const std::string& name, std::int64_t& value, std::int64_t least, std::int64_t most,
                const std::string& about);
/// `--json`, and `--threads`, which holds from the time the line is read.
void add_json(CLI::App& command, bool& as_json);
void add_threads(CLI::App& command);
/// The type of an option's value that is a file or a folder: completions offer files.
inline constexpr const char* a_path = "PATH";
inline constexpr const char* a_graph = "GRAPH";
inline constexpr const char* a_model = "MODEL";

/// Reads the line, runs its command, says what went wrong. The exit code: 0, 1 for a failure, 2 for a wrong line.
int run_tool(int count, const char* const* words);

}  // namespace stg::command_line
