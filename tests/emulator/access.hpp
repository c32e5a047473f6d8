// What a thread does to memory.
#pragma once

#include <cstdint>  // uint8_t

namespace stg::emulator {

enum class access : std::uint8_t { read, write, atomic, read_constant };

}  // namespace stg::emulator
