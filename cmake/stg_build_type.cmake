# Says, once, that programs are about to be compiled without optimisation: CMake's build type is empty unless it is set.
get_property(stg_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
get_property(stg_said_so GLOBAL PROPERTY STG_SAID_NO_BUILD_TYPE)
if(NOT stg_multi_config AND NOT CMAKE_BUILD_TYPE AND NOT stg_said_so AND NOT CMAKE_CXX_FLAGS MATCHES "-O([1-9gsz]|fast|$| )")
  message(WARNING "stg: no build type, so programs are compiled without optimisation and models run as drafts, "
    "several times slower; write cmake -DCMAKE_BUILD_TYPE=Release")
  set_property(GLOBAL PROPERTY STG_SAID_NO_BUILD_TYPE TRUE)
endif()
