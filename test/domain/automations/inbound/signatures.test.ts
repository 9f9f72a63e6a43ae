// Signatures of senders (developer-api.md 7.9) against what the senders publish: examples of their documentation, and the libraries of
// GitHub, Stripe and Standard Webhooks.
import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import { challengeIn, challengeOfQuery } from "../../../../src/domain/automations/inbound/challenges.ts"
import { unsigned } from "../../../../src/domain/automations/inbound/signatures.ts"
import { githubSignature, stripeSignature } from "../../../demo/recipes/senders.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
/** What a signature over the text is worth for a way of verification. */
const verify = (way: object, secret: string, headers: Record<string, string>, text: string, seconds = 0) =>
  unsigned({ ...way, secret: "key" } as Parameters<typeof unsigned>[0], secret, {
    headers,
    body: bytes(text),
    now: seconds * 1_000
  })

describe("signatures of senders (7.9)", () => {
  it("GitHub, Meta: the example of GitHub's documentation, and nothing else", () => {
    const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    const secret = "It's a Secret to Everybody"
    for (const type of ["github", "meta"] as const) {
      const verifyHub = (headers: Record<string, string>, text = "Hello, World!", key = secret) =>
        verify({ type }, key, headers, text)
      assert.isNull(verifyHub({ "x-hub-signature-256": signature }))
      assert.strictEqual(verifyHub({ "x-hub-signature-256": signature }, "Hello, World?"), "wrong")
      assert.strictEqual(verifyHub({ "x-hub-signature-256": signature }, "Hello, World!", "another"), "wrong")
      assert.strictEqual(verifyHub({ "x-hub-signature-256": signature.slice(0, -2) }), "wrong")
      assert.strictEqual(verifyHub({ "x-hub-signature-256": "sha256=" }), "wrong")
      assert.strictEqual(verifyHub({ "x-hub-signature": signature }), "missing")
    }
  })

  it("GitHub, Stripe: what their own libraries sign, and nothing else", async () => {
    const text = '{"zen":"Speak like a human, ö."}'
    const headers = { "x-hub-signature-256": await githubSignature("a key", text) }
    assert.isNull(verify({ type: "github" }, "a key", headers, text))
    assert.strictEqual(verify({ type: "github" }, "a key", headers, `${text} `), "wrong")
    const stripe = { "stripe-signature": await stripeSignature("whsec_key", text, 1_700_000_000) }
    assert.isNull(verify({ type: "stripe" }, "whsec_key", stripe, text, 1_700_000_000))
    assert.strictEqual(verify({ type: "stripe" }, "whsec_other", stripe, text, 1_700_000_000), "wrong")
    assert.strictEqual(verify({ type: "stripe" }, "whsec_key", stripe, text, 1_700_000_301), "stale")
  })

  it("Slack: the example of its documentation, within its window of time", () => {
    const secret = "8f742231b10e8888abcd99yyyzzz85a5"
    const headers = {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
    }
    const text =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
    const verifyAt = (seconds: number, more: object = {}) =>
      verify({ type: "slack", ...more }, secret, headers, text, seconds)
    assert.isNull(verifyAt(1531420618))
    assert.isNull(verifyAt(1531420618 + 300))
    assert.strictEqual(verifyAt(1531420618 + 301), "stale")
    assert.strictEqual(verifyAt(1531420618 - 301), "stale")
    assert.isNull(verifyAt(1531420618 + 900, { tolerance_seconds: 900 }))
    const later = { ...headers, "x-slack-request-timestamp": "1531420619" }
    assert.strictEqual(verify({ type: "slack" }, secret, later, text, 1531420618), "wrong")
    const odd = { ...headers, "x-slack-request-timestamp": "1531420618.0" }
    assert.strictEqual(verify({ type: "slack" }, secret, odd, text, 1531420618), "stale")
  })

  it("Standard Webhooks: what its library signs, with one of several keys and under Svix' names too", () => {
    const secret = `whsec_${Buffer.alloc(24, 5).toString("base64")}`
    const text = '{"type":"contact.created"}'
    const sign = (key: string) => new Webhook(key).sign("msg_1", new Date(1_700_000_000_000), text)
    const other = `whsec_${Buffer.alloc(24, 6).toString("base64")}`
    const headers = (signature: string, name = "webhook") => ({
      [`${name}-id`]: "msg_1",
      [`${name}-timestamp`]: "1700000000",
      [`${name}-signature`]: signature
    })
    const verifyStandard = (of: Record<string, string>, seconds = 1_700_000_000, key = secret) =>
      verify({ type: "standard_webhooks" }, key, of, text, seconds)
    assert.isNull(verifyStandard(headers(sign(secret))))
    assert.isNull(verifyStandard(headers(`${sign(other)} ${sign(secret)}`)))
    assert.isNull(verifyStandard(headers(sign(secret), "svix")))
    assert.strictEqual(verifyStandard(headers(sign(other))), "wrong")
    assert.strictEqual(verifyStandard(headers(sign(secret).replace("v1,", "v1a,"))), "wrong")
    assert.strictEqual(verifyStandard(headers(sign(secret)), 1_700_000_301), "stale")
    assert.strictEqual(verifyStandard({ "webhook-id": "msg_1" }), "missing")
    assert.strictEqual(verifyStandard(headers(sign(secret)), 1_700_000_000, "whsec_"), "wrong")
  })

  it("Stripe, Shopify, Zoom and a plain HMAC: each with its own header and writing", async () => {
    // Web Crypto: another implementation than the one that verifies.
    const mac = async (key: string, text: string, hash = "SHA-256") => {
      const imported = await crypto.subtle.importKey("raw", bytes(key), { name: "HMAC", hash }, false, ["sign"])
      return Buffer.from(await crypto.subtle.sign("HMAC", imported, bytes(text)))
    }
    const text = '{"id":"evt_1"}'
    const signedAt = 1_700_000_000
    const v1 = (await mac("whsec_test", `${signedAt}.${text}`)).toString("hex")
    const stripe = (header: string, seconds = signedAt) =>
      verify({ type: "stripe" }, "whsec_test", { "stripe-signature": header }, text, seconds)
    assert.isNull(stripe(`t=${signedAt},v1=${v1}`))
    assert.isNull(stripe(`t=${signedAt},v1=${"0".repeat(64)}, v1=${v1},v0=${v1}`))
    assert.strictEqual(stripe(`t=${signedAt},v0=${v1}`), "wrong")
    assert.strictEqual(stripe(`t=${signedAt + 1},v1=${v1}`), "wrong")
    assert.strictEqual(stripe(`t=${signedAt},v1=${v1}`, signedAt + 301), "stale")
    assert.strictEqual(stripe(`v1=${v1}`), "missing")

    const shop = (await mac("shop", text)).toString("base64")
    assert.isNull(verify({ type: "shopify" }, "shop", { "x-shopify-hmac-sha256": shop }, text))
    assert.strictEqual(verify({ type: "shopify" }, "shop", { "x-shopify-hmac-sha256": shop }, `${text} `), "wrong")

    const zoom = (await mac("zoom", `v0:${signedAt}:${text}`)).toString("hex")
    const zoomHeaders = { "x-zm-signature": `v0=${zoom}`, "x-zm-request-timestamp": String(signedAt) }
    assert.isNull(verify({ type: "zoom" }, "zoom", zoomHeaders, text, signedAt))
    assert.strictEqual(verify({ type: "zoom" }, "zoom", zoomHeaders, text, signedAt + 301), "stale")

    for (const [algorithm, hash] of [
      ["sha1", "SHA-1"],
      ["sha384", "SHA-384"],
      ["sha512", "SHA-512"]
    ] as const) {
      for (const encoding of ["hex", "base64", "base64url"] as const) {
        const signature = (await mac("plain", text, hash)).toString(encoding)
        const way = { type: "hmac", header: "X-Sum", algorithm, encoding, prefix: "sum " }
        assert.isNull(verify(way, "plain", { "x-sum": `sum ${signature}` }, text))
        assert.strictEqual(verify(way, "plain", { "x-sum": signature }, text), "missing")
        assert.strictEqual(verify(way, "plane", { "x-sum": `sum ${signature}` }, text), "wrong")
      }
    }
  })

  it("challenges: Slack's text, Zoom's text signed as its documentation says, Meta's with the right token alone", () => {
    const way = (type: string) => ({ type, secret: "key" }) as Parameters<typeof challengeIn>[0]
    assert.deepStrictEqual(challengeIn(way("slack"), "s", { type: "url_verification", challenge: "3eZbrw" }), {
      challenge: "3eZbrw"
    })
    assert.isUndefined(challengeIn(way("slack"), "s", { type: "event_callback", challenge: "3eZbrw" }))
    assert.isUndefined(challengeIn(way("github"), "s", { type: "url_verification", challenge: "3eZbrw" }))
    const zoom = { event: "endpoint.url_validation", payload: { plainToken: "qgg8vlvZRS6UYooatFL8Aw" } }
    const answer = challengeIn(way("zoom"), "key", zoom) as { plainToken: string; encryptedToken: string }
    assert.strictEqual(answer.plainToken, "qgg8vlvZRS6UYooatFL8Aw")
    assert.match(answer.encryptedToken, /^[0-9a-f]{64}$/)
    const query = (text: string) => challengeOfQuery(new URLSearchParams(text), "token")
    assert.strictEqual(query("hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=token"), "1158201444")
    assert.isNull(query("hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=other"))
    assert.isNull(query("hub.mode=subscribe&hub.challenge=1158201444"))
    assert.isUndefined(query("a=1"))
  })
})
