// Training on batches whose features are four times the memory that the process is allowed, mapped from a file: by
// turns with the same from features in memory, in a process of its own that has no limit.
#include <stg/base/error.hpp>                  // error
#include <stg/data/npy.hpp>                    // map_npy, read_npy, write_npy
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <fcntl.h>         // open, posix_fadvise
#include <sys/resource.h>  // setrlimit
#include <sys/wait.h>      // waitpid
#include <unistd.h>        // close, fdatasync, fork, pipe, read, write

#include <array>       // array
#include <cstdint>     // int32_t, int64_t
#include <cstdio>      // printf
#include <filesystem>  // temp_directory_path, remove
#include <string>      // string
#include <vector>      // vector

#include "graphs.hpp"  // named
#include "rounds.hpp"  // medians, seconds_of, timed

namespace {

constexpr int width = 1600;
constexpr std::int64_t batches = 20, seeds_of_batch = 128, allowed = std::int64_t{256} << 20;

inline constexpr auto x = stg::vertex_feature<"x", width>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto U1 = stg::parameter<"U1", width, 64>;
inline constexpr auto V1 = stg::parameter<"V1", width, 64>;
inline constexpr auto U2 = stg::parameter<"U2", 64, 40>;
inline constexpr auto V2 = stg::parameter<"V2", 64, 40>;
inline constexpr auto loss = [](auto v) {
  auto h = relu(stg::nn::sage_conv(v, v(x), U1, V1));
  return cross_entropy(stg::nn::sage_conv(v, h, U2, V2), v(label));
};

/// What the process may have of memory of its own: heap, stacks and private mappings, but not files that it looks at.
void allow(rlim_t bytes) {
  rlimit now{};
  getrlimit(RLIMIT_DATA, &now);
  now.rlim_cur = bytes;
  if (setrlimit(RLIMIT_DATA, &now) != 0) throw stg::error("bench_mapped: this system sets no limits");
}

/// Takes what the system keeps of a file out of memory.
void forget(const std::string& file) {
  const int f = open(file.c_str(), O_RDONLY);
  if (f < 0 || fdatasync(f) != 0 || posix_fadvise(f, 0, 0, POSIX_FADV_DONTNEED) != 0)
    throw stg::error("bench_mapped: " + file + " stays in memory");
  close(f);
}

/// Epochs of 20 batches of 128 seeds, whose rows come from somewhere.
class training {
 public:
  template <class Rows>
  training(const stg::graph& g, Rows&& rows)
      : label_({g.vertices()}),
        loader_(stg::neighbour_sampler(g, {.fan_outs = {10, 5}}), seeds_of(g),
                {.batch_size = seeds_of_batch, .seed = 1, .ahead = 1, .threads = 1}),
        X_(loader_.rows(std::forward<Rows>(rows))),
        Y_(loader_.rows(label_)) {
    stg::initialize(parameters_, 1);
  }
  void epoch() {
    sum_ = 0;
    for (const stg::loaded_batch& b : loader_.epoch(epoch_++)) {
      auto now = step_(b.blocks(), x = b[X_], label = b[Y_], parameters_);
      optimizer_.step(now.gradients);
      sum_ += now.loss;
    }
  }
  double loss_of_epoch() const { return sum_ / batches; }

 private:
  static std::vector<std::int32_t> seeds_of(const stg::graph& g) {
    std::vector<std::int32_t> seeds(static_cast<std::size_t>(batches * seeds_of_batch));
    const std::int64_t apart = g.vertices() / (batches * seeds_of_batch);
    for (std::size_t i = 0; i < seeds.size(); ++i)
      seeds[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) * apart);
    return seeds;
  }

  stg::tensor<std::int32_t> label_;
  stg::loader loader_;
  stg::vertex_rows<float> X_;
  stg::vertex_rows<std::int32_t> Y_;
  decltype(stg::parameters<loss>()) parameters_ = stg::parameters<loss>();
  decltype(stg::value_and_grad<loss>()) step_ = stg::value_and_grad<loss>();
  stg::adam<decltype(stg::parameters<loss>())> optimizer_{parameters_, {.learning_rate = 0.001}};
  std::int64_t epoch_ = 0;
  double sum_ = 0;
};

/// The training from features in memory, in a process that was made before anything else was: an epoch whenever it is
/// asked for one. It ends with the process that asks.
class training_beside {
 public:
  explicit training_beside(const std::string& file) {
    if (pipe(ask_.data()) != 0 || pipe(answer_.data()) != 0)
      throw stg::error("bench_mapped: this system makes no pipes");
    process_ = fork();
    if (process_ < 0) throw stg::error("bench_mapped: this system makes no processes");
    if (process_ > 0) return;
    close(ask_[1]), close(answer_[0]);
    char wanted = 0;
    if (read(ask_[0], &wanted, 1) != 1) _exit(1);  // the file is there
    {
      training resident(*graphs::named("arxiv_like"), stg::read_npy<float>(file));
      do {
        resident.epoch();
        const double loss = resident.loss_of_epoch();
        if (write(answer_[1], &loss, sizeof loss) != sizeof loss) _exit(1);
      } while (read(ask_[0], &wanted, 1) == 1);
    }
    _exit(0);
  }
  training_beside(const training_beside&) = delete;
  ~training_beside() {
    close(ask_[1]);
    waitpid(process_, nullptr, 0);
  }
  /// Waits for an epoch and returns its loss.
  double epoch() {
    double loss = 0;
    if (write(ask_[1], "e", 1) != 1 || read(answer_[0], &loss, sizeof loss) != sizeof loss)
      throw stg::error("bench_mapped: the process with features in memory has ended");
    return loss;
  }

 private:
  std::array<int, 2> ask_{}, answer_{};
  pid_t process_ = 0;
};

}  // namespace

int main() {
  const std::string file = (std::filesystem::temp_directory_path() / "stg_bench_mapped.npy").string();
  training_beside resident(file);
  const stg::graph g = *graphs::named("arxiv_like");
  {
    auto features = stg::tensor<float>::for_overwrite({g.vertices(), width});
    stg::uniform(features, -1, 1, 1);
    stg::write_npy(file, features);
    std::printf("features of %.0f MiB, %.0f MiB allowed\n", static_cast<double>(features.bytes()) / 1048576,
                static_cast<double>(allowed) / 1048576);
  }
  const double same = resident.epoch();
  allow(allowed);
  try {
    (void)stg::read_npy<float>(file);
    std::printf("  the file fits into the memory allowed: the limit is none\n");
    return 1;
  } catch (const stg::error& e) {
    std::printf("  read: %s\n", e.what());
  }
  training mapped(g, stg::map_npy<float>(file));
  forget(file);
  const double first = rounds::seconds_of([&] { mapped.epoch(); });
  const double losses = mapped.loss_of_epoch();
  mapped.epoch(), mapped.epoch(), mapped.epoch();  // all rows that any batch needs are in the system's cache by now
  const auto both = rounds::medians(
      {rounds::timed("mapped", [&] { mapped.epoch(); }), rounds::timed("in memory", [&] { resident.epoch(); })}, 9);
  std::printf("  first epoch from the disk %.0f ms; first epochs' loss %.6f and %.6f\n", 1e3 * first, losses, same);
  std::printf("  by turns: mapped, within the limit, %.0f ms, in memory without one %.0f ms: %.2f\n",
              1e3 * both[0].seconds, 1e3 * both[1].seconds, both[0].seconds / both[1].seconds);
  std::filesystem::remove(file);
  return losses == same ? 0 : 1;
}
