"""`cmake --install` installs the plugin where Wireshark finds it, `--target uninstall` removes it.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import pathlib
import shutil
import subprocess

import pytest

import tshark

pytestmark = pytest.mark.slow

AS_NOBODY = ["setpriv", f"--reuid={tshark.NOBODY}", f"--regid={tshark.NOBODY}", "--clear-groups"]


PROFILE = tshark.ROOT / "profiles" / "Godot"

# Other files of a package, below share/.
DOCUMENTS = ["man/man1/variant-cat.1.gz"] + [
    f"doc/wireshark-plugin-godot/{name}" for name in ("changelog.Debian.gz", "copyright")
]


def folder(name):
    listed = subprocess.run([tshark.PROGRAM, "-G", "folders"], capture_output=True, text=True, check=True).stdout
    return next(line.split("\t")[-1] for line in listed.splitlines() if line.startswith(name + ":"))


def test_global(tmp_path):
    """For all users, by root or a packager; DESTDIR avoids changing this system."""
    environment = {**os.environ, "DESTDIR": str(tmp_path)}
    subprocess.run(["cmake", "--install", tshark.BUILD], env=environment, check=True, umask=0o077)
    assert not [path for path in tmp_path.rglob("*") if path.stat().st_mode & 0o004 == 0 or path.is_dir() and path.stat().st_mode & 0o001 == 0]
    plugins = tmp_path / folder("Global Plugins").lstrip("/")
    modules = [plugins / "epan" / "godot.so", plugins / "wiretap" / "godot-store.so"]
    (program,) = tmp_path.rglob("bin/variant-cat")
    profiles = tmp_path / folder("Global configuration").lstrip("/") / "profiles" / "Godot"
    profile = [profiles / path.name for path in PROFILE.iterdir()]
    share = program.parents[1] / "share"
    documents = [share / name for name in DOCUMENTS]
    present = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert present == sorted([program, *modules, *profile, *documents])
    assert all(path.read_bytes() == (PROFILE / path.name).read_bytes() for path in profile)
    assert all(module.stat().st_mode & 0o444 == 0o444 for module in modules)
    assert program.stat().st_mode & 0o555 == 0o555
    subprocess.run(["cmake", "--build", tshark.BUILD, "--target", "uninstall"], env=environment, check=True)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.slow
def test_enet_only(tmp_path):
    """-DENET_ONLY=ON installs ENet's module and what a package needs, and packages are named after it."""
    built = tmp_path / "build"
    subprocess.run(["cmake", "-S", tshark.ROOT, "-B", built, "-DENET_ONLY=ON"], check=True, stdout=subprocess.DEVNULL)
    (module,) = tshark.BUILD.glob("enet/*/epan/enet.so")
    place = built / "plugins" / module.relative_to(tshark.BUILD / "enet")
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(module, place)
    for command in (["cmake", "--install", built], ["cmake", "--build", built, "--target", "uninstall"]):
        subprocess.run(command, env={**os.environ, "DESTDIR": str(tmp_path / "there")}, check=True)
        there = {path.name for path in (tmp_path / "there").rglob("*") if path.is_file()}
        assert there == ({"enet.so", "changelog.Debian.gz", "copyright"} if "--install" in command else set())
    settings = (built / "CPackConfig.cmake").read_text()
    assert 'CPACK_PACKAGE_NAME "wireshark-plugin-enet"' in settings and "Godot" not in settings.partition("CPACK_PACKAGE_DESCRIPTION ")[2].partition(")")[0]


