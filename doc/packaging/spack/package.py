# Copyright (c) 2026, the tallyd developers
# SPDX-License-Identifier: BSD-3-Clause
"""A recipe for Spack: in a repository of yours as packages/tallyd/package.py;
sources from a clone by `spack develop` or `git`, until there is a release."""

from spack.package import *


class Tallyd(MakefilePackage):
    """Node-local sampler of hardware performance counters: cores, uncore boxes,
    energy; and the program that turns its dumps into metrics and reports."""

    homepage = "https://tallyd.example.org"
    git = "https://tallyd.example.org/tallyd.git"

    license("BSD-3-Clause", checked_by="the tallyd developers")
    maintainers("tallyd")

    version("main", branch="main")

    variant("static", default=False, description="one file that runs on any node")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("cmocka", type="test")

    requires("platform=linux")

    @property
    def build_targets(self):
        return ["all"] + self.settings

    @property
    def install_targets(self):
        return ["install", f"PREFIX={self.prefix}"] + self.settings

    @property
    def settings(self):
        return ["STATIC=1"] if self.spec.satisfies("+static") else []

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        dump = join_path(self.stage.path, "dump.lua")
        Executable(self.prefix.sbin.tallyd)(
            "-q", "--sim", "@skx-8160-2s", "--virtual-time", "-n", "3", "--overwrite", "-o", dump
        )
        Executable(self.prefix.bin.tally)("check", dump)
