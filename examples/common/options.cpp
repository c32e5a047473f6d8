// Arguments of the examples, read by CLI11; the sentences about numbers are our own.
#include <common/options.hpp>  // options, bad_arguments

#include <CLI/CLI.hpp>               // App
#include <stg/runtime/parallel.hpp>  // set_threads

#include <charconv>   // from_chars
#include <exception>  // exception
#include <iostream>   // cout, cerr
#include <limits>     // numeric_limits

namespace common {
namespace {

void add_name(CLI::App& app, const std::string& name, const char* type, std::string& value, const std::string& what) {
  auto read = [name, &value](const std::string& text) {
    if (text.empty()) throw CLI::ValidationError(name, "expects a name");
    value = text;
  };
  app.add_option_function<std::string>(name, read, what)->type_name(type)->default_str(value);
}

// CLI11's own conversion takes 010 for 8 and has no word about what is expected.
void add_whole_number(CLI::App& app, const std::string& name, int least, int& value, const std::string& what) {
  auto read = [name, least, &value](const std::string& text) {
    const char* end = text.data() + text.size();
    int number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number < least)
      throw CLI::ValidationError(name, "expects a whole number from " + std::to_string(least) + " to " +
                                           std::to_string(std::numeric_limits<int>::max()) + ", not '" + text + "'");
    value = number;
  };
  app.add_option_function<std::string>(name, read, what)->type_name("N")->default_str(std::to_string(value));
}

}  // namespace

std::optional<options> parse_options(int argc, const char* const* argv, options defaults, std::string_view about,
                                     std::ostream& help) {
  options chosen = std::move(defaults);
  CLI::App app{std::string(about)};
  add_name(app, "--dataset", "NAME", chosen.dataset, "data set to train on; auto takes the best one at hand");
  add_whole_number(app, "--seeds", 1, chosen.seeds, "number of trainings, each with its own seed");
  add_whole_number(app, "--epochs", 1, chosen.epochs, "steps of each training");
  add_whole_number(app, "--threads", 0, chosen.threads, "threads to run on; 0 takes what the machine has");
  add_name(app, "--log", "FOLDER", chosen.log, "loss and accuracy of each epoch for TensorBoard, as CSV and as curves");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    help << app.help();
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw bad_arguments(error.what());
  }
  return chosen;
}

int run_example(int argc, const char* const* argv, options defaults, std::string_view about,
                const std::function<void(const options&)>& body) {
  const std::string path = argc > 0 ? argv[0] : "example";
  const std::string name = path.substr(path.find_last_of('/') + 1);
  try {
    const auto chosen = parse_options(argc, argv, std::move(defaults), about, std::cout);
    if (!chosen) return 0;
    if (chosen->threads > 0) stg::set_threads(chosen->threads);
    body(*chosen);
    return 0;
  } catch (const bad_arguments& error) {
    std::cerr << name << ": " << error.what() << "; --help lists the options\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << "\n";
    return 1;
  }
}

}  // namespace common
