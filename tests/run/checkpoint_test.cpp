// test: draft data
// Parameters and the state of a run, written to a folder and read back, also where writing was cut short.
#include <stg/data/checkpoint.hpp>         // save_checkpoint, load_checkpoint
#include <stg/data/graphs_folder.hpp>      // read_graphs, write_graphs
#include <stg/runtime/early_stopping.hpp>  // early_stopping
#include <stg/runtime/schedule.hpp>        // reduce_on_plateau

#include <gtest/gtest.h>

#include <stg/stg.hpp>  // parameters

#include <algorithm>       // count, equal
#include <csignal>         // signal
#include <filesystem>      // exists, recursive_directory_iterator
#include <functional>      // function
#include <fstream>         // ofstream
#include <limits>          // numeric_limits
#include <sys/resource.h>  // setrlimit
#include <thread>          // jthread
#include <vector>          // vector

#include "expect_error.hpp"        // expect_error
#include "support/file_calls.hpp"  // file_calls
#include "temporary_folder.hpp"    // temporary_folder

namespace {

using stg::test::expect_error;
using stg::test::file_calls;
using stg::test::folder_in_memory;
using stg::test::temporary_folder;

inline constexpr auto x = stg::vertex_feature<"x", 3>;
inline constexpr auto W = stg::parameter<"conv1/W", 3, stg::extent<"C">>;
inline constexpr auto b = stg::parameter<"b", stg::extent<"C">>;
inline constexpr auto model = [](auto v) { return linear(v(x), W, v(b)); };

auto parameters_of_width(int classes, std::uint64_t seed) {
  auto params = stg::parameters<model>(stg::sized<"C">(classes));
  stg::initialize(params, seed);
  params[b](0) = static_cast<float>(seed);
  return params;
}

template <class Set> std::vector<float> numbers(const Set& set) {
  std::vector<float> all;
  for_each(set, [&](std::string_view, const auto& t) { all.insert(all.end(), t.begin(), t.end()); });
  return all;
}

TEST(checkpoint, reads_what_was_written_into_the_memory_that_is_there) {
  temporary_folder folder;
  const auto saved = parameters_of_width(4, 1);
  stg::save_parameters(saved, folder.file("run/7"));
  auto loaded = parameters_of_width(4, 2);
  const float* const memory = loaded[W].data();
  stg::load_parameters(loaded, folder.file("run/7"));
  EXPECT_EQ(loaded[W].data(), memory);
  EXPECT_TRUE(std::equal(saved[W].begin(), saved[W].end(), loaded[W].begin()));
  EXPECT_EQ(loaded[b](0), 1);
  EXPECT_EQ(stg::read_npy<float>(folder.file("run/7/conv1/W.npy")).extent(1), 4);
}

TEST(checkpoint, a_mistake_changes_no_parameter) {
  temporary_folder folder;
  stg::save_parameters(parameters_of_width(4, 1), folder.path());
  auto wider = parameters_of_width(5, 2);
  const float before = wider[W](0, 0);
  expect_error([&] { stg::load_parameters(wider, folder.path()); }, {"conv1/W.npy", "(3, 4)", "(3, 5)"});
  EXPECT_EQ(wider[W](0, 0), before);

  auto same = parameters_of_width(4, 3);
  const float first = same[W](0, 0);
  std::filesystem::remove(folder.file("b.npy"));
  expect_error([&] { stg::load_parameters(same, folder.path()); }, {"b.npy"});
  EXPECT_EQ(same[W](0, 0), first);
}

/// While it lives no file of this process grows beyond so many bytes, as where a disk is full.
class full_disk {
 public:
  explicit full_disk(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;
  ~full_disk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  void (*signal_)(int);
  rlimit before_{};
};

TEST(checkpoint, what_cannot_be_written_leaves_the_earlier_one) {
  temporary_folder folder;
  const std::string run = folder.file("run");
  auto params = parameters_of_width(40, 1);  // b: 160 bytes and a header, W: 480 and one
  const auto before = numbers(params);
  stg::adam optimizer(params);
  stg::save_parameters(params, run);
  stg::save_state(optimizer, run);
  params[b].fill(7);
  params[W].fill(7);
  optimizer.step(params.numbers());
  {
    const full_disk limit(400);
    expect_error([&] { stg::save_parameters(params, run); }, {"/conv1/W.npy cannot be written to its end"});
    expect_error([&] { stg::save_state(optimizer, run); }, {"cannot be written to its end"});
  }
  stg::load_parameters(params, run);
  EXPECT_EQ(numbers(params), before);
  stg::load_state(optimizer, run);
  EXPECT_EQ(optimizer.steps(), 0);
  EXPECT_FALSE(std::filesystem::exists(run + "/.saving")) << "what was begun is removed";

  std::filesystem::remove(run + "/b.npy");
  std::filesystem::create_directory(run + "/b.npy");
  std::ofstream(run + "/b.npy/kept") << "something";
  expect_error([&] { stg::save_parameters(params, run); },
               {"b.npy cannot be put in place: a folder has its name; remove it"});
}

TEST(checkpoint, a_folder_that_cannot_be_made_is_an_error) {
  temporary_folder folder;
  const std::string file = folder.write("taken", "a file");
  expect_error([&] { stg::save_parameters(parameters_of_width(4, 1), file); }, {"taken", "cannot be made"});
}

/// What a run has, all of it made of one number, so that parts of two states are seen.
class run_state {
 public:
  explicit run_state(int number) {
    params_[W].fill(static_cast<float>(number));
    params_[b].fill(static_cast<float>(number));
    for (int i = 0; i < number; ++i) optimizer_.step(params_.numbers()), rate_(number);
    params_[W].fill(static_cast<float>(number));
    params_[b].fill(static_cast<float>(number));
  }
  void save(const std::string& folder) { stg::save_checkpoint(folder, params_, optimizer_, rate_); }
  /// The number that all is made of: of parameters, of the optimiser's state and of the plateau's.
  static int loaded(const std::string& folder) {
    run_state now(0);
    stg::load_checkpoint(folder, now.params_, now.optimizer_, now.rate_);
    const auto number = static_cast<int>(now.params_[b](0));
    run_state same(number);
    EXPECT_EQ(numbers(now.params_), numbers(same.params_));
    EXPECT_EQ(now.optimizer_.steps(), number);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ(numbers(*now.optimizer_.state_sets()[i].values), numbers(*same.optimizer_.state_sets()[i].values));
    const auto of_rate = now.rate_.state_numbers(), same_rate = same.rate_.state_numbers();
    EXPECT_TRUE(std::equal(of_rate.begin(), of_rate.end(), same_rate.begin()));
    return number;
  }

