#!/bin/sh
# Signs what came as it should have been signed: the body on stdin, the headers and HOOK_SECRET in the environment. One of the signatures
# of the header must be the one printed. Needs openssl.
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(printf %s "${HOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -vtx1 | tr -d ' \n')" -binary | openssl base64 -A | sed 's/^/v1,/'
