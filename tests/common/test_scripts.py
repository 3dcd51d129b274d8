"""Static checks of workflows and shell scripts, which the tests do not run completely.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import io
import os
import re
import shutil
import subprocess
import tarfile

import pytest
import yaml

import tshark

WORKFLOWS = sorted((tshark.ROOT / ".github" / "workflows").glob("*.yml"))
PLACES = (".ci/*", "bench/**/run", "packaging/*.sh", "script/*", "test-captures/**/make")
SHELL = [path for place in PLACES for path in sorted(tshark.ROOT.glob(place))
         if path.is_file() and re.match(rb"#!/bin/(ba)?sh\n|# shellcheck shell=", path.read_bytes())]

each_workflow = pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)


def jobs(workflow):
    return yaml.safe_load(workflow.read_text())["jobs"]


@each_workflow
def test_steps_are_scripts_of_the_repository(workflow):
    """Each step uses an action or runs one script, which exists and documents how it is called."""
    for job in jobs(workflow).values():
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            if "uses" in step:
                assert re.fullmatch(r"actions/(checkout|upload-artifact|download-artifact)@[0-9a-f]{40}", step["uses"])
                continue
            words = step["run"].removeprefix("bash ").split()
            script = tshark.ROOT / words[0]
            assert script.parent.name == "script" and script.is_file() and len(step["run"].splitlines()) == 1
            usage = re.search(r"^# usage: (\S+)(.*?)(   .*)?$", script.read_text(), re.MULTILINE)
            assert usage[1] == words[0]
            assert len(words) == 1 or usage[2].strip(), f"{script} takes no arguments"
            if script.suffix != ".ps1":
                assert os.access(script, os.X_OK)


@each_workflow
def test_jobs_fit_together(workflow):
    """The jobs that a job needs exist, its downloads were uploaded, and matrix values are used."""
    uploaded = []
    for name, job in jobs(workflow).items():
        needs = job.get("needs", [])
        assert set([needs] if isinstance(needs, str) else needs) <= jobs(workflow).keys() - {name}
        for axis in job.get("strategy", {}).get("matrix", {}).keys() - {"exclude"}:
            assert f"${{{{ matrix.{axis} }}}}" in workflow.read_text()
        uploaded += [step["with"]["name"] for step in job["steps"] if step.get("uses", "").startswith("actions/upload")]
    for job in jobs(workflow).values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/download"):
                wanted = step["with"].get("name") or step["with"]["pattern"].rstrip("*")
                assert [name for name in uploaded if name.startswith(wanted)], step


def test_nothing_is_released_that_was_not_loaded():
    """Publishing waits for every job that builds a file, or for the job that loads the result of that job."""
    release = jobs(next(path for path in WORKFLOWS if path.name == "release.yml"))
    waited_for = set(release["publish"]["needs"])
    assert release["archives"]["needs"] == "linux" and "script/test-install" in [step.get("run") for step in release["linux"]["steps"]]
    loaders = {"archives": "script/archive-all linux-x86_64", "linux-untried": "script/test-install", "macos": "script/macos", "windows-load": "script/test-windows.ps1 ${{ matrix.wireshark }}"}
    assert waited_for == loaders.keys() and release["windows-load"]["needs"] == "windows-build"
    # Jobs that were never run do not delay others; docs/building.md lists them.
    assert {name for name, job in release.items() if job.get("continue-on-error")} == waited_for - {"archives"}
    for name, loader in loaders.items():
        assert loader in [step.get("run") for step in release[name]["steps"]]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("shellcheck"), reason="no shellcheck here")
def test_shell_scripts():
    """shellcheck reports nothing."""
    assert len(SHELL) > 15
    checked = subprocess.run(["shellcheck", "-x", "-P", "SCRIPTDIR", *SHELL], cwd=tshark.ROOT, capture_output=True, text=True,
                             check=False)
    assert checked.returncode == 0, checked.stdout


def test_one_version():
    """The add-on and its recordings have the version of CMakeLists.txt."""
    addon = tshark.ROOT / "addons/godot_wireshark"
    assert f'version="{version()}"\n' in (addon / "plugin.cfg").read_text()
    assert f'const VERSION := "{version()}"\n' in (addon / "recorder_writer.gd").read_text()


def test_archives_of_all_series(tmp_path):
    """Archives of two series become one; script/verify-archive accepts it, but not a modified one."""
    scripts = tmp_path / "tree"
    for name in ("script", "docs", "examples", "packaging", "profiles", "addons", "test-captures", "LICENSE", "CHANGELOG.md",
                 "CMakeLists.txt"):
        (scripts / name).parent.mkdir(exist_ok=True)
        (scripts / name).symlink_to(tshark.ROOT / name) if name != "script" else shutil.copytree(tshark.ROOT / name, scripts / name)
    archives = scripts / "archives"
    environment = {**os.environ, "ARCHIVES": str(archives)}
    for series in ("3.8", "3.9"):
        build = tmp_path / series
        for file in (f"plugins/{series}/epan/godot.so", f"plugins/{series}/wiretap/godot-store.so", f"enet/{series}/epan/enet.so",
                     "tools/variant-cat"):
            (build / file).parent.mkdir(parents=True, exist_ok=True)
            (build / file).write_text(series)
        (build / "CMakeCache.txt").write_text("CMAKE_STRIP:FILEPATH=true\n")
        subprocess.run([scripts / "script/archive", "test", build], env=environment, check=True, capture_output=True)
    subprocess.run([scripts / "script/archive-all", "test"], check=True, capture_output=True)
    names = {path.name for path in archives.iterdir()}
    one = f"godot-wireshark-{version()}-3.8+3.9-test.tar.gz"
    assert names == {name + end for name in (one, f"godot-wireshark-addon-{version()}.zip") for end in ("", ".sha256")}
    shutil.unpack_archive(archives / one, tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert (unpacked / "variant-cat").read_text() == "3.8"  # that of the oldest system
    assert {path.read_text() for path in unpacked.glob("plugins/*/*/*")} == {"3.8", "3.9"}
    assert "for Wireshark 3.8, 3.9," in (unpacked / "README.txt").read_text()

    (unpacked / "captures/game4/project.godot").unlink()
    packed = subprocess.run([scripts / "script/pack", unpacked, archives / one], check=True, capture_output=True)
    assert packed.stdout
    verified = subprocess.run([scripts / "script/verify-archive", archives / one], check=False, capture_output=True, text=True)
    assert verified.returncode == 1 and "there is no captures/game4/project.godot" in verified.stderr
    (archives / one).write_bytes(b"")
    assert subprocess.run([scripts / "script/verify-archive", archives / one], check=False, capture_output=True).returncode == 1


@pytest.mark.skipif(not (tshark.ROOT / ".git").exists(), reason="no repository")
def test_a_source_archive_is_whole():
    """What "Download ZIP" and a tag's archive have, and who makes a package of the plugin gets."""
    git = ["git", "-c", f"safe.directory={tshark.ROOT}", "-C", tshark.ROOT]
    packed = subprocess.run([*git, "archive", "--worktree-attributes", "HEAD"], check=True, capture_output=True).stdout
    listed = subprocess.run([*git, "ls-tree", "-r", "-z", "--name-only", "HEAD"], check=True, capture_output=True, text=True).stdout
    files = {member.name for member in tarfile.open(fileobj=io.BytesIO(packed)).getmembers() if not member.isdir()}
    assert files == set(listed.rstrip("\0").split("\0")) and len(files) > 500


