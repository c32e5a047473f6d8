// Compiled without optimisation, it says so when it starts.
#include <stg/call/unoptimized.hpp>  // which stg.hpp includes

int main() {}
