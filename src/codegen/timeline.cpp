// A timeline: what units note, its table and its file.
#include <stg/timeline.hpp>

#include <algorithm>  // sort
#include <atomic>     // atomic
#include <cstdio>     // fprintf, snprintf
#include <cstdlib>    // getenv
#include <fstream>    // ofstream
#include <map>        // map
#include <mutex>      // lock_guard, mutex
#include <utility>    // move, pair

#include <stg/base/error.hpp>         // error
#include <stg/codegen/exchanges.hpp>  // is_timed, name_of_value

#include "../runtime/chrome_trace.hpp"  // chrome_trace
#include "timed_unit.hpp"               // timed_unit
#include "unit_bytes.hpp"               // unit_bytes

namespace stg {

namespace {

using clock = std::chrono::steady_clock;

struct run_of_unit {
  int program, unit, thread;
  std::int64_t begun, took;  // nanoseconds
  std::int64_t bytes, threads;
};

/// What units note, for as long as the process runs: a thread may end after the timeline.
struct notes {
  static constexpr std::size_t most_runs = 1'000'000;

  std::atomic<bool> is_on{false};
  std::mutex mutex{};
  std::map<std::uint64_t, int> programs{};  // by what they are, as number_in_timeline tells
  std::map<std::pair<int, int>, unit_time> units{};
  std::vector<run_of_unit> runs{};
  std::int64_t left_out = 0;

  void forget() {
    programs.clear();
    units.clear();
    runs.clear();
    left_out = 0;
  }
};
notes& all_notes() {
  static notes& one = *new notes;  // outlives whatever runs at the end of the process
  return one;
}

int number_of_this_thread() {
  static std::atomic<int> last{0};
  thread_local const int mine = ++last;
  return mine;
}

std::int64_t nanoseconds(clock::duration d) { return std::chrono::nanoseconds(d).count(); }

// ---- what a unit is called ----

const char* kind_of(const pass::planned_unit& unit) {
  switch (unit.kind) {
    case pass::unit_kind::product:
      return "product";
    case pass::unit_kind::reduced_product:
      return "product over rows";
    case pass::unit_kind::reduction:
      return "sum over rows";
    case pass::unit_kind::graph:
      return "graph";
    case pass::unit_kind::scan:
      return "scan";
    case pass::unit_kind::message:
      return "message";
    case pass::unit_kind::sweep:
      break;
  }
  return unit.side == pass::sweep_side::in ? "in-edges" : unit.side == pass::sweep_side::out ? "out-edges" : "rows";
}

/// Its kind, and the names of values that it writes.
std::string said_of(const codegen::plan_data& plan, int unit) {
  std::string all = kind_of(plan.units[unit]);
  const int last = unit + std::max(1, plan.units[unit].chained);
  for (int u = unit + 1; u < last; ++u) all += std::string(" + ") + kind_of(plan.units[u]);
  const char* between = ": ";
  for (int i = 0; i < plan.size; ++i) {
    const bool is_written = plan.stored[i] && plan.statements[i].code != ir::opcode::input;
    if (!is_written || plan.lifetimes[i].first < unit || plan.lifetimes[i].first >= last) continue;
    all += between + std::string(codegen::name_of_value(plan, i));
    between = ", ";
  }
  return all;
}

// ---- text ----

std::string text_of_notes() {
  notes& of = all_notes();
  const std::lock_guard lock(of.mutex);
  detail::chrome_trace trace;
  for (const run_of_unit& run : of.runs) {
    const std::string unit = std::to_string(run.unit), program = std::to_string(run.program);
    trace.add(run.thread, "calls of thread " + std::to_string(run.thread),
              "unit " + unit + ", " + of.units.at({run.program, run.unit}).what, "program " + program, run.begun,
              run.took,
              R"({"program": )" + program + R"(, "unit": )" + unit + R"(, "bytes": )" + std::to_string(run.bytes) +
                  R"(, "threads": )" + std::to_string(run.threads) + '}');
  }
  return trace.text("{\"runs left out\": " + std::to_string(of.left_out) + '}');
}

// ---- STG_TRACE ----

/// A timeline of the whole process, if its environment names a file.
class timeline_of_process {
 public:
  timeline_of_process() {
    const char* const path = std::getenv("STG_TRACE");
    if (path == nullptr || *path == '\0') return;
    try {
      running_ = std::make_unique<timeline>(path);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s; STG_TRACE names it\n", e.what());
    }
  }

