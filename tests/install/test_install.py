"""The library as its users have it: installs a build, and looks at what is there.

    test_install.py ROOT BUILD

- Public headers alone are installed, and each compiles by itself as C99, C17 and C++11.
- The shared library exports the functions that these headers declare, and no others.
- What isocast starts can be started there, too, and several processes of a sweep find each other.
- Manual pages, completion and docs are there; a Debian package states what it needs, and what is in it works where it is unpacked.
- The example of docs/ gives the published figures, built with pkg-config and with CMake, with the shared and the static
  library, also after the installed tree was moved.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
EXAMPLE = os.path.join(ROOT, "docs/examples/predict.c")
FIGURES = ["N' =  504.93", "N' =  894.70", "N' = 1674.14", "N' = 3232.99"]
PROJECT = """cmake_minimum_required(VERSION 3.18)
project(user C)
find_package(isocast %s REQUIRED)
add_executable(shared predict.c)
target_link_libraries(shared isocast::isocast)
add_executable(static predict.c)
target_link_libraries(static isocast::isocast_static)
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        first, cls.prefix = (os.path.join(cls.folder.name, name) for name in ("first", "moved"))
        run("cmake", "--install", BUILD, "--prefix", first)
        os.rename(first, cls.prefix)
        cls.lib = os.path.dirname(cls.find("libisocast.a"))
        cls.environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(cls.lib, "pkgconfig")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def find(cls, name):
        found = [os.path.join(folder, name) for folder, _, files in os.walk(cls.prefix) if name in files]
        if len(found) != 1:
            raise AssertionError(f"{name} is installed {len(found)} times")
        return found[0]

    def headers(self):
        return sorted(os.listdir(os.path.join(self.prefix, "include/isocast")))

    def version(self):
        return ".".join(re.findall(r"^#define ISOCAST_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$",
                                   read(os.path.join(ROOT, "include/isocast/isocast.h")), re.MULTILINE))

    def declared(self):
        text = "".join(read(os.path.join(self.prefix, "include/isocast", name)) for name in self.headers())
        return sorted(re.findall(r"ISOCAST_PUBLIC[^;]*?\b(isocast_\w+)\(", text))

    def expect_figures(self, program, **options):
        output = run(program, **options)
        for figure in FIGURES:
            self.assertIn(figure, output)

    def flags(self, *options):
        return run("pkg-config", *options, "isocast", env=self.environment).split()

    def build(self, *flags):
        program = os.path.join(self.folder.name, "example")
        run("cc", "-std=c17", "-Wall", "-Wextra", "-Werror", EXAMPLE, "-o", program, *flags)
        return program

    def test_headers(self):
        self.assertEqual(self.headers(), sorted(os.listdir(os.path.join(ROOT, "include/isocast"))))
        self.assertEqual([name for name in os.listdir(os.path.join(self.prefix, "include"))], ["isocast"])
        include = os.path.join(self.prefix, "include")
        source = os.path.join(self.folder.name, "header.c")
        for name in self.headers():
            with open(source, "w", encoding="utf-8") as file:
                file.write(f"#include <isocast/{name}>\nextern int used;\n")
            for language, standard in (("c", "c99"), ("c", "c17"), ("c++", "c++11")):
                run("cc", "-x", language, f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra", "-Werror",
                    "-fsyntax-only", "-I", include, source)

    def test_programs_can_be_started(self):
        simulated = os.path.exists(os.path.join(BUILD, "libexec/isocast/isocast-probe-simulated"))
        for program in ("isocast-kernel", "isocast-probe"):
            for name in (program, program + "-simulated")[:1 + simulated]:
                self.assertTrue(os.access(self.find(name), os.X_OK), name)

    def test_pages_and_docs(self):
        for name in ("isocast.1", "isocast-predict.1", "isocast-machine.5", "isocast.fish", "_isocast", "copyright", "CITATION.cff",
                     "result-schema.json", "tender.yaml"):
            self.assertGreater(os.path.getsize(self.find(name)), 100, name)
        self.assertTrue(os.path.exists(os.path.join(self.prefix, "share/bash-completion/completions/isocast")))

    def test_debian_package(self):
        if not shutil.which("dpkg-shlibdeps"):
            self.skipTest("no tools of Debian are there")
        folder = os.path.join(self.folder.name, "debian")
        run("cpack", "-G", "DEB", "-B", folder, "--config", os.path.join(BUILD, "CPackConfig.cmake"))
        [package] = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".deb")]
        depends = run("dpkg-deb", "-f", package, "Depends")
        for library in ("libgsl", "libyaml", "libjansson", "libmpich"):
            self.assertIn(library, depends)
        self.assertEqual(run("dpkg-deb", "-f", package, "Version").strip(), self.version())
        run("dpkg-deb", "-x", package, os.path.join(folder, "root"))
        self.assertEqual(os.listdir(os.path.join(folder, "root")), ["usr"])
        rows = run(os.path.join(folder, "root/usr/bin/isocast"), "predict", "gaussian-elimination-published", "sunwulf", "--base", "C2",
                   "--at", "N=310", "--to", "C4", "--format", "csv")
        self.assertIn("504.93", rows)

    def test_several_processes_sweep(self):
        isocast = os.path.join(self.prefix, "bin/isocast")
        sweep = [isocast, "sweep", "gaussian-elimination-published", "sunwulf", "--vary", "t_c=10ns..100ns:log:9", "--efficiency", "0.3",
                 "--to", "C4,C8"]
        self.assertEqual(run("mpiexec.mpich", "-n", "2", *sweep), run(*sweep))

    def test_path_with_blank_and_colon(self):
        """The library is preloaded by a link, or not at all: the loader parts its path and would look in the working folder."""
        program = os.path.join(BUILD, "tests/programs/jacobi")
        odd, plain = (os.path.join(self.folder.name, name) for name in ("in st:all", "plain"))
        shutil.copytree(self.prefix, odd, symlinks=True)
        for work, status in ((plain, 0), (odd + " work", 5)):
            os.mkdir(work)
            done = subprocess.run([os.path.join(odd, "bin/isocast"), "record", "-n", "2", "-o", "r.csv", "--", program, "60"], cwd=work,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(os.listdir(work), ["r.csv"] if status == 0 else [])
            self.assertEqual("cannot be loaded into a program" in done.stderr, status != 0, done.stderr)

    def test_cpp_links(self):
        source = os.path.join(self.folder.name, "linked.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <isocast/isocast.h>\n#include <cstring>\nint main() {\n"
                       "    isocast_request request = ISOCAST_REQUEST_INIT;\n"
                       "    bool same = isocast_version_number() == ISOCAST_VERSION_NUMBER &&\n"
                       f'                std::strcmp(isocast_version(), "{self.version()}") == 0;\n'
                       "    return same && request.size == sizeof request ? 0 : 1;\n}\n")
        program = os.path.join(self.folder.name, "linked")
        run("c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", source, "-o", program,
            *self.flags("--cflags", "--libs"), f"-Wl,-rpath,{self.lib}")
        run(program)

    def test_symbols(self):
        shared = os.path.join(self.lib, "libisocast.so")
        exported = [line.split()[-1] for line in run("nm", "-D", "--defined-only", shared).splitlines()]
        self.assertEqual(sorted(exported), self.declared())
        static = run("nm", "-g", "--defined-only", os.path.join(self.lib, "libisocast.a"))
        names = [line.split()[2] for line in static.splitlines() if len(line.split()) == 3]
        self.assertEqual([name for name in names if not name.startswith("isocast_")], [])

    def test_soname(self):
        parts = self.version().split(".")
        abi = ".".join(parts[:2]) if parts[0] == "0" else parts[0]
        self.assertIn(f"[libisocast.so.{abi}]", run("readelf", "-d", os.path.join(self.lib, "libisocast.so")))

    def test_pkg_config_shared(self):
        self.assertEqual(run("pkg-config", "--modversion", "isocast", env=self.environment).strip(), self.version())
        flags = self.flags("--cflags", "--libs")
        self.assertNotIn("-lgsl", flags)
        program = self.build(*flags)
        self.assertIn("libisocast.so", run("readelf", "-d", program))
        self.expect_figures(program, env={**os.environ, "LD_LIBRARY_PATH": self.lib})

    def test_pkg_config_static(self):
        program = self.build("-static", *self.flags("--cflags", "--static", "--libs"))
        self.expect_figures(program)

    def project(self, name, version):
        folder = os.path.join(self.folder.name, name)
        os.makedirs(folder)
        shutil.copy(EXAMPLE, folder)
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(PROJECT % version)
        return ["cmake", "-S", folder, "-B", os.path.join(folder, "build"), f"-DCMAKE_PREFIX_PATH={self.prefix}"]

    def test_cmake(self):
        command = self.project("user", self.version())
        run(*command)
        run("cmake", "--build", command[4])
        for name, is_shared in (("shared", True), ("static", False)):
            program = os.path.join(command[4], name)
            self.assertEqual("libisocast.so" in run("readelf", "-d", program), is_shared)
            self.expect_figures(program)

    def test_cmake_version(self):
        major, minor, _ = self.version().split(".")
        with self.assertRaisesRegex(AssertionError, "requested version"):
            run(*self.project("newer", f"{major}.{int(minor) + 1}"))


unittest.main(argv=sys.argv[:1])
