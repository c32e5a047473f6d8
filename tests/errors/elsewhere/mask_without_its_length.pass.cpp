// The twin of mask_without_its_length.fail.cpp.
#include <stg/stg.hpp>

auto made() { return stg::mask_of({4, 9, 30}, 34); }
