# SPDX-License-Identifier: GPL-3.0-or-later
# Warnings, banned functions, sanitizers and reproducible paths for every target of ours.

# No assert() on the hot path of a release; symbols for whoever profiles it.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g -DNDEBUG")

set(ZWB_BANNED_H ${CMAKE_CURRENT_LIST_DIR}/banned.h)
add_compile_options(
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -fno-strict-aliasing -fvisibility=hidden -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=
  "SHELL:-include ${ZWB_BANNED_H}")
add_compile_definitions(_GNU_SOURCE ZWB_VERSION="${PROJECT_VERSION}")
if(ZWB_CAPTURE_ONLY)
  add_compile_definitions(ZWB_CAPTURE_ONLY)
endif()
if(ZWB_WERROR)
  add_compile_options(-Werror)
endif()
if(ZWB_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # The instrumented code hides from these two what they need to know.
    add_compile_options(-Wno-format-truncation -Wno-maybe-uninitialized)
  endif()
endif()
if(ZWB_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(ZWB_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
