# What demo.sh and test.sh share: packages, building, messages. Sourced from the root of the project.

isocast_say() {
    printf '\n== %s\n' "$*"
}

# Installs the packages of packages.txt that are missing; does nothing where all are there.
isocast_require_packages() {
    local wanted missing=() package as_root=()
    wanted=$(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' packages.txt)
    if ! command -v dpkg-query >/dev/null; then
        echo "this is no Debian system; please install what packages.txt names by other means" >&2
        return 0
    fi
    for package in $wanted; do
        if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
            missing+=("$package")
        fi
    done
    if [ ${#missing[@]} -eq 0 ]; then
        return 0
    fi
    isocast_say "installing ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null || ! sudo -v; then
            echo "cannot install without root or sudo; please have an administrator run:" >&2
            echo "    apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    # The lists may be old or absent on a fresh machine, so they are read again first.
    if ! "${as_root[@]}" apt-get update -qq ||
        ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
        echo "apt-get could not install: ${missing[*]}" >&2
        return 1
    fi
}

# isocast_build FOLDER [CMAKE OPTIONS...]
isocast_build() {
    local folder=$1
    shift
    isocast_say "building in $folder"
    mkdir -p "$(dirname "$folder")"
    cmake -G Ninja -S . -B "$folder" "$@" >"$folder.configure.log" 2>&1 || {
        cat "$folder.configure.log" >&2
        return 1
    }
    cmake --build "$folder" -- --quiet
}

# isocast_test FOLDER [CTEST OPTIONS...]
# Two tests run at a time. One that measures counts as two processors, so nothing runs beside it.
isocast_test() {
    local folder=$1
    shift
    ctest --test-dir "$folder" --parallel 2 --output-on-failure --no-tests=error "$@"
}
