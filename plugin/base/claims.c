/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/claims.h"

static bool (*websocket_claims)(tvbuff_t *tvb, packet_info *pinfo);

void claim_websocket(bool (*claims)(tvbuff_t *tvb, packet_info *pinfo))
{
    websocket_claims = claims;
}

bool websocket_is_claimed(tvbuff_t *tvb, packet_info *pinfo)
{
    return websocket_claims && websocket_claims(tvb, pinfo);
}
