// run_log: the files of a log, records that wait for them, values for curves.
#include <stg/run_log.hpp>

#include <algorithm>   // count_if
#include <chrono>      // system_clock, steady_clock
#include <cstdio>      // fprintf
#include <exception>   // exception
#include <filesystem>  // create_directories, path
#include <mutex>       // lock_guard, mutex

#include <unistd.h>  // gethostname, getpid

#include <stg/base/error.hpp>            // error
#include <stg/base/utf8.hpp>             // bytes_of_letter
#include <stg/data/table.hpp>            // read_table
#include <stg/runtime/communicator.hpp>  // communicator

#include "../runtime/data/text_writer.hpp"  // text_writer
#include "../runtime/data/word.hpp"         // in_quotes
#include "appended_file.hpp"                // appended_file
#include "curves.hpp"                       // curve, svg_of
#include "event_records.hpp"                // scalar_record
#include "progress_line.hpp"                // progress_line
#include "scalar_lines.hpp"                 // csv_line

namespace stg {

namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 16;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string made_folder(const std::string& folder) {
  if (folder.empty()) throw error("run_log: the folder's name is empty; give one, such as runs/gcn");
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!std::filesystem::is_directory(folder))
    throw error("run_log: the folder " + folder +
                " cannot be made: " + (problem ? problem.message() : "a file has its name") + "; name another folder");
  return folder;
}

