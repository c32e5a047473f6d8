// Names of arrays: a fault says "h+24" where it would say an address.
#pragma once

#include <cstddef>  // size_t
#include <string>

namespace stg::emulator {

/// From now on the memory at p is called so, until other memory that overlaps it gets a name or forget_names is called.
/// The name is that of the memory, not of an object: say it again when an array has moved.
void name_memory(const void* p, std::size_t bytes, const std::string& name);
void forget_names();

/// "h+24" where a named array holds the address, else the address.
std::string name_of(const void* p);
/// Whether one named array holds all of it.
bool is_named(const void* p, std::size_t bytes);

}  // namespace stg::emulator
