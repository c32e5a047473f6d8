// A graph convolution on a cut graph, trained by the processes that mpirun started: rank 0 prints the numbers of the
// last step, to the bit. Words are NAME=VALUE:
//
//   steps=20 silence=3000       steps to make, and milliseconds of silence
//   by=features                 sweeps are cut by features, not by rows
//   folder=F                    every step is a checkpoint in F, and each rank writes its process into F/process.RANK
//   rank=1 fault=throws at=2    a rank misbehaves before a step, or in the middle of anything with at=250ms
//   check=F                     by itself: whether the checkpoint in F is the state after so many steps, and no other
#include <stg/distributed/checkpoint.hpp>         // save_checkpoint
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/mpi_ranks.hpp>          // run_mpi
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/stg.hpp>                            // the language

#include <bit>      // bit_cast
#include <chrono>   // milliseconds
#include <csignal>  // raise
#include <cstdint>  // uint64_t
#include <cstdio>   // printf
#include <cstdlib>  // _Exit, abort, exit
#include <fstream>  // ofstream
#include <map>      // map
#include <string>   // stoll, string
#include <thread>   // sleep_for

#include <sys/resource.h>  // setrlimit
#include <unistd.h>        // getpid

#include "drawn.hpp"  // drawn, loss

struct words {
  std::map<std::string, std::string> all{};
  std::string of(const std::string& name) const { return all.contains(name) ? all.at(name) : ""; }
  std::int64_t number(const std::string& name, std::int64_t otherwise) const {
    return all.contains(name) ? std::stoll(all.at(name)) : otherwise;
  }
};

struct returns_early {};

/// What a rank does wrong.
static void misbehave(const std::string& fault) {
  if (fault == "dies") std::_Exit(3);
  if (fault == "exits_0") std::exit(0);
  if (fault == "exits_1") std::exit(1);
  if (fault == "aborts") std::abort();
  if (fault == "is_killed") std::raise(SIGKILL);
  if (fault == "stops") std::raise(SIGSTOP);
  if (fault == "sleeps") std::this_thread::sleep_for(std::chrono::hours(1));
  if (fault == "throws") throw stg::error("the disk is full");
  if (fault == "returns") throw returns_early();
  if (fault == "hoards") {
    const rlimit little{1 << 20, 1 << 20};
    setrlimit(RLIMIT_AS, &little);
    stg::tensor<float> much({1 << 28});
  }
}

/// The trained numbers.
struct state {
  decltype(stg::parameters<loss>()) params = stg::parameters<loss>();
  stg::adam<decltype(params)> optimizer{params, {.learning_rate = 0.01f}};

  std::uint64_t hash() const {
    std::uint64_t all = 0;
    for_each(params, [&](std::string_view, const auto& t) {
      for (const float f : t) all = all * 1099511628211u + std::bit_cast<std::uint32_t>(f);
    });
    return all;
  }
};

class training {
 public:
  explicit training(stg::communicator& ranks, stg::cut_by by = stg::cut_by::rows) : training(drawn(), ranks, by) {}
  void step() {
    auto result = step_(part_, x = features_, label = labels_, now.params);
    now.optimizer.step(result.gradients);
  }
  void save(const std::string& folder) { stg::save_checkpoint(part_, folder, now.params, now.optimizer); }

  state now{};

 private:
  training(const task& t, stg::communicator& ranks, stg::cut_by by)
      : part_(stg::cut::by_ranges(t.graph, 4), ranks, by), features_(part_.rows(t.X)), labels_(part_.rows(t.Y)) {
    stg::initialize(now.params, 1);
  }

  stg::distributed_graph part_;
  stg::tensor<float> features_;
  stg::tensor<std::int32_t> labels_;
  decltype(stg::value_and_grad<loss>()) step_ = stg::value_and_grad<loss>();
};

static void train(stg::communicator& ranks, const words& how) {
  const std::string folder = how.of("folder"), fault = how.of("fault"), at = how.of("at");
  const bool is_faulty = !fault.empty() && how.number("rank", -1) == ranks.rank(), at_a_time = at.ends_with("ms");
  if (!folder.empty()) std::ofstream(folder + "/process." + std::to_string(ranks.rank())) << getpid() << '\n';
  training of(ranks, how.of("by") == "features" ? stg::cut_by::features : stg::cut_by::rows);
  const auto due = std::chrono::steady_clock::now() + std::chrono::milliseconds(at_a_time ? std::stoll(at) : 0);
  const bool ends_anywhere =
      fault.starts_with("exits") || fault == "aborts" || fault == "is_killed" || fault == "stops";
  if (is_faulty && at_a_time && ends_anywhere)
    std::thread([=] {
      std::this_thread::sleep_until(due);
      misbehave(fault);
    }).detach();
  const std::int64_t steps = how.number("steps", 20);
  for (std::int64_t k = 0; k < steps; ++k) {
    if (is_faulty && (at_a_time ? !ends_anywhere && std::chrono::steady_clock::now() > due : k == how.number("at", 2)))
      misbehave(fault);
    of.step();
    if (!folder.empty()) of.save(folder);
  }
  if (ranks.rank() == 0) std::printf("%016llx\n", static_cast<unsigned long long>(of.now.hash()));
}

/// One rank makes as many steps as the checkpoint's.
static int check(const std::string& folder) {
  state saved;
  stg::load_checkpoint(folder, saved.params, saved.optimizer);
  bool is_right = false;
  stg::run_ranks(1, [&](stg::communicator& alone) {
    training of(alone);
    while (of.now.optimizer.steps() < saved.optimizer.steps()) of.step();
    is_right = of.now.hash() == saved.hash();
  });
  std::printf("step %lld: %s\n", static_cast<long long>(saved.optimizer.steps()), is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

int main(int argc, char** argv) {
  words how;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    how.all[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  if (!how.of("check").empty()) return check(how.of("check"));
  const auto work = [&](stg::communicator& ranks) {
    try {
      train(ranks, how);
    } catch (const returns_early&) {
    }
  };
  return stg::run_mpi(
      work, {.patience = std::chrono::seconds(3), .silence = std::chrono::milliseconds(how.number("silence", 3000))});
}
