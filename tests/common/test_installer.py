"""Release archives: script/archive creates them, packaging/install.sh installs, checks and removes the
plugin.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest
import tshark

pytestmark = pytest.mark.slow

AS_NOBODY = ["setpriv", f"--reuid={tshark.NOBODY}", f"--regid={tshark.NOBODY}", "--clear-groups"]


@pytest.fixture(scope="module", name="unpacked")
def unpack():
    """The archive of this build, unpacked where the user nobody can read it."""
    place = tshark.workplace() / "archive"
    place.mkdir()
    command = [tshark.ROOT / "script" / "archive", "test", tshark.BUILD]
    sums = subprocess.run(command, env={**os.environ, "ARCHIVES": str(place)}, capture_output=True, text=True, check=True)
    subprocess.run(["sha256sum", "--check", "--quiet"], input=sums.stdout, text=True, cwd=place, check=True)
    (packed,) = place.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", packed, "-C", place], check=True)
    (folder,) = (path for path in place.iterdir() if path.is_dir())
    return folder


@pytest.fixture(name="home")
def make_home(tmp_path_factory):
    home = tshark.workplace() / tmp_path_factory.mktemp("home").name
    home.mkdir()
    if os.getuid() == 0:
        os.chown(home, tshark.NOBODY, tshark.NOBODY)
    return home


def run(unpacked, home, *arguments, before=(), **environment):
    command = [*(AS_NOBODY if os.getuid() == 0 else []), *before, unpacked / "install.sh", *arguments]
    # Without programs that capture and without dictionaries, which are more than half of tshark's start.
    start = {f"WIRESHARK_{kind}_DIR": tshark.environment()[f"WIRESHARK_{kind}_DIR"] for kind in ("EXTCAP", "DATA")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), **start, **environment}
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, timeout=120, check=False)


def files(home):
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())


def test_install_check_uninstall(unpacked, home):
    installed = run(unpacked, home)
    assert installed.returncode == 0, installed.stderr
    assert "Installed for Wireshark" in installed.stdout
    present = files(home)
    modules = [path.relative_to(unpacked) for path in unpacked.glob("plugins/*/*/godot*.so")]
    assert len(modules) == 2
    assert {f".local/lib/wireshark/{module}" for module in modules} <= set(present)
    assert ".config/wireshark/profiles/Godot/preferences" in present
    assert ".config/wireshark/godot-captures/game4/project.godot" in present

    checked = run(unpacked, home, "--check")
    assert checked.returncode == 0 and "loaded: yes" in checked.stdout and "!" not in checked.stdout, checked.stdout

    profile = home / ".config/wireshark/profiles/Godot/preferences"
    profile.write_text("# mine\n")
    assert run(unpacked, home).returncode == 0
    assert profile.read_text() == "# mine\n" and files(home) == present

    saved = home / ".config/wireshark/godot-captures/saved by somebody.pcap"
    saved.write_bytes(b"")
    assert run(unpacked, home).returncode == 0
    removed = run(unpacked, home, "--uninstall")
    assert removed.returncode == 0 and f"Kept {profile.parent}, which contains files of yours." in removed.stdout
    assert files(home) == sorted(str(path.relative_to(home)) for path in (profile, saved))
    profile.unlink()
    saved.unlink()
    removed = run(unpacked, home, "--uninstall")
    assert removed.returncode == 0 and f"Removed the profile {profile.parent}." in removed.stdout
    assert not list(home.iterdir())  # no folder either
    removed = run(unpacked, home, "--uninstall")
    assert removed.returncode == 0 and removed.stdout.startswith("Nothing is installed: neither in ")
    checked = run(unpacked, home, "--check")
    assert checked.returncode == 1 and " is not installed: neither in " in checked.stdout and "does not load" not in checked.stdout


def test_enet_alone(unpacked, home):
    """--enet: one module, and nothing of Godot. Installed beside the other, it is removed by itself."""
    installed = run(unpacked, home, "--enet")
    assert installed.returncode == 0 and "Installed for Wireshark" in installed.stdout, installed.stderr
    (only,) = files(home)
    assert only.endswith("/epan/enet.so")
    checked = run(unpacked, home, "--enet", "--check")
    assert checked.returncode == 0 and "loaded: yes" in checked.stdout and "!" not in checked.stdout, checked.stdout
    assert run(unpacked, home, "--check").returncode == 1
    assert run(unpacked, home).returncode == 0 and only in files(home)
    assert run(unpacked, home, "--enet", "--uninstall").returncode == 0
    assert only not in files(home) and run(unpacked, home, "--check").returncode == 0
    assert run(unpacked, home, "--uninstall").returncode == 0
    assert not list(home.iterdir())


@pytest.mark.parametrize("installed", [("--enet",), (), ("--enet", "")])
def test_uninstall_removes_both(unpacked, home, installed):
    """The plugin and ENet's dissector alone, one of them or both."""
    for option in installed or ("",):
        assert run(unpacked, home, *filter(None, [option])).returncode == 0
    removed = run(unpacked, home, "--uninstall")
    modules = [name for name in (("enet.so",) if "--enet" in installed else ()) + (("godot.so", "godot-store.so") if installed != ("--enet",) else ())]
    assert removed.returncode == 0 and not list(home.iterdir())
    assert sorted(re.findall(r"Removed .*/([\w-]+\.so)\.$", removed.stdout, re.MULTILINE)) == sorted(modules)


