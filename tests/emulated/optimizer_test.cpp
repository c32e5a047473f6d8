// test: calls
// Optimisers of parameters that lie on a device, and sets of their gradients: kernels by the emulator, all else by a
// fake of CUDA.
#include "../run/expect_error.hpp"               // expect_error
#include "../run/support/cuda_on_host.hpp"       // cuda_on_host
#include "../run/support/each_call.hpp"          // fail_each_call
#include "../run/support/emulated_launcher.hpp"  // emulated_launcher
#include "../run/support/trained_set.hpp"        // trained_set, filled_set
#include "../run/support/update_reference.hpp"   // expect_reference
#include "../run/temporary_folder.hpp"           // temporary_folder

#include <stg/codegen/cuda/update.hpp>     // updates_of
#include <stg/data/checkpoint.hpp>         // save_checkpoint, load_checkpoint
#include <stg/runtime/cuda.hpp>            // cuda
#include <stg/runtime/cuda/stream.hpp>     // captured_step
#include <stg/runtime/early_stopping.hpp>  // early_stopping
#include <stg/runtime/gradients.hpp>       // add, norm, clip_norm, clip_values
#include <stg/runtime/optimizer.hpp>       // sgd, adam, adamw

#include <gtest/gtest.h>  // TEST

#include <algorithm>    // equal
#include <cmath>        // abs
#include <type_traits>  // is_same_v
#include <vector>       // vector

namespace stg {
namespace {

using test::emulated_launcher;
using test::fake_cuda;

using test::small_symbol;
using set = test::trained_set;

/// Of a part of a block, and of several blocks.
set filled(double phase) { return test::filled_set<set>(phase, {7, 3}, {50, 61}, {1025}); }

template <class T> void expect_near(const tensor<T>& there, const tensor<T>& here) {
  const double tolerance = sizeof(T) == sizeof(float) ? 1e-6 : 1e-13;
  const tensor<T> back = there.to(host);
  for (std::int64_t i = 0; i < here.size(); ++i) ASSERT_NEAR(back.data()[i], here.data()[i], tolerance) << i;
}
void expect_near(const set& there, const set& here) {
  expect_near(there.get<0>(), here.get<0>());
  expect_near(there.get<1>(), here.get<1>());
  expect_near(there.get<2>(), here.get<2>());
}

struct optimizers_on_a_device : test::cuda_on_host {
  optimizers_on_a_device() { emulated_launcher::on = &fake; }
  ~optimizers_on_a_device() override { gpu::install_updates(before_); }

  template <class Make> static void check(Make make) {
    set here = filled(0), there = filled(0).to(cuda());
    auto on_host = make(here), on_device = make(there);
    on_host.weight_decay(small_symbol(), 0.05);
    on_device.weight_decay(small_symbol(), 0.05);
    for (int step = 1; step <= 3; ++step) {
      const set gradients = filled(step);
      on_host.step(gradients);
      on_device.step(gradients.to(cuda()));
    }
    expect_near(there, here);
    EXPECT_GT(std::abs(here.get<0>().data()[0] - filled(0).get<0>().data()[0]), 0.01) << "nothing was trained";
  }

