/* mbedtls_keylog.c
 *
 * Preloaded into a program that uses libmbedtls 3 as a shared library - Godot 4 as Debian and Fedora build it:
 * writes the keys of its TLS and DTLS connections to the file $SSLKEYLOGFILE, for Wireshark's tls.keylog_file.
 *
 *     SSLKEYLOGFILE=keys.txt LD_PRELOAD=./libmbedtls-keylog.so godot …
 *
 * With KEYLOG_AES=1, only AES-GCM is negotiated, which Wireshark can decrypt in DTLS as well (see
 * docs/encryption.md). Only for your own games and machines: anyone with the file can read the traffic.
 *
 * The few declarations are from mbedtls/ssl.h of 3.6, so that its headers are not needed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct mbedtls_ssl_context mbedtls_ssl_context;
typedef struct mbedtls_ssl_config mbedtls_ssl_config;

/* mbedtls_ssl_key_export_type */
enum {
    TLS12_MASTER_SECRET,
    TLS1_3_CLIENT_EARLY_SECRET,
    TLS1_3_EARLY_EXPORTER_SECRET,
    TLS1_3_CLIENT_HANDSHAKE_TRAFFIC_SECRET,
    TLS1_3_SERVER_HANDSHAKE_TRAFFIC_SECRET,
    TLS1_3_CLIENT_APPLICATION_TRAFFIC_SECRET,
    TLS1_3_SERVER_APPLICATION_TRAFFIC_SECRET,
    EXPORT_TYPES
};
enum { RANDOM_LENGTH = 32, MAX_SECRET = 64 };

typedef void export_keys(void *data, int type, const unsigned char *secret, size_t length,
                         const unsigned char client_random[RANDOM_LENGTH],
                         const unsigned char server_random[RANDOM_LENGTH], int prf);

static char *append_hex(char *text, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        text += sprintf(text, "%02x", bytes[i]);
    }
    return text;
}

/* One line of the key log, in one write() so that several processes can share the file. */
static void write_keys(void *data, int type, const unsigned char *secret, size_t length,
                       const unsigned char client_random[RANDOM_LENGTH],
                       const unsigned char server_random[RANDOM_LENGTH], int prf)
{
    static const char *const labels[EXPORT_TYPES] = {
        "CLIENT_RANDOM",
        "CLIENT_EARLY_TRAFFIC_SECRET",
        "EARLY_EXPORTER_SECRET",
        "CLIENT_HANDSHAKE_TRAFFIC_SECRET",
        "SERVER_HANDSHAKE_TRAFFIC_SECRET",
        "CLIENT_TRAFFIC_SECRET_0",
        "SERVER_TRAFFIC_SECRET_0",
    };
    char line[64 + 2 * RANDOM_LENGTH + 2 * MAX_SECRET];
    const char *path = getenv("SSLKEYLOGFILE");
    (void)data, (void)server_random, (void)prf;
    if (!path || type < 0 || type >= EXPORT_TYPES || length > MAX_SECRET) {
        return;
    }
    char *end = line + sprintf(line, "%s ", labels[type]);
    end = append_hex(end, client_random, RANDOM_LENGTH);
    *end++ = ' ';
    end = append_hex(end, secret, length);
    *end++ = '\n';
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
        if (write(file, line, (size_t)(end - line)) != end - line) {
            perror("mbedtls-keylog");
        }
        close(file);
    }
}

/* Only suites with AES-GCM: TLS 1.3, then ECDHE with ECDSA and RSA of TLS and DTLS 1.2. */
static void choose_aes(mbedtls_ssl_config *config)
{
    static const int suites[] = {0x1302, 0x1301, 0xc02c, 0xc030, 0xc02b, 0xc02f, 0};
    void (*choose)(mbedtls_ssl_config *, const int *) =
        (void (*)(mbedtls_ssl_config *, const int *))dlsym(RTLD_NEXT, "mbedtls_ssl_conf_ciphersuites");
    if (choose) {
        choose(config, suites);
    }
}

int mbedtls_ssl_setup(mbedtls_ssl_context *context, const mbedtls_ssl_config *config);

int mbedtls_ssl_setup(mbedtls_ssl_context *context, const mbedtls_ssl_config *config)
{
    int (*setup)(mbedtls_ssl_context *, const mbedtls_ssl_config *) =
        (int (*)(mbedtls_ssl_context *, const mbedtls_ssl_config *))dlsym(RTLD_NEXT, "mbedtls_ssl_setup");
    void (*export_to)(mbedtls_ssl_context *, export_keys *, void *) =
        (void (*)(mbedtls_ssl_context *, export_keys *, void *))dlsym(RTLD_NEXT,
                                                                      "mbedtls_ssl_set_export_keys_cb");
    if (!setup) {
        fputs("mbedtls-keylog: the program has no libmbedtls of its own to pass on to\n", stderr);
        abort();
    }
    if (getenv("KEYLOG_AES")) {
        choose_aes((mbedtls_ssl_config *)config);
    }
    int result = setup(context, config);
    if (result == 0 && export_to) {
        export_to(context, write_keys, NULL);
    }
    return result;
}
