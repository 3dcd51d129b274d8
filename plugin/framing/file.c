/* file.c
 *
 * Records of files written by FileAccess.store_var(), as file-reader.c reads them: u32 length and a
 * Variant, or the head of a file whose content cannot be read (encrypted, or compressed in a way that is not
 * supported).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/expert.h>
#include <wiretap/wtap.h>

#include "base/registration.h"
#include "framing/file.h"
#include "framing/store_file.h"
#include "variant/api.h"

#define MAX_INFO 256

void proto_register_godot_file(void);
void proto_reg_handoff_godot_file(void);

static int proto_file;
static int hf_length, hf_magic, hf_mode, hf_block_size, hf_unpacked_size;
static int ett_file = -1;
static expert_field ei_encrypted, ei_compressed, ei_too_long;
static dissector_handle_t file_handle;
static int encapsulations[GODOT_FILE_ENCAPSULATIONS];

static const value_string mode_names[] = {
    {COMPRESSED_FILE_FASTLZ, "FastLZ"},  {COMPRESSED_FILE_DEFLATE, "DEFLATE"},
    {COMPRESSED_FILE_ZSTD, "Zstandard"}, {COMPRESSED_FILE_GZIP, "gzip"},
    {COMPRESSED_FILE_BROTLI, "Brotli"},  {0, NULL},
};

static void dissect_compressed(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, proto_item *item)
{
    uint32_t mode = tvb_get_letohl(tvb, 4);
    proto_tree_add_item(tree, hf_magic, tvb, 0, 4, ENC_ASCII);
    proto_tree_add_item(tree, hf_mode, tvb, 4, 4, ENC_LITTLE_ENDIAN);
    proto_tree_add_item(tree, hf_block_size, tvb, 8, 4, ENC_LITTLE_ENDIAN);
    proto_tree_add_item(tree, hf_unpacked_size, tvb, 12, 4, ENC_LITTLE_ENDIAN);
    bool too_long = tvb_reported_length(tvb) > tvb_captured_length(tvb); /* file-reader.c cut it */
    expert_add_info(pinfo, item, too_long ? &ei_too_long : &ei_compressed);
    col_add_fstr(pinfo->cinfo, COL_INFO, "Compressed file (GCPF, %s), content not decoded",
                 val_to_str_const(mode, mode_names, "unknown mode"));
}

static void dissect_encrypted(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, proto_item *item)
{
    proto_tree_add_item(tree, hf_magic, tvb, 0, 4, ENC_ASCII);
    expert_add_info(pinfo, item, &ei_encrypted);
    col_set_str(pinfo->cinfo, COL_INFO, "Encrypted file (GDEC)");
}

static variant_dialect dialect_of_file(const packet_info *pinfo)
{
    for (size_t i = 0; i < GODOT_FILE_ENCAPSULATIONS; i++) {
        if (pinfo->rec->rec_header.packet_header.pkt_encap == encapsulations[i]) {
            return godot_file_encapsulations[i].dialect;
        }
    }
    return VARIANT_DIALECT_COUNT;
}

static void dissect_stored_value(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    unsigned length = tvb_reported_length(tvb);
    uint32_t little = tvb_get_letohl(tvb, 0);
    unsigned order = little + 4 == length ? ENC_LITTLE_ENDIAN : ENC_BIG_ENDIAN;
    variant_options options = {.objects_allowed = true};
    godot_variant value;

    proto_tree_add_item(tree, hf_length, tvb, 0, 4, order);
    godot_variant_generation chosen =
        godot_variant_choose_dialect(pinfo, tvb, 4, length - 4, dialect_of_file(pinfo));
    options.dialect = chosen.dialect;
    godot_variant_read(&value, tvb, pinfo, 4, length - 4, options);
    godot_variant_note_guess(&value, chosen);
    godot_variant_add(&value, tree, NULL);
    col_add_str(pinfo->cinfo, COL_INFO, godot_variant_text(&value, MAX_INFO));
}

static int dissect_file_record(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    proto_item *item = proto_tree_add_item(tree, proto_file, tvb, 0, -1, ENC_NA);
    proto_tree *subtree = proto_item_add_subtree(item, ett_file);
    uint32_t magic = tvb_get_ntohl(tvb, 0);

    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Godot");
    col_clear(pinfo->cinfo, COL_INFO);
    if (magic == 0x47435046) { /* "GCPF": a record cannot begin so, it would be over 1 GiB long */
        dissect_compressed(tvb, pinfo, subtree, item);
    } else if (magic == 0x47444543) { /* "GDEC" */
        dissect_encrypted(tvb, pinfo, subtree, item);
    } else {
        dissect_stored_value(tvb, pinfo, subtree);
    }
    return (int)tvb_captured_length(tvb);
}

void proto_register_godot_file(void)
{
    static hf_register_info hf[] = {
        {&hf_length,
         {"Length", "godot.file.length", FT_UINT32, BASE_DEC, NULL, 0x0, "Bytes of the Variant that follows",
          HFILL}},
        {&hf_magic,
         {"Magic", "godot.file.magic", FT_STRING, BASE_NONE, NULL, 0x0, "GCPF: compressed; GDEC: encrypted",
          HFILL}},
        {&hf_mode,
         {"Compression Mode", "godot.file.compression", FT_UINT32, BASE_DEC, VALS(mode_names), 0x0, NULL,
          HFILL}},
        {&hf_block_size,
         {"Block Size", "godot.file.block_size", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
        {&hf_unpacked_size,
         {"Unpacked Size", "godot.file.unpacked_size", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    };
    static int *ett[] = {&ett_file};
    static ei_register_info ei[] = {
        {&ei_encrypted,
         {"godot.file.encrypted", PI_UNDECODED, PI_NOTE, "Encrypted file: cannot be read without its key",
          EXPFILL}},
        {&ei_compressed,
         {"godot.file.not_unpacked", PI_UNDECODED, PI_NOTE,
          "Compressed file that cannot be unpacked or holds no stored values", EXPFILL}},
        {&ei_too_long,
         {"godot.file.too_long", PI_UNDECODED, PI_WARN,
          "Compressed file, not unpacked: it would be more than 16 MiB and more than 64 times its length",
          EXPFILL}},
    };

    proto_file = proto_register_protocol("Godot Stored Value", "Godot File", "godot.file");
    proto_register_field_array(proto_file, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(proto_file), ei, array_length(ei));
    file_handle = register_dissector("godot.file", dissect_file_record, proto_file);
}

/* The encapsulations exist only if the file reader's module has been loaded. */
void proto_reg_handoff_godot_file(void)
{
    for (size_t i = 0; i < GODOT_FILE_ENCAPSULATIONS; i++) {
        encapsulations[i] = wtap_name_to_encap(godot_file_encapsulations[i].name);
        if (encapsulations[i] >= 0) {
            dissector_add_uint("wtap_encap", (uint32_t)encapsulations[i], file_handle);
        }
    }
}
