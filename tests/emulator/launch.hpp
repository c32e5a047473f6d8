// Runs a kernel on the host as a GPU would: what tests of CUDA kernels call where there is no GPU.
#pragma once

#include <cstddef>  // byte
#include <functional>
#include <vector>

#include "emulator/block.hpp"         // block
#include "emulator/fault.hpp"         // fault
#include "emulator/memory_names.hpp"  // name_memory
#include "emulator/options.hpp"       // options

namespace stg::emulator {

namespace detail {

/// The machine of this host thread. One is enough: a kernel launches nothing.
machine& this_machine();

/// Throws where two runs gave other bytes.
void compare_runs(const std::vector<std::byte>& expected, const std::vector<std::byte>& got, std::uint64_t schedule);

}  // namespace detail

/// Runs every thread of every block of a launch of the kernel. Throws fault at the first thing that is wrong.
///
///     stg::emulator::launch(scale{x.data(), n}, {.blocks = (n + 127) / 128, .threads = 128});
template <gpu::Kernel Kernel> void launch(const Kernel& kernel, const gpu::grid& grid, const options& options = {}) {
  detail::this_machine().launch(
      grid, options,
      [](const void* kernel, machine& machine, int thread) {
        block mine(machine, thread);
        (*static_cast<const Kernel*>(kernel))(mine);
      },
      &kernel);
}

/// Runs the same launches in `schedules` orders of threads and blocks, the ascending one first, and compares what they
/// leave behind. `run` takes options, makes its inputs anew, launches, and returns the output as a vector of numbers.
/// Throws fault of the kind order_dependence.
template <class Run> void check_order(Run run, int schedules = 4, options options = {}) {
  std::vector<std::byte> expected;
  for (int schedule = 0; schedule < schedules; ++schedule) {
    options.schedule = schedule;
    const auto output = run(static_cast<const emulator::options&>(options));
    const auto* first = reinterpret_cast<const std::byte*>(output.data());
    std::vector<std::byte> bytes(first, first + output.size() * sizeof(output[0]));
    if (schedule == 0) expected = std::move(bytes);
    else detail::compare_runs(expected, bytes, schedule);
  }
}

}  // namespace stg::emulator
