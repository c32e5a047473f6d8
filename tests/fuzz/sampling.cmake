# What samples, as fuzzers and tests compile it under sanitizers: all of src/sampling but METIS.
file(GLOB sampled CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/sampling/*.cpp)
list(FILTER sampled EXCLUDE REGEX "/partition\\.cpp$")