/// Calls action with each letter. Error for a text, called `what`, in another encoding than UTF-8.
template <class Action> void for_each_letter(std::string_view text, const std::string& what, const Action& action) {
  while (!text.empty()) {
    const std::size_t bytes = utf8::bytes_of_letter(text);
    if (bytes == 0) throw error("run_log: the " + what + " is no UTF-8; expected text in UTF-8");
    action(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
}

/// What every format can hold, and a terminal show.
void require_name(std::string_view name) {
  if (name.empty()) throw error("run_log: a name is empty; give one, such as loss/train");
  for_each_letter(name, "name " + detail::in_quotes(name), [&](std::string_view letter) {
    const auto first = static_cast<unsigned char>(letter[0]);
    const bool is_c1 = first == 0xC2 && static_cast<unsigned char>(letter[1]) < 0xA0;
    if (first < 0x20 || first == 0x7F || is_c1)
      throw error("run_log: the name " + detail::in_quotes(name) +
                  " has a control character; take letters, digits, / and marks");
  });
}

/// A new event file. TensorBoard reads those of a folder in the order of their names.
detail::appended_file new_event_file(const std::string& folder, double time) {
  char host[256] = "host";
  if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0') std::snprintf(host, sizeof host, "host");
  const std::string begin = folder + "/events.out.tfevents." + std::to_string(static_cast<std::int64_t>(time)) + '.' +
                            host + '.' + std::to_string(getpid()) + '.';
  for (int number = 0;; ++number) {
    detail::appended_file file = detail::appended_file::of_new(begin + std::to_string(number));
    if (file.is_open()) return file;
  }
}

}  // namespace

struct run_log::state {
  using clock = std::chrono::steady_clock;

  state(const std::string& given_folder, const run_log_options& given)
      : folder(made_folder(given_folder)), options(given), progress(given.progress, given.steps) {
    if (options.csv) open_csv();
    if (options.json_lines) json.emplace(detail::appended_file::of_lines(folder + "/scalars.jsonl"));
    if (json && !json->is_empty() && json->first_bytes(1) != "{")
      throw error("run_log: " + folder +
                  "/scalars.jsonl is no log's: its first line is no object; name another folder");
    const double time = seconds_now();
    if (options.event_files) {
      events.emplace(new_event_file(folder, time));
      events->add(detail::version_record(time));
    }
    if (options.purge_step) purge(time, *options.purge_step);
    write();
  }

  void open_csv() {
    const std::string path = folder + "/scalars.csv";
    csv.emplace(detail::appended_file::of_lines(path));
    if (csv->is_empty()) return csv->add(detail::csv_header);
    if (csv->first_bytes(detail::csv_header.size()) != detail::csv_header)
      throw error("run_log: " + path + " is no log's: its first line is not time,step,name,value; name another folder");
    const text_table table = read_table(path);
    const auto steps = table.integers("step");
    const auto names = table.words("name");
    const auto values = table.numbers("value");
    for (std::size_t i = 0; i < steps.size(); ++i) remember(names[i], values[i], steps[i]);
  }

  void purge(double time, std::int64_t step) {
    if (step < 0) throw error("run_log: purge_step is " + std::to_string(step) + "; steps are counted from 0");
    if (events) events->add(detail::session_record(time, step));
    if (json) json->add(detail::purge_json_line(time, step));
    for (auto& [name, values] : curves) values.erase(values.lower_bound(step), values.end());
  }

  void remember(std::string_view name, double value, std::int64_t step) {
    auto known = curves.find(name);
    if (known == curves.end()) known = curves.emplace(std::string(name), detail::curve()).first;
    known->second.insert_or_assign(known->second.end(), step, value);
  }

  void add(std::string_view name, double value, std::int64_t step) {
    const double time = seconds_now();
    const detail::logged_scalar scalar{time, step, name, value};
    if (events) events->add(detail::scalar_record(time, step, name, value));
    if (csv) csv->add(detail::csv_line(scalar));
    if (json) json->add(detail::json_line(scalar));
    remember(name, value, step);
    progress.show(name, value, step);
    const std::size_t waiting =
        (events ? events->waiting() : 0) + (csv ? csv->waiting() : 0) + (json ? json->waiting() : 0);
    const double since = std::chrono::duration<double>(clock::now() - written).count();
    if (waiting >= most_waiting || since >= options.flush_seconds) write();
  }

  /// Every file is tried: what one of them has no room for keeps nothing from the others.
  void write() {
    written = clock::now();
    std::exception_ptr first;
    for (auto* file : {&csv, &json, &events}) {
      try {
        if (*file) (*file)->write();
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    }
    if (first) std::rethrow_exception(first);
  }

  std::mutex mutex{};
  std::string folder;
  run_log_options options;
  std::optional<detail::appended_file> csv{}, json{}, events{};
  std::map<std::string, detail::curve, std::less<>> curves{};
  detail::progress_line progress;
  clock::time_point written = clock::now();
  bool has_settings = false;
};

run_log::run_log(const std::string& folder, const run_log_options& options)
    : state_(std::make_unique<state>(folder, options)) {}
run_log::run_log(const std::string& folder, const communicator& ranks, const run_log_options& options) {
  if (ranks.rank() == 0) state_ = std::make_unique<state>(folder, options);
}
run_log::~run_log() {
  if (!state_) return;
  try {
    state_->write();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
}

void run_log::add_scalar(std::string_view name, double value, std::int64_t step) {
  if (!state_) return;
  require_name(name);
  if (step < 0)
    throw error("run_log: the step of " + detail::in_quotes(name) + " is " + std::to_string(step) +
                "; steps are counted from 0");
  const std::lock_guard lock(state_->mutex);
  state_->add(name, value, step);
}

void run_log::hyper_parameters(const std::vector<hyper_parameter>& settings) {
  if (!state_) return;
  for (const hyper_parameter& setting : settings) {
    require_name(setting.name);
    if (const auto* text = std::get_if<std::string>(&setting.value))
      for_each_letter(*text, "text of " + detail::in_quotes(setting.name), [](std::string_view) {});
    if (std::count_if(settings.begin(), settings.end(), [&](const auto& s) { return s.name == setting.name; }) > 1)
      throw error("run_log: the setting " + detail::in_quotes(setting.name) + " is given twice; give it once");
  }
  const std::lock_guard lock(state_->mutex);
  if (state_->has_settings) throw error("run_log: hyper_parameters were given already; give all of a run in one call");
  state_->has_settings = true;
  const double time = seconds_now();
  if (state_->json) state_->json->add(detail::json_line(time, settings));
  if (state_->events) state_->events->add(detail::hyper_parameters_record(time, settings));
  state_->write();
}

void run_log::flush() {
  if (!state_) return;
  const std::lock_guard lock(state_->mutex);
  state_->write();
}

void run_log::write_svg(const std::string& path) {
  if (!state_) return;
  const std::lock_guard lock(state_->mutex);
  const std::filesystem::path given(path);
  detail::text_writer file("run_log: the picture",
                           path.empty() || given.is_absolute() ? path : (state_->folder / given).string());
  file.add(detail::svg_of(state_->curves));
  file.finish();
}

}  // namespace stg
