// A file compiled without -std=c++20.
// names: c++20
// flags: -std=c++17
#include <stg/stg.hpp>  // <- here
int main() {}