 private:
  using parameters = decltype(parameters_of_width(4, 1));
  parameters params_ = parameters_of_width(4, 1);
  stg::adam<parameters> optimizer_{params_, {.learning_rate = 0.01}};
  stg::schedule::reduce_on_plateau rate_{{.from = 1, .factor = 0.5, .patience = 1}};
};

/// A folder of files that are written together, as state 1, 2 or 3.
struct written_together {
  std::function<void(const std::string&, int)> save;
  std::function<int(const std::string&)> load;  // which is there; an error where parts of two are
  std::string file;                             // one of them
  int calls_after = 6;                          // at least, from when on the new ones are found
};

const written_together all_of_a_run{[](const std::string& run, int n) { run_state(n).save(run); }, run_state::loaded,
                                    "adam/first/conv1/W.npy"};
const written_together one_file_of_a_run{
    [](const std::string& run, int n) { run_state(n).save(run + "/all.safetensors"); },
    [](const std::string& run) { return run_state::loaded(run + "/all.safetensors"); }, "all.safetensors", 3};
const written_together graphs_of_kinds{
    [](const std::string& run, int n) {
      const std::vector<std::int64_t> ends(static_cast<std::size_t>(n), n);
      stg::write_graphs(run,
                        stg::graphs().add_vertices("paper", n + 1).add_edges("cites", "paper", "paper", ends, ends));
    },
    [](const std::string& run) {
      const auto n = static_cast<int>(stg::read_graphs(run).graph().vertices("paper")) - 1;
      const auto list = stg::read_graphs(run).graph().relation("cites").edge_list();
      EXPECT_EQ(list.src, std::vector<std::int32_t>(static_cast<std::size_t>(n), n));
      return n;
    },
    "cites/edges.npy"};
const written_together one_array{
    [](const std::string& run, int n) {
      auto data = stg::write_graphs(run, stg::graphs().add_vertices("paper", 1));
      data.write("paper", "words", stg::tensor<float>::full({1, 40}, static_cast<float>(n)));
    },
    [](const std::string& run) {
      const auto words = stg::read_graphs(run).vertex_values<float>("paper", "words");
      EXPECT_TRUE(std::equal(words.begin(), words.end() - 1, words.begin() + 1));
      return static_cast<int>(words(0, 0));
    },
    "paper/words.npy"};

/// Nothing of a replacement is left but its files.
void expect_tidy(const std::string& run) {
  for (const auto& entry : std::filesystem::directory_iterator(run))
    EXPECT_NE(entry.path().filename().string()[0], '.') << entry.path();
}

/// Writing is cut short at every call: what is loaded is the state before or the new one, whole, and the next is
/// written as if nothing had happened. Returns in how many ways it was cut.
template <class Cut> int expect_one_or_other(const written_together& files, const Cut& cut) {
  int before = 0, after = 0;
  for (int k = 1;; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    temporary_folder folder(folder_in_memory());
    const std::string run = folder.file("some/run");
    files.save(run, 1);
    const bool was_cut = cut(k, [&] { files.save(run, 2); });
    const int there = files.load(run);
    EXPECT_TRUE(there == 1 || there == 2);
    (there == 1 ? before : after) += 1;
    files.save(run, 3);
    EXPECT_EQ(files.load(run), 3);
    EXPECT_TRUE(std::filesystem::exists(run + '/' + files.file)) << "where NumPy reads it";
    expect_tidy(run);
    if (!was_cut) break;
    if (testing::Test::HasFailure()) return 0;
  }
  EXPECT_GT(before, 5);
  EXPECT_GE(after, files.calls_after);
  return before + after;
}

TEST(checkpoint, a_process_that_is_killed_at_any_call_leaves_one_state) {
  for (const auto* files : {&all_of_a_run, &graphs_of_kinds, &one_array, &one_file_of_a_run})
    expect_one_or_other(*files, [](int k, const auto& save) { return file_calls::killed_in(k, save); });
}

TEST(checkpoint, a_call_that_fails_leaves_one_state) {
  for (const auto* files : {&all_of_a_run, &graphs_of_kinds, &one_array, &one_file_of_a_run})
    expect_one_or_other(*files, [](int k, const auto& save) {
      return file_calls::failed_in(k, [&] {
        try {
          save();
        } catch (const stg::error& e) {
          EXPECT_TRUE(std::string_view(e.what()).find("; ") != std::string_view::npos) << e.what();
        }
      });
    });
}

TEST(checkpoint, a_process_that_is_killed_while_it_finishes_anothers_leaves_one_state) {
  const written_together& files = all_of_a_run;
  const auto killed_in_second = [&](const temporary_folder& folder, int k) {
    files.save(folder.path(), 1);
    return file_calls::killed_in(k, [&] { files.save(folder.path(), 2); });
  };
  std::vector<int> while_moving;  // calls before which all is saved, and not all in its place
  bool was_cut = true;
  for (int k = 1; was_cut; ++k) {
    const temporary_folder folder(folder_in_memory());
    was_cut = killed_in_second(folder, k);
    if (std::filesystem::exists(folder.file(".saved"))) while_moving.push_back(k);
  }
  ASSERT_GT(while_moving.size(), 10u);
  for (const int first : {while_moving.front(), while_moving[while_moving.size() / 2], while_moving.back()}) {
    was_cut = true;
    for (int k = 1; was_cut; ++k) {
      SCOPED_TRACE("calls " + std::to_string(first) + " and " + std::to_string(k));
      const temporary_folder folder(folder_in_memory());
      killed_in_second(folder, first);
      was_cut = file_calls::killed_in(k, [&] { files.save(folder.path(), 3); });
      const int there = files.load(folder.path());
      ASSERT_TRUE(there == 3 || (was_cut && there == 2)) << there;
      files.save(folder.path(), 1);
      ASSERT_EQ(files.load(folder.path()), 1);
      expect_tidy(folder.path());
    }
  }
}

TEST(checkpoint, a_first_one_that_is_cut_short_is_none) {
  for (const auto* files : {&all_of_a_run, &graphs_of_kinds}) {
    bool was_cut = true;
    for (int k = 1; was_cut; ++k) {
      temporary_folder folder(folder_in_memory());
      const std::string run = folder.file("some/run");
      was_cut = file_calls::killed_in(k, [&] { files->save(run, 2); });
      int there = 0;
      try {
        there = files->load(run);
      } catch (const stg::error&) {
        EXPECT_TRUE(was_cut);
      }
      EXPECT_TRUE(there == 0 || there == 2);
    }
  }
}

TEST(checkpoint, is_on_the_disk_before_it_counts) {
  const temporary_folder folder(folder_in_memory());
  const std::string run = folder.file("run");
  file_calls::synced().clear();
  all_of_a_run.save(run, 1);
  const auto& synced = file_calls::synced();
  for (const std::string file : {"b.npy", "conv1/W.npy", "conv1", "adam/first/b.npy", "adam/first/conv1/W.npy",
                                 "adam/second/b.npy", "adam/second/conv1/W.npy", "adam/numbers.npy", "adam/first/conv1",
                                 "adam/first", "adam", "reduce_on_plateau/numbers.npy", "reduce_on_plateau"})
    EXPECT_EQ(std::count(synced.begin(), synced.end(), run + "/.saving/" + file), 1) << file;
  EXPECT_EQ(synced.end()[-2], run + "/.saving");
  EXPECT_EQ(synced.back(), run) << "with the new name of .saving";
  file_calls::synced().clear();
  one_file_of_a_run.save(run, 1);
  EXPECT_EQ(synced, (std::vector<std::string>{run + "/all.safetensors.saving", run}));
}

TEST(checkpoint, is_loaded_whole_while_others_are_saved) {
  for (const auto* files : {&all_of_a_run, &one_file_of_a_run}) {
    temporary_folder folder(folder_in_memory());
    files->save(folder.path(), 1);
    const auto save_others = [&](const std::stop_token& end) {
      for (int n = 1; !end.stop_requested(); ++n) files->save(folder.path(), 1 + n % 3);
    };
    const std::jthread one(save_others), two(save_others);
    for (int i = 0; i < 100; ++i) {
      const int there = files->load(folder.path());
      ASSERT_TRUE(there >= 1 && there <= 3);
    }
  }
}

TEST(checkpoint, of_one_file_has_names_shapes_and_texts) {
  temporary_folder folder;
  const std::string path = folder.file("some/run.safetensors");
  auto params = parameters_of_width(4, 1);
  stg::adam optimizer(params);
  optimizer.step(params.numbers());
  stg::save_checkpoint(path, params, optimizer, stg::metadata{{{"epoch", "12"}}});
  const stg::safetensors_file file(path);
  std::string names;
  for (const auto& t : file.tensors()) names += t.name + ' ';
  EXPECT_EQ(names, "adam/numbers adam/first/b adam/first/conv1/W adam/second/b adam/second/conv1/W b conv1/W ");
  EXPECT_EQ(file.read<float>("conv1/W").extent(1), 4);

  auto loaded = parameters_of_width(4, 2);
  stg::adam resumed(loaded);
  stg::metadata texts;
  stg::load_checkpoint(path, loaded, resumed, texts);
  EXPECT_EQ(numbers(loaded), numbers(params));
  EXPECT_EQ(resumed.steps(), 1);
  EXPECT_EQ(texts.at("epoch"), "12");

  auto wider = parameters_of_width(5, 3);
  const auto before = numbers(wider);
  expect_error([&] { stg::load_parameters(wider, path); },
               {"checkpoint file ", "run.safetensors tensor conv1/W has shape (3, 4); the parameter has (3, 5)"});
  EXPECT_EQ(numbers(wider), before);
  stg::save_parameters(params, path);
  expect_error([&] { stg::load_state(resumed, path); }, {"has no tensor \"adam/first/conv1/W\" among its 2"});
  expect_error([&] { stg::load_parameters(wider, folder.file("none.safetensors")); }, {"none.safetensors is missing"});
  expect_error([&] { stg::save_checkpoint(folder.file("run"), params, texts); }, {"metadata belong to one file"});
  expect_error([&] { stg::load_checkpoint(folder.path(), texts); }, {"metadata belong to one file"});
  {
    const full_disk limit(100);
    expect_error([&] { stg::save_parameters(params, path); }, {"run.safetensors cannot be written to its end"});
  }
  stg::load_parameters(loaded, path);
}

TEST(checkpoint, of_separate_files_is_loaded_too) {
  temporary_folder folder(folder_in_memory());  // as a folder that was written by other means has them
  auto params = parameters_of_width(4, 1);
  std::filesystem::create_directories(folder.file("conv1"));
  stg::write_npy(folder.file("conv1/W.npy"), stg::tensor<float>::full({3, 4}, 7));
  stg::write_npy(folder.file("b.npy"), stg::tensor<float>::full({4}, 7));
  folder.write("b.npy.part", "what a process left that was killed");
  stg::load_parameters(params, folder.path());
  EXPECT_EQ(numbers(params), std::vector<float>(16, 7));
}

TEST(checkpoint, takes_one_object_of_a_kind) {
  temporary_folder folder(folder_in_memory());
  auto params = parameters_of_width(4, 1);
  stg::adam first(params), second(params);
  expect_error([&] { stg::save_checkpoint(folder.path(), params, first, second); },
               {"adam/first/conv1/W.npy is written twice; give each of two a folder of its own"});
}

/// Gradients of an epoch, of the parameters' kind.
auto gradients_of(int epoch) {
  auto g = parameters_of_width(4, static_cast<std::uint64_t>(100 + epoch));
  g[b](1) = static_cast<float>(epoch) / 7;
  return std::move(g).numbers();
}

/// Ten epochs, and seven of them after three that another process may have run.
template <class Make> void expect_resumed(Make make) {
  temporary_folder folder;
  auto whole = parameters_of_width(4, 1);
  auto optimizer = make(whole);
  for (int epoch = 0; epoch < 10; ++epoch) {
    if (epoch == 2) optimizer.learning_rate(0.003);
    if (epoch == 3) {
      stg::save_parameters(whole, folder.path());
      stg::save_state(optimizer, folder.path());
    }
    optimizer.step(gradients_of(epoch));
  }
  auto resumed = parameters_of_width(4, 2);
  auto second = make(resumed);
  second.step(gradients_of(50));  // what it had is replaced
  stg::load_parameters(resumed, folder.path());
  stg::load_state(second, folder.path());
  EXPECT_EQ(second.steps(), 3);
  EXPECT_EQ(second.learning_rate(), 0.003);
  for (int epoch = 3; epoch < 10; ++epoch) second.step(gradients_of(epoch));
  EXPECT_EQ(numbers(resumed), numbers(whole));
  EXPECT_EQ(second.steps(), 10);
}

TEST(checkpoint, an_optimiser_goes_on_with_the_same_bits) {
  expect_resumed([](auto& params) { return stg::sgd(params, {.learning_rate = 0.1, .momentum = 0.9}); });
  expect_resumed([](auto& params) { return stg::adam(params, {.learning_rate = 0.01}); });
  expect_resumed([](auto& params) { return stg::adamw(params, {.learning_rate = 0.01, .weight_decay = 0.1}); });
}

/// A load that is refused leaves an optimiser that goes on like one that was never asked to.
void expect_nothing_loaded(const std::string& folder, std::initializer_list<std::string_view> parts) {
  auto params = parameters_of_width(4, 1), untouched = parameters_of_width(4, 1);
  stg::adam optimizer(params), other(untouched);
  optimizer.step(gradients_of(0));
  other.step(gradients_of(0));
  expect_error([&] { stg::load_state(optimizer, folder); }, parts);
  EXPECT_EQ(optimizer.learning_rate(), other.learning_rate());
  optimizer.step(gradients_of(1));
  other.step(gradients_of(1));
  EXPECT_EQ(numbers(params), numbers(untouched));
  EXPECT_EQ(optimizer.steps(), 2);
}

TEST(checkpoint, a_state_that_is_refused_changes_nothing) {
  temporary_folder folder;
  const std::string run = folder.file("run");
  auto params = parameters_of_width(4, 5);
  stg::adam optimizer(params, {.learning_rate = 0.5});
  optimizer.step(gradients_of(9));
  stg::save_state(optimizer, run);
  using numbers_type = stg::tensor<double>;
  const auto replaced = [&](const char* file, const auto& values, std::initializer_list<std::string_view> parts) {
    stg::save_state(optimizer, run);
    stg::write_npy(run + "/adam/" + file, values);
    expect_nothing_loaded(run, parts);
  };
  replaced("second/b.npy", stg::tensor<float>({5}), {"adam/second/b.npy", "shape (5,)", "the state has (4,)"});
  replaced("second/b.npy", stg::tensor<double>({4}), {"adam/second/b.npy", "<f4"});
  replaced("numbers.npy", numbers_type({5}), {"adam/numbers.npy", "has shape (5,) rather than (4,)"});
  replaced("numbers.npy", numbers_type::from({4}, {-1, 3, 0.5, 0.5}), {"has the learning rate -1"});
  replaced("numbers.npy", numbers_type::from({4}, {1, 2.5, 0.5, 0.5}), {"has 2.5", "steps"});
  replaced("numbers.npy", numbers_type::from({4}, {1, 2, 0.5, 1.5}), {"a power of beta of 1.5"});
  std::filesystem::remove(run + "/adam/numbers.npy");
  expect_nothing_loaded(run, {"numbers.npy is missing"});
  stg::sgd of_another_kind(params);
  expect_error([&] { stg::load_state(of_another_kind, run); }, {"sgd/velocity", "is missing"});
}

TEST(checkpoint, what_watches_values_goes_on) {
  temporary_folder folder;
  auto params = parameters_of_width(4, 1);
  stg::schedule::reduce_on_plateau rate({.from = 1, .factor = 0.5, .patience = 2});
  stg::early_stopping stopping(params, {.patience = 3});
  for (const double value : {5.0, 4.0, 4.5}) rate(value), stopping.stop_after(value);
  stg::save_state(rate, folder.path());
  stg::save_state(stopping, folder.path());

  auto others = parameters_of_width(4, 2);
  stg::schedule::reduce_on_plateau later({.from = 1, .factor = 0.5, .patience = 2});
  stg::early_stopping resumed(others, {.patience = 3});
  stg::load_state(later, folder.path());
  stg::load_state(resumed, folder.path());
  EXPECT_EQ(later(4.25), 1);
  EXPECT_EQ(later(4.25), 0.5);
  EXPECT_FALSE(resumed.stop_after(4.25));
  EXPECT_TRUE(resumed.stop_after(4.25));
  EXPECT_EQ(resumed.best(), 4);
  EXPECT_EQ(resumed.best_epoch(), 1);
  resumed.restore();
  EXPECT_EQ(numbers(others), numbers(params));

  stg::write_npy(folder.file("early_stopping/numbers.npy"), stg::tensor<double>::from({4}, {1, 0, 0.5, 0}));
  expect_error([&] { stg::load_state(resumed, folder.path()); }, {"early_stopping/numbers.npy counts 0.5"});
  const auto impossible = [&](auto& object, const std::string& name, std::initializer_list<double> values,
                              std::string_view part) {
    stg::write_npy(folder.file(name + "/numbers.npy"), stg::tensor<double>::from({4}, values));
    expect_error([&] { stg::load_state(object, folder.path()); },
                 {"checkpoint file ", name + "/numbers.npy ", part, "; save it anew"});
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  // early stopping: whether there is a best value, which, epochs so far, epochs since
  impossible(resumed, "early_stopping", {0.5, 4, 3, 1},
             "says 0.5 of whether there is a best value, rather than 0 or 1");
  impossible(resumed, "early_stopping", {nan, 4, 3, 1}, "says nan of whether there is a best value");
  impossible(resumed, "early_stopping", {1, nan, 3, 1}, "has nan as the best value");
  impossible(resumed, "early_stopping", {1, 4, 3, 4}, "counts 4 of 3 epochs since the best value");
  impossible(resumed, "early_stopping", {1, 4, 3, 3}, "counts 3 of 3 epochs since the best value");
  impossible(resumed, "early_stopping", {0, 0, 3, 2}, "counts 2 of 3 epochs without a best value");
  impossible(resumed, "early_stopping", {1, 4, -1, 0}, "counts -1 epochs");
  // a plateau: the rate, the best value, epochs since, epochs that are not counted
  impossible(later, "reduce_on_plateau", {-1, 4, 1, 0}, "has the learning rate -1");
  impossible(later, "reduce_on_plateau", {nan, 4, 1, 0}, "has the learning rate nan");
  impossible(later, "reduce_on_plateau", {1, nan, 1, 0}, "has nan as the best value");
  impossible(later, "reduce_on_plateau", {1, 4, 1, 0.25}, "counts 0.25 epochs");
  stg::write_npy(folder.file("reduce_on_plateau/numbers.npy"), stg::tensor<double>::from({3}, {1, 0, 1}));
  expect_error([&] { stg::load_state(later, folder.path()); }, {"reduce_on_plateau/numbers.npy", "(3,)"});
  EXPECT_EQ(resumed.best(), 4);
}

}  // namespace
