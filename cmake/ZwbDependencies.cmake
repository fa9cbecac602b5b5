# SPDX-License-Identifier: GPL-3.0-or-later
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(TRACEEVENT REQUIRED IMPORTED_TARGET libtraceevent>=1.7)
pkg_check_modules(TRACEFS REQUIRED IMPORTED_TARGET libtracefs>=1.6)
# The .pc file of trace-cmd 3.1.6 calls its library version 1.3.1.
pkg_check_modules(TRACECMD REQUIRED IMPORTED_TARGET libtracecmd>=1.3)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
pkg_check_modules(GSL REQUIRED IMPORTED_TARGET gsl)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