 private:
  const gpu::update_functions* before_ = gpu::install_updates(&gpu::updates_of<emulated_launcher>);
};

TEST_F(optimizers_on_a_device, do_what_those_of_the_host_do) {
  check([](set& s) { return sgd(s, {.learning_rate = 0.1, .momentum = 0.9}); });
  check([](set& s) { return adam(s, {.learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-4}); });
  check([](set& s) { return adamw(s, {.learning_rate = 0.1, .epsilon = 1e-4, .weight_decay = 0.5}); });
}

TEST_F(optimizers_on_a_device, change_their_learning_rate) {
  set here = filled(0), there = filled(0).to(cuda());
  adamw on_host(here), on_device(there);
  for (const double rate : {0.1, 0.001, 0.2}) {
    on_host.learning_rate(rate).step(filled(rate));
    on_device.learning_rate(rate).step(filled(rate).to(cuda()));
  }
  expect_near(there, here);
  EXPECT_EQ(on_device.steps(), 3);
}

TEST_F(optimizers_on_a_device, go_on_from_what_was_saved) {
  test::temporary_folder folder;
  set whole = filled(0).to(cuda()), resumed = filled(7).to(cuda());
  adam optimizer(whole, {.learning_rate = 0.1}), second(resumed);
  early_stopping stopping(whole), later(resumed);
  for (int step = 0; step < 5; ++step) {
    if (step == 2) {
      stopping.stop_after(1);
      save_checkpoint(folder.path(), whole, optimizer, stopping);
    }
    optimizer.step(filled(step).to(cuda()));
  }
  load_checkpoint(folder.path(), resumed, second, later);
  for (int step = 2; step < 5; ++step) second.step(filled(step).to(cuda()));
  EXPECT_EQ(second.steps(), 5);
  for_each(whole, [&](std::string_view name, const auto& t) {
    for_each(resumed, [&](std::string_view other, const auto& u) {
      if constexpr (std::is_same_v<decltype(t), decltype(u)>) {
        if (name != other) return;
        const auto a = t.to(host), b = u.to(host);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin())) << name;
      }
    });
  });
  later.restore();
  stopping.restore();
  expect_near(resumed, whole.to(host));
}

TEST_F(optimizers_on_a_device, add_and_clip_gradients) {
  // Several blocks of a sum, which do not come out even.
  const auto large = [](double phase) { return test::filled_set<set>(phase, {7, 3}, {170, 301}, {1025}); };
  set here = large(0), there = large(0).to(cuda());
  here += large(1);
  there += large(1).to(cuda());
  add(here, large(2), -0.25);
  add(there, large(2).to(cuda()), -0.25);
  here *= 3;
  there *= 3;
  expect_near(there, here);
  EXPECT_NEAR(norm(there), norm(here), 1e-6 * norm(here));
  EXPECT_EQ(norm(there), norm(there.clone()));
  const double before = clip_norm(here, 2);
  EXPECT_NEAR(clip_norm(there, 2), before, 1e-6 * before);
  EXPECT_NEAR(norm(there), 2, 1e-6);
  expect_near(there, here);
  clip_values(here, 0.005);
  clip_values(there, 0.005);
  expect_near(there, here);
  EXPECT_EQ(norm(there.zeros()), 0);
  test::expect_error([&] { there += here; }, {"'small' lies on the host, other values on CUDA device 0"});
}

/// A hundred steps at the defaults, of parameters that begin at zero.
template <class Make, class Reference>
void follow_a_hundred_steps(Make make, Reference reference, double decay_of_others = 0) {
  const dimensions small{7, 3}, large{40, 9}, exact{5, 4};
  set there = test::filled_set<set>(0, small, large, exact).zeros(cuda());
  auto optimiser = make(there);
  optimiser.weight_decay(small_symbol(), test::reference_decay);
  for (int step = 1; step <= test::reference_steps; ++step)
    optimiser.step(test::reference_gradients<set>(small, large, exact, step).to(cuda()));
  test::expect_reference(there.to(host), reference, [&](std::string_view name) {
    return name == "small" ? test::reference_decay : decay_of_others;
  });
}

TEST_F(optimizers_on_a_device, keep_to_float64_for_a_hundred_steps) {
  follow_a_hundred_steps([](set& s) { return sgd(s); }, test::sgd_reference());
  follow_a_hundred_steps([](set& s) { return sgd(s, {.momentum = 0.9}); }, test::sgd_reference{.momentum = 0.9});
  follow_a_hundred_steps([](set& s) { return adam(s); }, test::adam_reference());
  follow_a_hundred_steps([](set& s) { return adamw(s); }, test::adamw_reference(), 0.01);
}

