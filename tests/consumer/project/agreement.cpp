// Compiled with headers that differ from the library's, it says so and ends before it begins.
#include <stg/call/agreement_check.hpp>  // which stg.hpp includes

#include <cstdio>  // puts

int main() { std::puts("began"); }
