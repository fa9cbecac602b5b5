# SPDX-License-Identifier: GPL-3.0-or-later
# Warnings, sanitizers and reproducible paths for every target of ours.
add_compile_options(
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -fno-strict-aliasing -fvisibility=hidden -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
add_compile_definitions(_GNU_SOURCE ZWB_VERSION="${PROJECT_VERSION}")
if(ZWB_WERROR)
  add_compile_options(-Werror)
endif()
if(ZWB_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(ZWB_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
