# Once this file is packages/isocast/package.py of a repository of your own (spack repo create, spack repo add), this
# builds a folder of sources: spack dev-build --source-path FOLDER isocast@1.0.0
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Isocast(CMakePackage):
    """Predicts how parallel programs scale, from analytic models: how large a problem must be so that more nodes solve
    it as efficiently, where the time goes, and which of several offers to buy."""

    # A released source lies beside the folder that spack is called in.
    manual_download = True
    homepage = "https://doi.org/10.1016/j.jpdc.2008.07.007"

    license("GPL-3.0-or-later")

    version("1.0.0")

    variant("mpi", default=True, description="Measures and records programs on this machine")
    variant("simgrid", default=False, description="Simulates platforms that are stated in a file")
    variant("plots", default=True, description="Draws results, by gnuplot")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("cmocka", type="test")

    depends_on("gsl")
    depends_on("libyaml")
    depends_on("jansson")
    depends_on("libmd")
    depends_on("elfutils")

    with when("+mpi"):
        depends_on("mpi")
        depends_on("hwloc@2:")
        depends_on("openblas")
        depends_on("fftw~mpi")
    with when("+simgrid"):
        depends_on("simgrid+smpi@3.32")
        depends_on("openblas")
        depends_on("fftw~mpi")
    depends_on("gnuplot+cairo", type="run", when="+plots")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/isocast-{version}.tar.gz"

    def cmake_args(self):
        return [
            self.define_from_variant("ISOCAST_MPI", "mpi"),
            self.define_from_variant("ISOCAST_SIMGRID", "simgrid"),
            self.define("BUILD_TESTING", self.run_tests),
        ]

    def check(self):
        ctest = which("ctest", required=True)
        ctest("--test-dir", self.builder.build_directory, "-L", "unit")

    def test_predict(self):
        """predicts with a machine that comes along"""
        isocast = which(self.prefix.bin.isocast)
        out = isocast("predict", "gaussian-elimination", "sunwulf", "--efficiency", "0.3", "--to", "C2,C4", output=str)
        assert "432.86" in out