SHELLS = [words for words in (["dash"], ["bash", "--posix"], ["mksh"], ["busybox", "sh"]) if shutil.which(words[0])]


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: words[0])
def test_options_in_any_order(unpacked, home, shell):
    def said(*options):
        return subprocess.run([*(AS_NOBODY if os.getuid() == 0 else []), *shell, unpacked / "install.sh", *options], capture_output=True,
                              env={"PATH": os.environ["PATH"], "HOME": str(home)}, cwd="/", text=True, timeout=120, check=False)

    program = shutil.which(tshark.PROGRAM)
    for options in itertools.permutations(("--enet", "--uninstall", program)):
        done = said(*options)
        assert (done.returncode, done.stdout[:21], done.stderr) == (0, "Nothing is installed:", ""), options
    for options in (("--remove",), ("--enet", "-x"), ("--check", "--uninstall"), (program, program)):
        refused = said(*options)
        assert refused.returncode == 2 and refused.stdout.startswith("usage: ") and "SPDX" not in refused.stdout, options
    assert not list(home.iterdir())


@pytest.fixture(name="two_series")
def add_series(unpacked):
    """The archive with modules for another series, 3.9."""
    (plugins,) = (unpacked / "plugins").iterdir()
    other = shutil.copytree(plugins, plugins.with_name("3.9"))
    yield other
    shutil.rmtree(other)


def test_every_series_is_installed_and_removed(unpacked, home, two_series):
    """So that the plugin still works after an update of Wireshark; also removed if Wireshark is not
    installed."""
    installed = run(unpacked, home)
    assert installed.returncode == 0 and "Also for the other series of this archive: 3.9 " in installed.stdout, installed.stderr
    places = [home / ".local/lib/wireshark" / path.relative_to(unpacked) for path in unpacked.glob("plugins/*/*/godot*.so")]
    assert len(places) == 4 and all(path.is_file() for path in places)
    other = home / ".local/lib/wireshark/plugins" / two_series.name / "epan/godot.so"
    checked = run(unpacked, home, "--check")
    assert checked.returncode == 0 and f"  for Wireshark 3.9: {other}" in checked.stdout

    programs = home / "programs"  # everything that install.sh needs, except tshark
    programs.mkdir()
    for name in ("sh", "id", "find", "head", "sed", "rm", "rmdir", "cmp", "dirname"):
        (programs / name).symlink_to(shutil.which(name))

    def without_tshark(action):
        return run(unpacked, home, action, before=["env", f"PATH={programs}"])

    assert "No tshark was found." in without_tshark("--check").stderr
    removed = without_tshark("--uninstall")
    assert removed.returncode == 0 and all(f"Removed {path}." in removed.stdout for path in places), removed.stderr
    shutil.rmtree(programs)
    assert not list(home.iterdir())