@pytest.fixture(name="release")
def make_release(tmp_path):
    """A copy of the scripts with an archive to release, and a gh that records its arguments."""
    shutil.copytree(tshark.ROOT / "script", tmp_path / "script")
    for name in ("CMakeLists.txt", "CHANGELOG.md"):
        shutil.copy(tshark.ROOT / name, tmp_path)
    archives = tmp_path / "archives"
    archives.mkdir()
    (archives / "one.tar.gz").write_bytes(b"an archive")
    with open(archives / "one.tar.gz.sha256", "w", encoding="utf-8") as sum_file:
        subprocess.run(["sha256sum", "one.tar.gz"], cwd=archives, stdout=sum_file, check=True)
    gh = tmp_path / "gh"
    gh.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{tmp_path}/called\n')
    gh.chmod(0o755)
    return tmp_path


def publish(release, tag):
    environment = {**os.environ, "PATH": f"{release}:{os.environ['PATH']}"}
    return subprocess.run([release / "script" / "publish", tag], env=environment, capture_output=True, text=True, check=False)


def version():
    return re.search(r"^project\(.* VERSION ([\d.]+)", (tshark.ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def test_publish(release):
    """gh gets the archives and one list of their checksums."""
    done = publish(release, f"v{version()}")
    assert done.returncode == 0, done.stderr
    called = (release / "called").read_text().splitlines()
    assert called[:3] == ["release", "create", f"v{version()}"] and "### Added" in called and set(called[-2:]) == {"./SHA256SUMS", "./one.tar.gz"}
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=release / "archives", check=True)


def test_publish_refuses(release):
    """A tag of another version, and an archive that differs from the tested one."""
    assert "CMakeLists.txt says version" in publish(release, "v99.0").stderr
    (release / "archives" / "one.tar.gz").write_bytes(b"another")
    assert publish(release, f"v{version()}").returncode != 0
    assert not (release / "called").exists()


@pytest.mark.parametrize("ending", ["tar.gz", "zip"])
def test_archives_are_reproducible(tmp_path, ending):
    """The same content gives the same bytes at any time and for any user; unpacking gives the original
    files."""
    for number, when in (("1", 1), ("2", 2_000_000_000)):
        folder = tmp_path / number / "whole" / "inner"
        folder.mkdir(parents=True)
        for name in ("b", "a", "program") if number == "1" else ("program", "a", "b"):
            (folder / name).write_text(name, encoding="utf-8")
            os.utime(folder / name, (when, when))
        (folder / "program").chmod(0o755 if number == "1" else 0o711)
        command = [tshark.ROOT / "script" / "pack", tmp_path / number / "whole", tmp_path / number / f"it.{ending}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    first, second = ((tmp_path / number / f"it.{ending}").read_bytes() for number in "12")
    assert first == second
    subprocess.run(["sha256sum", "--check", "--quiet", f"it.{ending}.sha256"], cwd=tmp_path / "1", check=True)
    shutil.unpack_archive(tmp_path / "1" / f"it.{ending}", tmp_path / "unpacked")
    assert {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "unpacked/whole/inner").iterdir()} == {"a": "a", "b": "b", "program": "program"}