TEST_F(optimizers_on_a_device, update_more_parameters_than_a_kernel_has_arguments_for) {
  constexpr int count = 3 * gpu::detail::most_updated / 2;
  std::vector<tensor<float>> weights, gradients, states;
  std::vector<detail::parameter_update> all;
  for (int k = 0; k < count; ++k) {
    const std::int64_t size = k == 3 ? 0 : k % 5 + 1;
    weights.push_back(tensor<float>::full({size}, static_cast<float>(k)).to(cuda()));
    gradients.push_back(tensor<float>::full({size}, 2).to(cuda()));
    states.emplace_back(dimensions{size}, cuda());
    all.push_back({weights.back().data(), gradients.back().data(), states.back().data(), nullptr, size, 0, false});
  }
  const int before = emulated_launcher::launches;
  gpu::update_sgd(cuda(), all, {.learning_rate = 0.5});
  EXPECT_EQ(emulated_launcher::launches - before, 2);
  for (int k = 0; k < count; ++k) {
    const tensor<float> now = weights[static_cast<std::size_t>(k)].to(host);
    for (const float w : now) EXPECT_EQ(w, static_cast<float>(k) - 1);
  }
}

TEST_F(optimizers_on_a_device, count_the_steps_of_captured_ones) {
  gpu::stream_handle users = nullptr;
  fake.stream_create(&users);
  for (const gpu::stream_handle from : {gpu::stream_handle(), users}) {
    set here = filled(0), there = filled(0).to(cuda());
    const set gradients = filled(1), far = gradients.to(cuda());
    adam on_host(here), on_device(there);
    gpu::stream s(gpu::device::open(0), from, {});
    gpu::captured_step step(s, {"step"}, [&] { on_device.step(far); });
    for (int k = 0; k < 3; ++k) {
      on_host.step(gradients);
      step.launch();
    }
    expect_near(there, here);
    on_host.step(gradients);
    on_device.step(far);  // not captured
    expect_near(there, here);
  }
  fake.stream_destroy(users);
}

TEST_F(optimizers_on_a_device, count_launches_where_they_are) {
  gpu::stream s(gpu::device::open(1));  // not the current one
  const int before = emulated_launcher::launches;
  gpu::captured_step step(s, {"step"}, [] {});
  EXPECT_EQ(emulated_launcher::launches - before, 2) << "before the capture, so that the kernel is loaded, and in it";
  for (int k = 0; k < 2; ++k) step.launch();
  s.synchronize({"step"});
}

TEST_F(optimizers_on_a_device, want_everything_in_one_place) {
  set there = filled(0).to(cuda());
  adam optimizer(there);
  test::expect_error([&] { optimizer.step(filled(1)); },
                     {"the gradient of 'small' lies on the host", "the optimiser's state on CUDA device 0"});
  set here = filled(0);
  sgd early(here);
  here = here.to(cuda());
  test::expect_error([&] { early.step(filled(1)); },
                     {"parameter 'small' lies on CUDA device 0", "the optimiser's state on the host",
                      "make the optimiser once all parameters are where they are trained"});
}

TEST_F(optimizers_on_a_device, say_that_a_program_has_no_kernels) {
  set there = filled(0).to(cuda());
  sgd optimizer(there);
  const set gradients = filled(1).to(cuda());
  const auto* const before = gpu::install_updates(nullptr);
  test::expect_error([&] { optimizer.step(gradients); },
                     {"the parameters lie on CUDA device 0", "stg_add_program(target file.cpp)"});
  test::expect_error([&] { norm(gradients); }, {"the parameters lie on CUDA device 0"});
  gpu::install_updates(before);
}

TEST(optimizers_and_failing_calls, leave_nothing_and_work_again) {
  const auto* const before = gpu::install_updates(&gpu::updates_of<emulated_launcher>);
  const auto train = [](fake_cuda& fake) {
    emulated_launcher::on = &fake;
    set there = filled(0).to(cuda());
    adam optimizer(there);
    set gradients = filled(1).to(cuda());
    clip_norm(gradients, 1);
    optimizer.step(gradients);
    there.to(host);
  };
  EXPECT_GE(test::fail_each_call("adam", train), 20);
  gpu::install_updates(before);
}

}  // namespace
}  // namespace stg