def test_another_series(unpacked, home):
    """An archive for another series is refused; an installed module of another series is reported."""
    (plugins,) = (unpacked / "plugins").iterdir()
    other = plugins.rename(plugins.with_name("3.9"))
    try:
        refused = run(unpacked, home)
    finally:
        other.rename(plugins)
    assert refused.returncode == 1 and files(home) == []
    assert f"This is the plugin for Wireshark 3.9, and yours is {plugins.name}." in refused.stderr
    left = home / ".local/lib/wireshark/plugins/3.9/epan/godot.so"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"")
    assert f"! {left} is for Wireshark 3.9; this is {plugins.name}." in run(unpacked, home, "--check").stdout


def test_two_copies(unpacked, home):
    """A system-wide plugin: a second copy is refused or, if there is one, reported."""
    everybody = tshark.workplace() / "plugins"
    environment = {"WIRESHARK_PLUGIN_DIR": str(everybody)}
    refused = run(unpacked, home, **environment)
    assert refused.returncode == 1 and "A copy for everybody is in" in refused.stderr and files(home) == []
    assert run(unpacked, home).returncode == 0
    checked = run(unpacked, home, "--check", **environment)
    assert checked.returncode == 1 and "! There are two copies." in checked.stdout
    assert "! WIRESHARK_PLUGIN_DIR is set" in checked.stdout


@pytest.mark.skipif(os.getuid() != 0, reason="what root installs")
def test_for_everybody(unpacked, tmp_path):
    """Everybody can read it, whatever root's umask is."""
    real = shutil.which(tshark.PROGRAM)
    program = tmp_path / "tshark"
    program.write_text(f"#!/bin/sh\n{real} \"$@\" | sed 's|\\t/usr|\\t{tmp_path}/usr|'\n")
    program.chmod(0o755)
    installed = subprocess.run(["sh", unpacked / "install.sh", program], capture_output=True, text=True, umask=0o077, check=False)
    assert "The files are in place, but" in installed.stderr  # where this tshark does not look
    there = list((tmp_path / "usr").rglob("*"))
    assert {"godot.so", "preferences", "project.godot"} <= {path.name for path in there}
    assert not [path for path in there if path.stat().st_mode & 0o004 == 0 or path.is_dir() and path.stat().st_mode & 0o001 == 0]


