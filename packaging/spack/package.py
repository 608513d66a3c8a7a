# SPDX-License-Identifier: Apache-2.0
# A recipe for Spack. UNTESTED. With the release archive in the current folder:
#     spack repo create interweft-repo interweft
#     mkdir -p interweft-repo/packages/interweft
#     cp packaging/spack/package.py interweft-repo/packages/interweft/
#     spack repo add interweft-repo
#     spack install interweft +mpi
# `url` is the archive beside it until a release has an address; `spack checksum interweft` fills in the sum.
import os

from spack.package import *


class Interweft(CMakePackage):
    """Simulates interconnection networks, with a confidence interval for every estimate."""

    url = "file://" + os.path.join(os.getcwd(), "interweft-0.2.0.tar.gz")
    license("Apache-2.0")
    version("0.2.0")

    variant("mpi", default=True, description="Several processes")
    variant("metis", default=True, description="Orders imported fabrics")
    variant("klu", default=True, description="Large Markov chains of the models")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libyaml")
    depends_on("sqlite")
    depends_on("random123")
    depends_on("mpi", when="+mpi")
    depends_on("metis@5:~int64", when="+metis")
    depends_on("suite-sparse", when="+klu")

    def cmake_args(self):
        return [
            self.define("WEFT_TESTS", False),
            self.define("WEFT_BENCH", False),
            self.define("WEFT_MPI", "ON" if self.spec.satisfies("+mpi") else "OFF"),
            self.define("WEFT_METIS", "ON" if self.spec.satisfies("+metis") else "OFF"),
            self.define("WEFT_KLU", "ON" if self.spec.satisfies("+klu") else "OFF"),
        ]
