# Verifies one delivery: the body on stdin, the headers and HOOK_SECRET in the environment. Python's own packages are enough.
import base64
import hashlib
import hmac
import json
import os
import sys
import time


def verify(secret, webhook_id, timestamp, signatures, body, tolerance=300):
    if abs(time.time() - int(timestamp)) > tolerance:
        raise ValueError("the timestamp is too old or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # One for each secret in force: for 24 hours after a rotation there are two.
    if not any(hmac.compare_digest(expected, one) for one in signatures.split(" ")):
        raise ValueError("no signature matches")
    return json.loads(body)


event = verify(
    os.environ["HOOK_SECRET"],
    os.environ["WEBHOOK_ID"],
    os.environ["WEBHOOK_TIMESTAMP"],
    os.environ["WEBHOOK_SIGNATURE"],
    sys.stdin.buffer.read(),
)
print(event["type"])
