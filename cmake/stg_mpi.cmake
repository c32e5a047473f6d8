# MPI: processes as the ranks of a cut graph. The library stg::mpi holds all that knows of it; a program links it beside
# stg::stg, and no header of it is included by stg's. AUTO takes it where it is found, ON asks for it, OFF leaves it out.
set(STG_MPI AUTO CACHE STRING "Build stg::mpi: AUTO, ON or OFF")
set(STG_MPI_FOUND OFF)
if(NOT STG_MPI STREQUAL "OFF")
  if(STG_MPI STREQUAL "AUTO")
    find_package(MPI QUIET COMPONENTS CXX)
  else()
    find_package(MPI REQUIRED COMPONENTS CXX)
  endif()
  set(STG_MPI_FOUND ${MPI_CXX_FOUND})
endif()
