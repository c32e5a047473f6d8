// Ends a file that is compiled as older C++ than C++20. All headers reach this one first: the next ones are no C++ to
// such a compiler, thousands of errors long. A missing include is the one error that ends a file.
#pragma once

#if __cplusplus <= 201703L
#include "stg: a file is compiled as older C++; add -std=c++20"
#endif
