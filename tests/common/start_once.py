"""A started program that executes many runs, each in a fork: see start-once.c, which is preloaded into it.

    started = Started(["env", …, "tshark"], folder)
    returncode, stdout, stderr = started.run(["-r", capture], timeout=60)

SPDX-License-Identifier: GPL-2.0-or-later
"""

import atexit
import contextlib
import os
import signal
import struct
import subprocess
import tempfile
import threading


class Started:
    """The program of this command line; `folder` has to be readable by the user who runs it."""

    def __init__(self, line, folder):
        self._files = []
        for _ in range(2):
            descriptor, path = tempfile.mkstemp(dir=folder)
            os.fchmod(descriptor, 0o666)
            os.close(descriptor)
            self._files.append(path)
        self._process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                         cwd="/", start_new_session=True)
        self.process_id = self._process.pid
        atexit.register(self.close)

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def run(self, arguments, timeout):
        """(status, standard output, errors) as bytes, or None if the program cannot be run in this way."""
        request = b"".join(os.fsencode(str(text)) + b"\0" for text in (*self._files, *arguments))
        try:
            self._process.stdin.write(struct.pack("=I", len(request)) + request)
            self._process.stdin.flush()
            child = int(self._process.stdout.readline())
        except (BrokenPipeError, ValueError):
            return None
        timer = threading.Timer(timeout, os.kill, (child, signal.SIGKILL))
        timer.start()
        status = os.waitstatus_to_exitcode(int(self._process.stdout.readline()))
        timer.cancel()
        texts = []
        for path in self._files:
            with open(path, "rb") as file:
                texts.append(file.read())
        return status, *texts
