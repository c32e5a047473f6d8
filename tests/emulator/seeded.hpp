// What the tests of seeded bugs say: this kernel is caught, and its correct twin is not.
#pragma once

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "emulator/launch.hpp"

namespace stg::emulator {

/// What a launch, or several, must be caught at; the text holds every one of the words.
template <class Launch> void expect_fault(fault_kind kind, std::initializer_list<const char*> words, Launch launch) {
  try {
    launch();
    ADD_FAILURE() << "nothing was found; expected: " << name(kind);
  } catch (const fault& found) {
    EXPECT_EQ(found.kind(), kind) << found.what();
    const std::string text = found.what();
    for (const char* word : words) EXPECT_NE(text.find(word), text.npos) << "no '" << word << "' in: " << text;
  }
}

/// The twin `Kernel<false>` passes in every order, and `Kernel<true>`, the same with a bug, is caught in every order.
template <template <bool> class Kernel, class... Arguments>
void expect_bug(fault_kind kind, std::initializer_list<const char*> words, const gpu::grid& grid,
                Arguments... arguments) {
  for (std::uint64_t schedule = 0; schedule < 8; ++schedule) {
    SCOPED_TRACE("schedule " + std::to_string(schedule));
    EXPECT_NO_THROW(launch(Kernel<false>{arguments...}, grid, {.schedule = schedule}));
    expect_fault(kind, words, [&] { launch(Kernel<true>{arguments...}, grid, {.schedule = schedule}); });
  }
}

}  // namespace stg::emulator
