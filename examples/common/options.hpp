// Arguments of the examples: which data set, how many seeds, epochs and threads.
#pragma once

#include <functional>   // function
#include <iosfwd>       // ostream
#include <optional>     // optional
#include <stdexcept>    // runtime_error
#include <string>       // string
#include <string_view>  // string_view

namespace common {

/// What an example runs on; each example gives its own defaults.
struct options {
  std::string dataset = "auto";  // a data set's name; `auto` is the best one that is at hand
  int seeds = 1;                 // trainings, with seeds 0, 1, …
  int epochs = 200;              // steps of each training
  int threads = 0;               // 0: as many as the library takes by itself
  std::string log{};             // folder of a stg::run_log; none where it is empty
};

/// Arguments that cannot be understood; what() is one line that says what was expected.
struct bad_arguments : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Options from the command line, `defaults` where it says nothing; nothing when --help was asked for and written to
/// `help`. Errors: bad_arguments for an unknown option and for a value that is missing, not a number, too small or too
/// large.
///
///   const char* line[] = {"01_gcn", "--epochs", "50"};
///   auto options = common::parse_options(3, line, {.seeds = 10}, "trains a GCN", std::cout);  // 10 seeds, 50 epochs
std::optional<options> parse_options(int argc, const char* const* argv, options defaults, std::string_view about,
                                     std::ostream& help);

/// The whole main of an example: reads the arguments, calls `body`, and returns the exit code. 2 for arguments that
/// cannot be understood, 1 when `body` throws; either way one line on stderr.
int run_example(int argc, const char* const* argv, options defaults, std::string_view about,
                const std::function<void(const options&)>& body);

}  // namespace common
