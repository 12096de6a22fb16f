#!/bin/sh
# try_deb.sh ROOT PACKAGE: installs the package in a bare Debian below ROOT, uses it as its manual page shows, and removes it. As root.
set -eu
root=$1
cp "$2" "$root/tmp/isocast.deb"
export DEBIAN_FRONTEND=noninteractive
in_root() {
    echo "$ $*"
    unshare -m -p -f sh -c 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; mount -t sysfs sysfs "$0/sys"
        exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp/home TERM=dumb LC_ALL=C.UTF-8 sh -c "mkdir -p /tmp/home; cd /tmp/home; $1"' \
        "$root" "$*"
}
files() { find "$root" -xdev -path "*isocast*" ! -path "$root/var/*" ! -path "$root/tmp/*" | sort; }
seconds() { date +%s; }

files >"$root/tmp/before"
start=$(seconds)
in_root apt-get update -qq
in_root apt-get install -y -qq --no-install-recommends /tmp/isocast.deb mpich gnuplot-nox ">/tmp/apt.log"
echo "installed after $(($(seconds) - start)) s"
in_root isocast predict gaussian-elimination-published sunwulf --base C2 --at N=310 --to C4,C8,C16,C32 --format json -o predicted.json
in_root isocast plot predicted.json -o predicted.svg
echo "a picture after $(($(seconds) - start)) s"
in_root isocast calibrate --budget 20s -q -o here.yaml
in_root isocast predict gaussian-elimination here.yaml --at N=1000 --to 1,2
in_root isocast predict gaussian-elimination --platform ethernet-128 --at N=1000 --to 4 || true
echo "all after $(($(seconds) - start)) s"
grep -q "<svg" "$root/tmp/home/predicted.svg"
in_root apt-get purge -y -qq isocast ">>/tmp/apt.log"
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after"
echo "nothing is left of it"
