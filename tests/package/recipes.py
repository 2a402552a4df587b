#!/usr/bin/env python3
"""The recipes of Spack and EasyBuild, as far as they run without these: what each
tells to build, to install and to check is done, in a folder of its own.

  recipes.py TREE FOLDER       TREE: unpacked source; FOLDER gets the prefixes

spack.package and EasyBuild's variables are stood in for; make and all programs
are real.  A line a recipe, with the seconds that it took."""
import glob
import os
import shutil
import subprocess
import sys
import time
import types

TREE, TO = (os.path.abspath(a) for a in sys.argv[1:3])
JOBS = f"-j{os.cpu_count()}"


# A make that started this file passes its variables on (B=..., say): a recipe is
# built as somebody types it, without them.
for name in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL"):
    os.environ.pop(name, None)


def run(*args, **more):
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, **more)


def make(targets, prefix=None):
    run("make", "-s", JOBS, *targets, cwd=TREE)


class Prefix(str):
    """prefix.sbin.tallyd, as Spack's."""

    def __getattr__(self, name):
        return Prefix(os.path.join(self, name))


def spack():
    asked = []
    mod = types.ModuleType("spack.package")

    class MakefilePackage:
        def __init__(self):
            self.prefix = Prefix(os.path.join(TO, "spack"))
            self.stage = types.SimpleNamespace(path=TO)
            self.spec = types.SimpleNamespace(satisfies=lambda what: False)

    def passes(*args, **more):
        asked.append(args)
        return lambda method: method
    mod.MakefilePackage = MakefilePackage
    mod.Executable = lambda path: lambda *args: run(path, *args)
    mod.join_path = os.path.join
    for name in ("license", "maintainers", "version", "variant", "depends_on",
                 "requires", "run_after", "on_package_attributes"):
        setattr(mod, name, passes)
    mod.__all__ = [n for n in vars(mod) if not n.startswith("__")]
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = mod
    scope = {}
    exec(open(f"{TREE}/doc/packaging/spack/package.py").read(), scope)
    package = scope["Tallyd"]()
    make(package.build_targets)
    make(package.install_targets)
    package.check_install()
    assert ("install",) in asked, "nothing is run after the installation"
    assert os.access(package.prefix.sbin.tallyd, os.X_OK)


def easybuild():
    path, = glob.glob(f"{TREE}/doc/packaging/easybuild/*.eb")
    e = {"SOURCE_TAR_GZ": "%(name)s-%(version)s.tar.gz"}
    exec(open(path).read(), e)
    prefix = os.path.join(TO, "easybuild")
    make(e["buildopts"].split())
    for files, place in e["files_to_copy"]:
        os.makedirs(os.path.join(prefix, place), exist_ok=True)
        for name in files:
            shutil.copy2(os.path.join(TREE, name), os.path.join(prefix, place))
    for name in e["sanity_check_paths"]["files"]:
        assert os.path.isfile(os.path.join(prefix, name)), name
    dirs = ["bin"] + e["modextrapaths"]["PATH"]
    there = ":".join(os.path.join(prefix, d) for d in dirs)
    for command in e["sanity_check_commands"]:
        run("sh", "-c", command % {"builddir": TO},
            env={"PATH": there + ":/usr/bin:/bin"})


status = 0
for recipe in (spack, easybuild):
    since = time.monotonic()
    try:
        os.makedirs(TO, exist_ok=True)
        recipe()
        said = "ok"
    except Exception as e:
        said, status = f"FAILED ({e})", 1
    print(f"{said} {recipe.__name__}: its recipe builds, installs and checks a "
          f"sampled node ({time.monotonic() - since:.0f} s)", flush=True)
sys.exit(status)
