#!/usr/bin/env bash
# Builds for arm64 on a Debian of another kind, and runs the unit tests there by qemu:
#
#     packaging/cross_arm64.sh FOLDER
#
# As root: it installs a cross compiler and qemu. Debian's arm64 packages of the libraries are unpacked in
# FOLDER/system and not installed; the C library's headers are the cross compiler's own. Without MPI and SimGrid.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/debs" "$1/system"
folder=$(cd "$1" && pwd)
# What kernels, measuring and simulation need is left out.
libraries=$(grep '^lib.*-dev$' "$root/packages.txt" | grep -v 'openblas\|fftw\|mpich\|hwloc\|simgrid')

dpkg --add-architecture arm64
apt-get update -qq
apt-get install -y -qq --no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
cd "$folder/debs"
apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
    $(sed 's/$/:arm64/' <<<"$libraries") | sed -n '/^[a-z].*:arm64$/p' | grep -v '^libc6-dev:' | sort -u | xargs apt-get download -qq
for package in *.deb; do
    dpkg -x "$package" "$folder/system"
done

libs=$folder/system/usr/lib/aarch64-linux-gnu
export PKG_CONFIG_LIBDIR=$libs/pkgconfig PKG_CONFIG_SYSROOT_DIR=$folder/system
find_at_link=-Wl,-rpath-link=$libs:$folder/system/lib/aarch64-linux-gnu
cmake -G Ninja -S "$root" -B "$folder/build" -DISOCAST_WERROR=ON -DISOCAST_MPI=OFF -DISOCAST_SIMGRID=OFF \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
    -DCMAKE_EXE_LINKER_FLAGS="$find_at_link" -DCMAKE_SHARED_LINKER_FLAGS="$find_at_link" \
    "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64-static;-L;$folder/system"
cmake --build "$folder/build"
ctest --test-dir "$folder/build" --parallel 2 --output-on-failure -L unit -E '^unit.fit_truth$'
