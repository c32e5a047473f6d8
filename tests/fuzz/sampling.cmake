# What samples, as fuzzers and tests compile it under sanitizers: all of src/sampling but the loaders and METIS.
file(GLOB sampled CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/sampling/*.cpp)
list(FILTER sampled EXCLUDE REGEX "/(graphs_loader|loader|made_ahead|partition)\\.cpp$")