 private:
  std::unique_ptr<timeline> running_{};
};

}  // namespace

// ---- notes ----

bool codegen::is_timed() noexcept {
  static const timeline_of_process of_environment;
  return all_notes().is_on.load(std::memory_order_relaxed);
}

std::uint64_t codegen::number_in_timeline(const plan_data& plan) noexcept {
  std::uint64_t hash = 14695981039346656037ull;
  const auto mix = [&hash](std::int64_t n) { hash = (hash ^ static_cast<std::uint64_t>(n)) * 1099511628211ull; };
  mix(plan.unit_count);
  for (int i = 0; i < plan.size; ++i) {
    const ir::statement& s = plan.statements[i];
    mix(static_cast<int>(s.code));
    mix(plan.stored[i]);
    for (int k = 0; k < s.arity(); ++k) mix(s.operands[k]);
    for (int a = 0; a < s.dims.rank; ++a) mix(s.dims.axes[a].code);
  }
  return hash;
}

codegen::timed_unit::timed_unit(const plan_data& plan, int unit, const launch& l) noexcept : unit_(unit), l_(&l) {
  if (!is_timed() || plan.units[unit].chained == 0) return;
  plan_ = &plan;
  begun_ = clock::now();
}

codegen::timed_unit::~timed_unit() {
  if (plan_ == nullptr) return;
  const auto ended = clock::now();
  try {
    run_of_unit run{0,
                    unit_,
                    number_of_this_thread(),
                    nanoseconds(begun_.time_since_epoch()),
                    nanoseconds(ended - begun_),
                    unit_bytes(*plan_, unit_, *l_),
                    l_->resources.threads};
    notes& of = all_notes();
    const std::lock_guard lock(of.mutex);
    if (!of.is_on) return;
    run.program =
        of.programs.try_emplace(number_in_timeline(*plan_), static_cast<int>(of.programs.size()) + 1).first->second;
    unit_time& sum = of.units[{run.program, unit_}];
    if (sum.runs == 0) sum = {run.program, unit_, said_of(*plan_, unit_), 0, 0, 0, 0};
    ++sum.runs;
    sum.seconds += static_cast<double>(run.took) * 1e-9;
    sum.bytes += run.bytes;
    sum.threads = run.threads;
    if (of.runs.size() < notes::most_runs) of.runs.push_back(run);
    else ++of.left_out;
  } catch (...) {  // a run that finds no memory is left out
  }
}

// ---- the timeline ----

struct timeline::file {
  std::ofstream to{};
};

timeline::timeline() : file_(std::make_unique<file>()) {
  if (all_notes().is_on.exchange(true))
    throw error(
        "timeline: one is under way already, another object or that of STG_TRACE; end it before the next begins");
}
timeline::timeline(const std::string& path) : timeline() {  // whose end comes with an error, too
  file_->to.open(path);
  if (!file_->to) throw error("timeline: " + path + " cannot be written");
}
timeline::~timeline() {
  if (file_->to.is_open()) file_->to << text();
  notes& of = all_notes();
  const std::lock_guard lock(of.mutex);
  of.is_on = false;
  of.forget();
}

std::vector<unit_time> timeline::units() const {
  notes& of = all_notes();
  const std::lock_guard lock(of.mutex);
  std::vector<unit_time> all;
  for (const auto& [key, unit] : of.units) all.push_back(unit);
  std::stable_sort(all.begin(), all.end(),
                   [](const unit_time& a, const unit_time& b) { return a.seconds > b.seconds; });
  return all;
}

std::string timeline::table() const {
  const std::vector<unit_time> all = units();
  double sum = 0;  // of scans' steps alone, not of scans around them
  for (const unit_time& u : all)
    if (u.what.rfind("scan", 0) != 0) sum += u.seconds;
  std::string text = "program  unit    runs         ms   share    GB/s  threads  what\n";
  for (const unit_time& u : all) {
    char line[128];
    const double share = sum > 0 ? 100 * u.seconds / sum : 0;
    const double rate = u.seconds > 0 ? static_cast<double>(u.bytes) / u.seconds * 1e-9 : 0;
    std::snprintf(line, sizeof line, "%7d  %4d %7lld %10.3f %6.1f%% %7.1f  %7lld  ", u.program, u.unit,
                  static_cast<long long>(u.runs), u.seconds * 1e3, share, rate, static_cast<long long>(u.threads));
    text += line + u.what + '\n';
  }
  return text;
}

std::string timeline::text() const { return text_of_notes(); }

}  // namespace stg