@pytest.mark.skipif(os.getuid() != 0, reason="what root is told")
def test_ignored_as_root(unpacked, home):
    """A user who runs Wireshark as root is told that it ignores personal plugins."""
    assert run(unpacked, home).returncode == 0
    checked = subprocess.run([unpacked / "install.sh", "--check"], env={"PATH": os.environ["PATH"], "HOME": str(home)}, cwd="/",
                             capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 1
    assert "! Wireshark ignores personal plugins when it runs as root." in checked.stdout
    assert "! Wireshark does not load the plugin. Its message:\n    nothing" in checked.stdout


def test_verify_archive(unpacked, tmp_path):
    """Installs, dissects and removes the modules that this system can load."""
    done = subprocess.run([tshark.ROOT / "script" / "archive", "linux-" + os.uname().machine, tshark.BUILD],
                          env={**os.environ, "ARCHIVES": str(tmp_path)}, capture_output=True, check=True)
    assert done.stdout and unpacked.is_dir()
    (packed,) = tmp_path.glob("*.tar.gz")
    verified = subprocess.run([tshark.ROOT / "script" / "verify-archive", packed, tshark.PROGRAM], capture_output=True, text=True, check=False)
    assert verified.returncode == 0 and "removed without a trace" in verified.stdout, verified.stderr


def test_links_in_an_archive(tmp_path):
    """A link to a file that is not in the archive becomes a link to the project's home page, or text; others
    are kept."""
    (tmp_path / "docs" / "images").mkdir(parents=True)
    (tmp_path / "docs" / "images" / "a.png").touch()
    page = tmp_path / "docs" / "page.md"
    before = "![A](images/a.png) [B](../test-captures/B.md#part), [`c`](c.h) [D](https://d) [E](#e) ![F](images/f.png)\n"
    page.write_text(before)
    command = [tshark.ROOT / "script" / "archive-links"]
    checked = subprocess.run([*command, "--check", tmp_path], capture_output=True, text=True, check=False)
    assert checked.returncode == 1 and page.read_text() == before
    assert {line.rpartition(" ")[2] for line in checked.stderr.split("\n") if line} == {"test-captures/B.md", "docs/c.h", "docs/images/f.png"}
    subprocess.run([*command, tmp_path, "https://home"], check=True)
    assert page.read_text().startswith("![A](images/a.png) [B](https://home/test-captures/B.md#part), [`c`](https://home/docs/c.h) [D]")
    page.write_text(before)
    subprocess.run([*command, tmp_path], check=True)
    assert page.read_text() == "![A](images/a.png) B, `c` [D](https://d) [E](#e) F\n"
    subprocess.run([*command, "--check", tmp_path], check=True)


# What script/archive and script/verify-archive call; other GNU tools must not be needed because macOS does
# not have them.
MACOS_HAS = ("awk", "basename", "bash", "cat", "chmod", "chown", "cmp", "cp", "cut", "date", "diff", "dirname", "env", "find", "git", "grep",
             "head", "id", "ls", "mkdir", "mktemp", "mv", "realpath", "rm", "rmdir", "sed", "sh", "shasum", "strip", "tr",
             "sort", "uname", "wc")


@pytest.mark.skipif(not shutil.which("bsdtar"), reason="no bsdtar here")
def test_archives_with_the_tools_of_macos(tmp_path):
    """tar is bsdtar, and there are no sha256sum and nproc."""
    programs = tshark.workplace() / "programs-of-macos"  # readable by the user that install.sh runs as
    programs.mkdir()
    also = {"tar": "bsdtar", "setpriv": "setpriv", "python3": sys.executable, "tshark": tshark.PROGRAM}  # setpriv is only for root
    for name, target in {**dict(zip(MACOS_HAS, MACOS_HAS)), **also}.items():
        (programs / name).symlink_to(shutil.which(target))
    environment = {"PATH": str(programs), "ARCHIVES": str(tmp_path), "HOME": str(tmp_path)}
    script = tshark.ROOT / "script"
    subprocess.run([script / "archive", "linux-" + os.uname().machine, tshark.BUILD], env=environment, capture_output=True, check=True)
    (packed,) = tmp_path.glob("*.tar.gz")
    verified = subprocess.run([script / "verify-archive", packed], env=environment, capture_output=True, text=True, check=False)
    assert verified.returncode == 0 and "removed without a trace" in verified.stdout, verified.stderr


def test_no_wireshark(unpacked, home):
    missing = run(unpacked, home, "--check", "/nonexistent/tshark")
    assert missing.returncode == 1 and "cannot be run" in missing.stderr


def test_module_that_does_not_load(unpacked, home):
    """The error message of Wireshark is shown."""
    (module,) = unpacked.glob("plugins/*/epan/godot.so")
    content = module.read_bytes()
    module.write_bytes(b"no module")
    try:
        failed = run(unpacked, home)
    finally:
        module.write_bytes(content)
    assert failed.returncode == 1 and "does not load the plugin" in failed.stderr
    assert "godot.so" in failed.stdout, failed.stdout


# A simulated macOS: the application names its folders with a dash and does not load modules that are marked
# as downloaded; here, a file beside the module is the mark.
MACOS = {
    "uname": "echo Darwin\n",
    "xattr": """[ "$1" = -dr ] && [ "$2" = com.apple.quarantine ] && shift 2 && find "$@" -name '*.quarantine' -delete\n""",
    "tshark": """case $* in
    --version) echo 'TShark (Wireshark) 4.6.2 (v4.6.2-0-g0123456789ab).' ;;
    '-G folders')
        printf '%s\\t\\t%s\\n' 'Personal configuration:' "$HOME/.config/wireshark" \\
            'Global configuration:' "$APPLICATION/Resources/share/wireshark" \\
            'Personal Plugins:' "$HOME/.local/lib/wireshark/plugins/4-6" 'Global Plugins:' "$APPLICATION/PlugIns/wireshark/4-6"
        ;;
    '-G plugins')
        module=$HOME/.local/lib/wireshark/plugins/4-6/epan/godot.so
        [ ! -e "$module" ] || [ -e "$module.quarantine" ] || printf 'godot.so\\t1.0.0\\tdissector\\t%s\\n' "$module"
        ;;
    *) exit 1 ;;
esac
""",
}


@pytest.fixture(name="macos")
def make_macos(unpacked, home):
    """Runs install.sh of an archive with modules for 4.6 that a browser downloaded; the application's path
    has a space."""
    contents = home / "My Applications/Wireshark.app/Contents"
    programs = contents / "MacOS"
    programs.mkdir(parents=True)
    for name, text in MACOS.items():
        (programs / name).write_text("#!/bin/sh\n" + text)
        (programs / name).chmod(0o755)
    (plugins,) = (unpacked / "plugins").iterdir()
    other = plugins.rename(plugins.with_name("4.6"))
    path = f"{programs}:{os.environ['PATH']}"
    yield lambda *arguments: run(unpacked, home, *arguments, APPLICATION=str(contents), PATH=path)
    other.rename(plugins)


def test_macos(macos, home, unpacked):
    """Modules go to the folder with the dash; those of another series are reported; the quarantine mark is
    removed."""
    place = home / ".local/lib/wireshark/plugins/4-6"
    before = files(home)
    marked = place / "epan" / "godot.so.quarantine"
    marked.parent.mkdir(parents=True)
    marked.write_bytes(b"")
    subprocess.run(["chmod", "-R", "a+rwX", home / ".local"], check=True)
    installed = macos()
    assert installed.returncode == 0, installed.stderr
    assert f"Installed for Wireshark 4.6.2 in {place}." in installed.stdout
    present = set(files(home)) - set(before)
    assert {path for path in present if path.endswith(".so")} == {
        f".local/lib/wireshark/plugins/4-6/{path.relative_to(unpacked / 'plugins' / '4.6')}" for path in unpacked.glob("plugins/4.6/*/godot*.so")
    }
    assert not marked.exists()

    checked = macos("--check")
    assert checked.returncode == 0 and f"plugin: {place}/epan/godot.so" in checked.stdout and "!" not in checked.stdout
    left = place.with_name("4-4") / "epan" / "godot.so"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"")
    assert f"  for Wireshark 4.4: {left}\n" in macos("--check").stdout
    left.unlink()

    marked.write_bytes(b"")
    checked = macos("--check")
    assert checked.returncode == 1 and "does not load the plugin" in checked.stdout
    marked.unlink()
    assert macos("--uninstall").returncode == 0
    assert files(home) == before


