"""`cmake --install` puts the plugin where Wireshark looks, `--target uninstall` takes it away again.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import pathlib
import shutil
import subprocess

import tshark

AS_NOBODY = ["setpriv", f"--reuid={tshark.NOBODY}", f"--regid={tshark.NOBODY}", "--clear-groups"]


def folder(name):
    listed = subprocess.run([tshark.PROGRAM, "-G", "folders"], capture_output=True, text=True, check=True).stdout
    return next(line.split("\t")[-1] for line in listed.splitlines() if line.startswith(name + ":"))


def test_global(tmp_path):
    """For root and for packagers; DESTDIR keeps the machine as it is."""
    environment = {**os.environ, "DESTDIR": str(tmp_path)}
    subprocess.run(["cmake", "--install", tshark.BUILD], env=environment, check=True)
    installed = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert installed == [tmp_path / folder("Global Plugins").lstrip("/") / "epan" / "godot.so"]
    assert installed[0].stat().st_mode & 0o444 == 0o444
    subprocess.run(["cmake", "--build", tshark.BUILD, "--target", "uninstall"], env=environment, check=True)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_personal():
    """For a user: the script behind `cmake --install`, run by one, with files that one can read."""
    place = tshark.workplace()
    home = place / "home"
    home.mkdir()
    script = shutil.copy(tshark.BUILD / "plugin" / "install.cmake", place)
    (module,) = place.glob("plugins/*/epan/godot.so")
    line = ["cmake"]
    listing = ["env", "-i", f"PATH={os.environ['PATH']}", f"HOME={home}", tshark.PROGRAM, "-G", "plugins"]
    if os.getuid() == 0:
        os.chown(home, tshark.NOBODY, tshark.NOBODY)
        line, listing = AS_NOBODY + line, AS_NOBODY + listing
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}

    def loaded():
        rows = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.splitlines()
        return [pathlib.Path(row.split("\t")[-1]) for row in rows if row.split("\t")[-1].startswith(str(home))]

    subprocess.run([*line, f"-Dplugin_file={module}", "-P", script], env=environment, check=True)
    if not tshark.PRELOAD:
        assert loaded() == [home / ".local/lib/wireshark" / module.relative_to(place)]
    subprocess.run([*line, "-DUNINSTALL=ON", "-P", script], env=environment, check=True)
    assert loaded() == []
