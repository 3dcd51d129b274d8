# SPDX-License-Identifier: GPL-2.0-or-later
"""TCP of real programs on the port of the debugger that is neither a debugger nor Godot, so it belongs to
other dissectors.

Needs Debian's curl openssl.
"""

import contextlib
import http.server
import random
import socket
import ssl
import subprocess
import threading

from generator.scene import Scene, scenario

HOST, PORT = "127.0.0.1", 6007
PAGE = "".join(f"<p>Line {number} of a page that takes more than one segment</p>\n" for number in range(100))


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(PAGE.encode() if self.path == "/" else b'{"jsonrpc": "2.0", "id": 1, "result": [28, 3, 4]}')

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"]))[::-1])

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, text, *values):
        pass


@contextlib.contextmanager
def site(certificate=None):
    server = http.server.ThreadingHTTPServer((HOST, PORT), Site)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def curl(scene, name, paths, *options, scheme="http"):
    """A client with its own log, regardless of its exit status."""
    urls = [word for path in paths for word in ("--output", "/dev/null", f"{scheme}://{HOST}:{PORT}/{path}")]
    process = scene.process(name, ["curl", "--silent", "--show-error", "--insecure", "--max-time", "10", "--write-out",
                                   "%{http_code} %{size_download}\\n", *options, *urls])
    process.good_ends += tuple(range(1, 100))
    process.finish(15)


def http_requests(scene):
    body = scene.folder / "body"
    body.write_bytes(random.Random(1).randbytes(20000))
    with site():
        curl(scene, "get", ["", "rpc"])
        curl(scene, "post", ["upload"], "--data-binary", f"@{body}", "--header", "Expect:")
        curl(scene, "put", ["not-implemented"], "--upload-file", body)
        curl(scene, "tls-to-http", [""], scheme="https")  # a ClientHello, answered with an error page


def https_requests(scene):
    key, certificate = scene.folder / "key.pem", scene.folder / "cert.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                    "/CN=localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with site((certificate, key)):
        for version in ("1.2", "1.3"):
            curl(scene, f"tls-{version}", [""], f"--tlsv{version}", "--tls-max", version, scheme="https")


def lines(scene):
    """A text protocol in which the server sends first."""
    with socket.create_server((HOST, PORT)) as server, socket.create_connection((HOST, PORT)) as client:
        there, _ = server.accept()
        with there:
            for answer, request in (("220 ready", "HELO game"), ("250 hello", "NOOP"), ("250 ok", "QUIT"), ("221 bye", "")):
                there.sendall(answer.encode() + b"\r\n")
                client.recv(100)
                if request:
                    client.sendall(request.encode() + b"\r\n")
                    there.recv(100)


@scenario("debugger/ordinary-port-6007")
def ordinary(name):
    with Scene(name, f"tcp port {PORT}") as scene:
        http_requests(scene)
        https_requests(scene)
        lines(scene)
        said = {process.name: process.printed() for process in scene.processes}
        assert said["get"].split() == ["200", str(len(PAGE)), "200", "49"], said
        assert said["post"].split()[:2] == ["200", "20000"] and said["put"].startswith("501"), said
        assert said["tls-1.2"].split() == said["tls-1.3"].split() == ["200", str(len(PAGE))], said
