// stg bench: how long calls of a model take, and what they move.
#include <algorithm>  // sort
#include <chrono>     // steady_clock
#include <cmath>      // sqrt
#include <ctime>      // clock
#include <map>        // map

#include <stg/call/report.hpp>       // cost_of_program
#include <stg/runtime/isa.hpp>       // isa
#include <stg/runtime/parallel.hpp>  // threads
#include <stg/runtime/probe.hpp>     // gather
#include <stg/timeline.hpp>          // timeline

#include "answer.hpp"      // answer
#include "model_call.hpp"  // model_call, trial
#include "tool.hpp"        // add_command

namespace stg::command_line {

namespace {

struct bench_options {
  call_words call{};
  std::int64_t runs = 20, warm_up = 3;
  bool as_json = false, without_floor = false;
};

/// Seconds of calls, in ascending order.
struct measured {
  std::vector<double> seconds{};
  double cpu_seconds = 0;  // of all threads, of one call

  /// Between the two nearest.
  double quantile(double share) const {
    const double place = share * static_cast<double>(seconds.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, seconds.size() - 1);
    return seconds[below] + (place - static_cast<double>(below)) * (seconds[above] - seconds[below]);
  }
  double mean() const {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return sum / static_cast<double>(seconds.size());
  }
  double deviation() const {
    const double middle = mean();
    double sum = 0;
    for (const double s : seconds) sum += (s - middle) * (s - middle);
    return seconds.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(seconds.size() - 1));
  }
};

measured measure(trial& once, const bench_options& asked) {
  for (std::int64_t k = 0; k < asked.warm_up; ++k) once();
  measured found;
  const std::clock_t begun = std::clock();
  for (std::int64_t k = 0; k < asked.runs; ++k) {
    const auto before = std::chrono::steady_clock::now();
    once();
    found.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
  }
  found.cpu_seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC / static_cast<double>(asked.runs);
  std::sort(found.seconds.begin(), found.seconds.end());
  return found;
}

/// Bytes that one call moves at least, as its units count them.
std::int64_t bytes_of(trial& once) {
  const timeline noted;
  once();
  std::int64_t bytes = 0;
  for (const unit_time& u : noted.units()) bytes += u.bytes;
  return bytes;
}

/// Seconds that neighbours' rows take to be read, unit by unit; 0 where no unit reads any.
double floor_of(const model_call& call, const ir::program& planned) {
  if (call.on().kinds) return 0;
  double seconds = 0;
  std::map<std::int64_t, double> known;
  for (const std::int64_t bytes : detail::cost_of_program(planned, call.sizes_of_call()).gathered) {
    const auto [at, is_new] = known.try_emplace(bytes, 0.0);
    if (is_new) at->second = probe::gather(call.on().graph, (bytes + 3) / 4).best();
    seconds += at->second;
  }
  return seconds;
}

#if defined(NDEBUG)
constexpr const char* build_type = "release";
#else
constexpr const char* build_type = "debug";
#endif

/// As Google Benchmark prints aggregates, so that its tools compare two files.
json_object as_benchmarks(const std::string& name, const measured& times, std::int64_t bytes, double floor,
                          const bench_options& asked) {
  const auto row = [&](const char* aggregate, double real, double cpu) {
    json_object made;
    made.add("name", name + '_' + aggregate).add("run_name", name).add("run_type", "aggregate");
    made.add("repetitions", asked.runs).add("threads", threads()).add("aggregate_name", aggregate);
    made.add("iterations", asked.runs).add("real_time", 1e3 * real).add("cpu_time", 1e3 * cpu).add("time_unit", "ms");
    if (std::string_view(aggregate) != "stddev" && bytes > 0)
      made.add("bytes_per_second", static_cast<double>(bytes) / real);
    if (std::string_view(aggregate) == "median" && floor > 0) made.add("of_floor", floor / real);
    return made;
  };
  json_object context;
  context.add("executable", "stg").add("library_build_type", build_type).add("num_cpus", threads());
  context.add("instruction_set", isa()).add("bytes", bytes).add("warm_up", asked.warm_up);
  json_object all;
  all.add("context", context);
  all.add("benchmarks", std::vector<json_object>{row("mean", times.mean(), times.cpu_seconds),
                                                 row("median", times.quantile(0.5), times.cpu_seconds),
                                                 row("stddev", times.deviation(), 0)});
  return all;
}

void add_times(answer& to, const measured& times, std::int64_t bytes, double floor) {
  const auto milliseconds = [](double seconds) { return digits_for_reader(1e3 * seconds) + " ms"; };
  const double median = times.quantile(0.5);
  to.line("median", milliseconds(median));
  to.line("middle half", milliseconds(times.quantile(0.25)) + " to " + milliseconds(times.quantile(0.75)));
  to.line("range", milliseconds(times.seconds.front()) + " to " + milliseconds(times.seconds.back()));
  to.line("processor", milliseconds(times.cpu_seconds) + " on " + std::to_string(threads()) + " threads");
  if (bytes > 0)
    to.line("moves", bytes_for_reader(static_cast<double>(bytes)) + " at least, " +
                         digits_for_reader(static_cast<double>(bytes) / 1e9 / median) + " GB/s");
  if (floor > 0)
    to.line("floor", milliseconds(floor) + " to read the rows of neighbours, " +
                         digits_for_reader(100 * floor / median) + " % of the median");
}

void bench(const bench_options& asked) {
  const model_call call(asked.call);
  const std::string name = asked.call.model + (asked.call.trains ? "/step" : "/forward");
  trial once(call);
  const measured times = measure(once, asked);
  const std::int64_t bytes = bytes_of(once);
  const bool has_floor = once.planned() != nullptr && !asked.without_floor;
  const double floor = has_floor ? floor_of(call, *once.planned()) : 0;
  answer all;
  all.title(name + ": " + std::to_string(asked.runs) + " calls behind " + std::to_string(asked.warm_up) +
            " to warm up");
  add_times(all, times, bytes, floor);
  all.json = as_benchmarks(name, times, bytes, floor, asked);
  print(all, asked.as_json);
}

}  // namespace

void add_bench(tool& to) {
  add_command<bench_options>(
      to, "bench", "how long calls of a model take", "stg bench gcn --graph cora --input x=@features --runs 100",
      [](CLI::App& command, bench_options& o) {
        add_call_options(command, o.call);
        add_trial_options(command, o.call);
        add_number(command, "--runs", o.runs, 1, 1'000'000, "calls that are timed");
        add_number(command, "--warm-up", o.warm_up, 0, 1'000'000, "calls before them");
        command.add_flag("--no-floor", o.without_floor, "do not measure how fast rows of neighbours can be read");
        add_json(command, o.as_json);
      },
      bench);
}

}  // namespace stg::command_line