def test_personal():
    """For one user: the script behind `cmake --install`."""
    place = tshark.workplace()
    home = place / "home"
    home.mkdir()
    script = shutil.copy(tshark.BUILD / "plugin" / "install.cmake", place)
    (place / "tools").mkdir()
    shutil.copy(tshark.BUILD / "tools" / "variant-cat", place / "tools")
    shutil.copytree(tshark.BUILD / "documents", place / "documents")
    shutil.copytree(PROFILE, place / "profile")
    for folder_of_files in ("documents", "profile", "tools"):
        tshark.open_to_everybody(place / folder_of_files)
    os.chmod(script, 0o644)
    line = ["cmake", f"-Dbuild={place}", f"-Dprofile={place / 'profile'}"]
    listing = ["env", "-i", f"PATH={os.environ['PATH']}", f"HOME={home}", tshark.PROGRAM, "-G", "plugins"]
    if os.getuid() == 0:
        os.chown(home, tshark.NOBODY, tshark.NOBODY)
        line, listing = AS_NOBODY + line, AS_NOBODY + listing
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}

    def loaded():
        rows = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.splitlines()
        return sorted(pathlib.Path(row.split("\t")[-1]) for row in rows if row.split("\t")[-1].startswith(str(home)))

    subprocess.run([*line, "-P", script], env=environment, check=True)
    modules = sorted(path.relative_to(place) for path in place.glob("plugins/*/*/*.so"))
    assert len(modules) == 2
    if not tshark.PRELOAD:
        assert loaded() == [home / ".local/lib/wireshark" / module for module in modules]
    assert (home / ".local/bin/variant-cat").is_file()
    profile = home / ".config/wireshark/profiles/Godot"
    assert {path.name for path in profile.iterdir()} == {path.name for path in PROFILE.iterdir()}
    subprocess.run([*line, "-DUNINSTALL=ON", "-P", script], env=environment, check=True)
    assert loaded() == []
    assert not [path for path in home.rglob("*") if path.is_file()] and not profile.exists()
    assert not (home / ".local/share/man/man1").exists()  # folders are removed, too, if they are empty
    # Changes to the profile are kept, whatever is installed or removed.
    subprocess.run([*line, "-P", script], env=environment, check=True)
    (profile / "colorfilters").write_text("# mine")
    (profile / "recent").write_text("# Wireshark's")
    subprocess.run([*line, "-P", script], env=environment, check=True)
    subprocess.run([*line, "-DUNINSTALL=ON", "-P", script], env=environment, check=True)
    assert {path: path.read_text() for path in home.rglob("*") if path.is_file()} == {
        profile / "colorfilters": "# mine", profile / "recent": "# Wireshark's"
    }


def test_package_names_what_it_needs():
    """cpack would only warn, and omit the dependencies of the package."""
    command = [shutil.which("cmake"), "-DCPACK_GENERATOR=DEB", "-P", tshark.ROOT / "cmake" / "package-tools.cmake"]
    refused = subprocess.run(command, env={"PATH": "/nonexistent"}, capture_output=True, text=True, check=False)
    assert refused.returncode != 0 and "apt-get install dpkg-dev file" in refused.stderr
    if shutil.which("dpkg-shlibdeps") and shutil.which("file"):
        subprocess.run(command, check=True)


def test_package(tmp_path):
    """A package has the files of an installation and, on Debian, depends on the Wireshark it was built
    for."""
    line = ["cpack", "--config", tshark.BUILD / "CPackConfig.cmake", "-B", tmp_path, "-G"]
    subprocess.run([*line, "TGZ"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    (archive,) = tmp_path.glob("*.tar.gz")
    listed = subprocess.run(["tar", "tf", archive], capture_output=True, text=True, check=True).stdout.split()
    files = sorted("/" + name.partition("/")[2] for name in listed if not name.endswith("/"))
    plugins = folder("Global Plugins")
    profile = [f"{folder('Global configuration')}/profiles/Godot/{path.name}" for path in PROFILE.iterdir()]
    modules = [f"{plugins}/epan/godot.so", f"{plugins}/wiretap/godot-store.so"]
    documents = [f"/usr/share/{name}" for name in DOCUMENTS]
    assert files == sorted([*modules, "/usr/bin/variant-cat", *profile, *documents])
    if shutil.which("dpkg-shlibdeps"):
        subprocess.run([*line, "DEB"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
        (package,) = tmp_path.glob("*.deb")
        depends = subprocess.run(["dpkg-deb", "-f", package, "Depends"], capture_output=True, text=True, check=True).stdout
        assert "libwireshark" in depends and "libwiretap" in depends
        if shutil.which("lintian"):
            checked = subprocess.run(["lintian", package], capture_output=True, text=True, check=False)
            assert checked.stdout == ""
    if shutil.which("rpmbuild"):
        subprocess.run([*line, "RPM"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
        (package,) = tmp_path.glob("*.rpm")
        queried = subprocess.run(["rpm", "-qp", "--nosignature", "--requires", "--list", "--info", package],
                                 capture_output=True, text=True, check=True).stdout.splitlines()
        assert set(files) <= set(queried)
        assert [row for row in queried if row.startswith("libwireshark.so.")]
        assert [row for row in queried if row.startswith("Dissects what the Godot engine puts on the network")]
