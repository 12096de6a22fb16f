#!/usr/bin/env python3
"""The recipes for Spack and EasyBuild name what CMake looks for, and so does packages.txt.

    test_recipes.py SOURCE
"""

import ast
import pathlib
import re
import sys

# What CMake calls it (a module of pkg-config, or a package): the package of Debian, of Spack, of EasyBuild. None: there
# is none, or the toolchain has it.
NAMES = {
    "gsl": ("libgsl-dev", "gsl", "GSL"),
    "yaml-0.1": ("libyaml-dev", "libyaml", "libyaml"),
    "jansson": ("libjansson-dev", "jansson", "Jansson"),
    "libmd": ("libmd-dev", "libmd", "libmd"),
    "libdw": ("libdw-dev", "elfutils", "elfutils"),
    "openblas": ("libopenblas-dev", "openblas", "OpenBLAS"),
    "fftw3": ("libfftw3-dev", "fftw", "FFTW"),
    "hwloc": ("libhwloc-dev", "hwloc", "hwloc"),
    "simgrid": ("libsimgrid-dev", "simgrid", None),
    "cmocka": ("libcmocka-dev", "cmocka", None),
    "MPI": ("libmpich-dev", "mpi", None),
    "Python3": ("python3", "python", "Python"),
    "PkgConfig": ("pkg-config", "pkgconfig", "pkgconf"),
    "Threads": (None, None, None),
    # What no line of CMake asks for.
    "a compiler": ("build-essential", "c", None),
    "CMake": ("cmake", "cmake", "CMake"),
    "gnuplot": ("gnuplot-nox", "gnuplot", "gnuplot"),
}
UNASKED = {"a compiler", "CMake", "gnuplot"}


def asked(source):
    """What the files of CMake look for."""
    files = [path for path in source.glob("**/CMakeLists.txt") if path.relative_to(source).parts[0] != "build"]
    text = "".join(path.read_text() for path in files)
    return set(re.findall(r"pkg_check_modules\(\w+ (?:REQUIRED )?IMPORTED_TARGET ([\w.-]+)\)", text)) | set(
        re.findall(r"^ *find_package\((\w+)", text, re.MULTILINE))


def words(text):
    """The names in constraints such as openblas@0.3: or simgrid+smpi."""
    return {re.match(r"[\w-]+", each).group() for each in text}


def spack(path):
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    name_of = lambda call: getattr(call.func, "id", getattr(call.func, "attr", None))
    of = lambda name: [call for call in calls if name_of(call) == name]
    first = lambda name: [call.args[0].value for call in of(name)]
    return {
        "names": words(first("depends_on")),
        "versions": set(first("version")),
        "variants": set(first("variant")),
        "used": {call.args[1].value for call in of("define_from_variant")}
        | {text.strip("+") for text in first("when")}
        | {word.value.value.strip("+") for call in of("depends_on") for word in call.keywords if word.arg == "when"},
        "options": set(first("define_from_variant")),
    }


def easybuild(path):
    """The variables of the file: EasyBuild runs it, with constants of its own."""
    values = {"SOURCE_TAR_GZ": "", "SOURCE_TAR_XZ": "", "SHLIB_EXT": "so"}
    exec(compile(path.read_text(), str(path), "exec"), values)
    assert path.name == "{name}-{version}-{toolchain[name]}-{toolchain[version]}.eb".format(**values), path.name
    return values


def same(what, found, due):
    assert found == due, f"{what}: not due {sorted(found - due)}, missing {sorted(due - found)}"


def main(source):
    source = pathlib.Path(source)
    same("CMakeLists.txt against NAMES", asked(source), set(NAMES) - UNASKED)
    debian, of_spack, of_easybuild = ({names[k] for names in NAMES.values()} - {None} for k in range(3))
    packages = {line.strip() for line in (source / "packages.txt").read_text().splitlines()}
    assert debian <= packages, f"packages.txt: missing {sorted(debian - packages)}"
    recipe = spack(source / "packaging/spack/package.py")
    same("Spack's dependencies", recipe["names"], of_spack)
    same("Spack's variants, as used", recipe["used"], recipe["variants"])
    [path] = (source / "packaging/easybuild").glob("isocast-*.eb")
    values = easybuild(path)
    needed = values["builddependencies"] + values["dependencies"]
    same("EasyBuild's dependencies", {each[0] for each in needed}, of_easybuild)
    header = (source / "include/isocast/isocast.h").read_text()
    version = ".".join(re.findall(r"^#define ISOCAST_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE))
    same("Spack's versions", recipe["versions"], {version})
    same("EasyBuild's version", {values["version"]}, {version})
    cmake = (source / "CMakeLists.txt").read_text()
    for option in recipe["options"] | set(re.findall(r"-D(ISOCAST_\w+)=", values["configopts"])):
        assert re.search(rf"(?:option|set)\({option}\b", cmake), f"{option} is no option of CMakeLists.txt"
    [digest] = (easybuild(each) for each in (source / "packaging/easybuild").glob("libmd-*.eb"))
    assert ("libmd", digest["version"]) in values["dependencies"], "two versions of libmd"


if __name__ == "__main__":
    main(sys.argv[1])
