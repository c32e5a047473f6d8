# Run by cpack on what it is about to pack: Debian wants the licence under the package's name.
file(GLOB licences ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/stg/LICENSE
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/doc/stg/LICENSE)
foreach(licence IN LISTS licences)
  get_filename_component(folder ${licence} DIRECTORY)
  get_filename_component(doc ${folder} DIRECTORY)
  file(RENAME ${folder} ${doc}/libstg-dev)
  file(RENAME ${doc}/libstg-dev/LICENSE ${doc}/libstg-dev/copyright)
endforeach()
