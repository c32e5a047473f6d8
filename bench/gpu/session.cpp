// Which cases are wanted, and rounds.
#include "session.hpp"

#include "on.hpp"  // place

#include <stg/runtime/cuda/stream.hpp>  // stream, timer

#include <algorithm>  // any_of, clamp, find
#include <exception>  // exception

namespace device_bench {

bool session::wants(const std::string& name) const {
  if (std::find(without.begin(), without.end(), name) != without.end()) return false;
  if (only.empty()) return true;
  return std::any_of(only.begin(), only.end(), [&](const std::string& o) { return name.starts_with(o); });
}

bool session::may_want(const std::string& beginning) const {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& o) {
           return o.starts_with(beginning) || beginning.starts_with(o);
         });
}

#if defined(STG_BENCH_ON_HOST)
void synchronize() {}
std::vector<entry> session::in_turn(const std::vector<way>& ways) const {
  std::vector<entry> entries;
  for (const way& w : ways) {
    w.run();
    entries.push_back({w.who, w.variant, {}, w.facts});
  }
  return entries;
}
#else
namespace {
const stg::gpu::purpose why{"bench_gpu"};
}

void synchronize() { stg::gpu::device::open(place.device(), why)->synchronize(why); }

std::vector<entry> session::in_turn(const std::vector<way>& ways) const {
  stg::gpu::stream on(stg::gpu::device::open(place.device(), why));
  stg::gpu::timer timer(on, why);
  const auto milliseconds = [&](const way& w, int calls) {
    timer.start();
    for (int k = 0; k < calls; ++k) w.run();
    timer.stop();
    return timer.milliseconds() / calls;
  };
  std::vector<entry> entries;
  std::vector<int> calls;
  for (const way& w : ways) {
    w.run();  // kernels are loaded and memory is reserved by the first call
    calls.push_back(std::clamp(static_cast<int>(2 / std::max(milliseconds(w, 1), 0.01)), 1, 50));
    entries.push_back({w.who, w.variant, {}, w.facts});
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < ways.size(); ++i) entries[i].samples.push_back(milliseconds(ways[i], calls[i]));
  return entries;
}
#endif

namespace {
void end_if_lost(const std::string& name) {
  try {
    synchronize();
  } catch (const std::exception& e) {
    throw device_is_lost(name + " has lost the device to this process: " + e.what());
  }
}
}  // namespace

void session::run(const std::string& name, const subject& on, const std::function<void(case_record&)>& body) const {
  if (!wants(name)) return;
  case_record record{name, on.graph.vertices(), on.graph.edges()};
  try {
    body(record);
    synchronize();  // what a kernel did wrong is this case's
  } catch (const std::exception& e) {
    record.error = e.what();
  }
  to.write(record);
  if (!record.error.empty()) end_if_lost(name);
}

void session::attempt(const std::string& name, const stg::graph& on, const std::function<void()>& cases) const {
  try {
    cases();
  } catch (const device_is_lost&) {
    throw;
  } catch (const std::exception& e) {
    case_record record{name, on.vertices(), on.edges()};
    record.error = e.what();
    to.write(record);
    end_if_lost(name);
  }
}

}  // namespace device_bench