# The information of a build about its libraries; strip does nothing.
CACHE = """CMAKE_STRIP:FILEPATH=true
ZLIB_INCLUDE_DIR:PATH={build}
ZLIB_LIBRARY_RELEASE:FILEPATH=/usr/lib/libz.a
ZSTD_LIBRARY:FILEPATH=ZSTD_LIBRARY-NOTFOUND
"""


def test_archive_for_windows_has_what_its_installer_takes(tmp_path):
    """The modules of two series, as script/windows builds them, with import libraries that are not needed."""
    for series in ("4.4", "4.6"):
        build = tmp_path / series
        for name in ("epan/godot.dll", "epan/libgodot.dll.a", "wiretap/godot-store.dll", "wiretap/libgodot-store.dll.a", "epan/enet.dll"):
            file = build / ("enet" if "enet" in name else "plugins") / series / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(name)
        (build / "CMakeCache.txt").write_text(CACHE.format(build=build))
        (build / "zlib.h").write_text('#define ZLIB_VERSION "1.2.13.1-motley"\n')
        (build / "tools").mkdir()
        (build / "tools" / "variant-cat.exe").write_text("program")
    command = [tshark.ROOT / "script" / "archive", "windows-x64", tmp_path / "4.4", tmp_path / "4.6"]
    subprocess.run(command, env={**os.environ, "ARCHIVES": str(tmp_path)}, capture_output=True, check=True)
    (packed,) = tmp_path.glob("*.zip")
    with zipfile.ZipFile(packed) as archive:
        names = {name.partition("/")[2] for name in archive.namelist() if not name.endswith("/")}
        (top,) = {name.partition("/")[0] for name in archive.namelist()}
        script = archive.read(f"{top}/install.ps1")
        texts = [archive.read(f"{top}/{name}") for name in ("install.ps1", "install.bat", "README.txt")]
        bill = json.loads(archive.read(f"{top}/sbom/4.6.spdx.json"))
        module = archive.read(f"{top}/plugins/4.6/epan/godot.dll")
    assert packed.name == f"{top}.zip" and "4.4+4.6-windows-x64" in top
    for text in texts:  # PowerShell 5 reads other bytes in the system's old character set
        assert text.isascii() and text.count(b"\r\n") == text.count(b"\n") > 5
    assert {file["fileName"] for file in bill["files"]} == {f"./plugins/4.6/{name}.dll" for name in ("epan/godot", "wiretap/godot-store", "enet/enet")}
    (file,) = (file for file in bill["files"] if "epan" in file["fileName"])
    assert {one["checksumValue"] for one in file["checksums"]} >= {hashlib.sha256(module).hexdigest()}
    how = {one["relatedSpdxElement"]: one["relationshipType"] for one in bill["relationships"]}
    (zlib,) = (one for one in bill["packages"] if one["name"] == "zlib")
    assert how[zlib["SPDXID"]] == "STATIC_LINK" and zlib["versionInfo"] == "1.2.13.1" and "SPDXRef-zstd" not in how

    text = script.decode()
    # A loop of the script, or of a function that calls others, would change it for all of them.
    assert re.findall(r"\$name(?: = (.*)|, .*| in .*)$", text, re.MULTILINE) == ["'godot'\r", "'enet'\r"]
    assert "Remove-Modules 'epan\\enet.dll'" in text[text.index("if ($Uninstall)"):text.index("if ($archive ")]
    modules = re.search(r"^\$modules = (.*)$", text, re.MULTILINE)[1]
    expected = {f"plugins/{series}/{module}".replace("\\", "/") for series in ("4.4", "4.6")
                for module in re.findall(r"'(.*?)'", modules)}
    assert len(expected) == 4
    taken = {name.rstrip("\\") for name in re.findall(r"\$PSScriptRoot\\([\w\\]+)", text)}
    assert taken == {"plugins", "profiles\\Godot", "captures"}
    expected |= {"sbom/4.4.spdx.json", "sbom/4.6.spdx.json", "plugins/4.4/enet/enet.dll", "plugins/4.6/enet/enet.dll"}
    for folder, source in (("profiles/Godot", "profiles/Godot"), ("captures", None), ("docs", None), ("examples", "examples")):
        inside = {name for name in names if name.startswith(folder + "/")}
        if source:
            assert inside == {f"{folder}/{file.name}" for file in (tshark.ROOT / source).iterdir()}
        assert inside
        expected |= inside
    assert names == expected | {"install.bat", "install.ps1", "README.txt", "LICENSE", "CHANGELOG.md", "variant-cat.exe",
                                "script/load-captures", "script/webrtc-log"}
    program = (tshark.ROOT / "script" / "test-windows.ps1").read_text()
    (capture,) = re.findall(r"captures\\([\w.-]+)", program)
    assert f"captures/{capture}" in names
