// What the run log shows of values and messages (developer-api.md 7.11): secrets hidden, large values cut with a mark.
import { assert, describe, it } from "@effect/vitest"
import { logMessages, logText, logValues } from "../../../../src/domain/automations/run/logText.ts"
import { isSecretName, shownBody, shownUrl } from "../../../../src/platform/text/redaction.ts"
import { cpuMillis } from "../../../support/turns.ts"

const none: ReadonlySet<string> = new Set()
const loggedValue = (value: unknown, secrets = none) => logValues(new Map([["value", value]]), secrets)["value"]
const collectSecrets = (act: (found: (secret: string) => void) => string) => {
  const secrets: Array<string> = []
  return [act((secret) => secrets.push(secret)), [...new Set(secrets)]] as const
}

describe("the run log hides (7.11)", () => {
  it("credentials by the names under which they travel, in any spelling", () => {
    for (const name of [
      ...["Authorization", "PROXY-AUTHORIZATION", "cookie", "Set-Cookie", "X-Api-Key", "apikey", "api_key"],
      ...[
        "client_secret",
        "accessToken",
        "refresh_token",
        "password",
        "passwd",
        "X-Hub-Signature-256",
        "jwt",
        "sessionId"
      ]
    ]) {
      assert.isTrue(isSecretName(name), name)
    }
    for (const name of [
      "Accept",
      "idempotency-key",
      "token_type",
      "max_tokens",
      "expires_in",
      "author",
      "key",
      "code"
    ]) {
      assert.isFalse(isSecretName(name), name)
    }
  })

  it("parameters and user info of a request's address", () => {
    const url =
      "https://me:pa%20ss@api.example.com/v1/x?page=2&Token=a%2Fb&key=k-1&code=9&next=1&signature=#access_token=zzzz"
    const [text, secrets] = collectSecrets((secret) => shownUrl(url, secret))
    assert.strictEqual(
      text,
      "https://•••@api.example.com/v1/x?page=2&Token=•••&key=•••&code=•••&next=1&signature=#access_token=•••"
    )
    assert.deepStrictEqual(secrets, ["pa%20ss", "pa ss", "a%2Fb", "a/b", "k-1", "9", "zzzz"])
    assert.strictEqual(
      shownUrl("https://user@host/a@b?x=1", () => undefined),
      "https://•••@host/a@b?x=1"
    )
    assert.strictEqual(
      shownUrl("not an address ?%zz=1&token=%zz", () => undefined),
      "not an address ?%zz=1&token=•••"
    )
  })

  it("members of a body in JSON and parameters of a form; other bodies stay as they are", () => {
    const json = `{ "user": "a", "password": "p-1", "deep": [{ "api_key": "k-1", "token": 12345, "token_type": "x" }] }`
    const [text, secrets] = collectSecrets((secret) => shownBody(json, "application/json", secret))
    assert.deepStrictEqual(JSON.parse(text), {
      user: "a",
      password: "•••",
      deep: [{ api_key: "•••", token: "•••", token_type: "x" }]
    })
    assert.deepStrictEqual(secrets, ["p-1", "k-1", "12345"])
    const [several, each] = collectSecrets((secret) =>
      shownBody(`{ "tokens": 2, "secrets": ["s-1", 2, "s-3"] }`, "", secret)
    )
    assert.strictEqual(several, `{"tokens":2,"secrets":"•••"}`)
    assert.deepStrictEqual(each, ["s-1", "2", "s-3"])
    const form = "grant_type=password&username=me&password=s3+cret&code=1"
    const mimetype = "application/x-www-form-urlencoded; charset=utf-8"
    assert.deepStrictEqual(
      collectSecrets((secret) => shownBody(form, mimetype, secret)),
      ["grant_type=password&username=me&password=•••&code=•••", ["s3+cret", "s3 cret", "s3%20cret", "1"]]
    )
    for (const body of [`{ "a":  1 }`, "{ not json", "password=x"]) {
      assert.strictEqual(
        shownBody(body, "text/plain", () => undefined),
        body
      )
    }
  })

  it("what a step has named, also where JSON escapes it, but nothing shorter than four characters", () => {
    const secrets = new Set([`Digest user="x\\y"`, "abc"])
    assert.deepStrictEqual(loggedValue({ echo: [`<Digest user="x\\y">`], other: "abc" }, secrets), {
      echo: ["<•••>"],
      other: "abc"
    })
    assert.strictEqual(logText(`refused: Digest user="x\\y"`, secrets), "refused: •••")
  })

  it("members of any value, addresses in any text, challenges, and addresses that are credentials themselves", () => {
    assert.deepStrictEqual(loggedValue({ data: { access_token: "t", expires_in: 3600, tokens: ["a"] } }), {
      data: { access_token: "•••", expires_in: 3600, tokens: ["a"] }
    })
    assert.deepStrictEqual(loggedValue({ cookies: ["a=1"] }), { cookies: "•••" })
    assert.strictEqual(
      loggedValue("see https://u:p@example.com/?code=5&access_token=5 and authorization: Bearer abcdefgh12"),
      "see https://•••@example.com/?code=5&access_token=••• and authorization: Bearer •••"
    )
    assert.strictEqual(
      loggedValue("to /next?a=1&id_token=zz#t, what? x=1 & token = 5"),
      "to /next?a=1&id_token=•••#t, what? x=1 & token = 5"
    )
    const uuid = "0190b6a0-5f3c-4a6e-9d3e-0123456789ab"
    assert.strictEqual(
      loggedValue(`http://127.0.0.1:8080/weblink/trigger/${uuid}?x=1`),
      "http://127.0.0.1:8080/weblink/trigger/•••?x=1"
    )
    assert.strictEqual(logText(`/api/catch/${"aB3_-".repeat(8)} was called`, none), "/api/catch/••• was called")
    assert.strictEqual(loggedValue("/v1/automation/12/trigger/ now"), "/v1/automation/12/trigger/ now")
  })

  it("nothing else: values that are small stay as they are, large ones are cut with a mark", () => {
    for (const value of [null, 1, true, "text", [1, { a: null }], "\\u0000", { key: "5", code: "x" }]) {
      assert.deepStrictEqual(loggedValue(value), value)
    }
    assert.strictEqual(loggedValue("a\u0000b"), "a�b")
    const long = loggedValue({ text: "x".repeat(5_000) }) as string
    assert.match(long, /^\{"text":"x{1991}… \(cut, 5011 characters in all\)$/)
    const many = loggedValue(
      Array.from({ length: 50_000 }, (_, i) => ({ id: i, token: `t${i}`, name: "some name" }))
    ) as string
    assert.match(many, /^\[\{"id":0,"token":"•••","name":"some name"\},/)
    assert.match(many, /… \(cut, \d{7} characters in all\)$/)
    assert.isBelow(many.length, 2_100)
    const hiddenText = `${"y".repeat(100)}secret-`.repeat(300)
    assert.notInclude(loggedValue(hiddenText, new Set(["secret-"])) as string, "secret")
    const messages = logMessages(
      Array.from({ length: 250 }, (_, i) => ({ message: `m${i}`, level: null })),
      none
    )
    assert.strictEqual(messages.length, 201)
    assert.strictEqual(messages.at(-1)!.message, "… and 50 more messages")
  })

  it("of a value that no stack holds its beginning, and never fails itself", () => {
    const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000))
    assert.match(loggedValue({ deep, token: "hidden" }) as string, /^\{"deep":\[{199}/)
    assert.match(loggedValue(deep, new Set(["secret"])) as string, /^\[+"…"\]+/)
    const body = `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`
    assert.strictEqual(
      shownBody(body, "application/json", () => undefined),
      `(${body.length} characters, not shown)`
    )
    const broken = {
      toJSON: () => {
        throw new Error("no JSON")
      }
    }
    assert.strictEqual(loggedValue(broken), "(cannot be shown)")
  })

  it("a long text by its beginning, without making JSON of the whole (P8)", () => {
    const long = Buffer.alloc(60_000_000, `"\n`).toString("latin1")
    assert.isBelow(
      cpuMillis(() => loggedValue({ long })),
      50
    )
    assert.match(loggedValue({ long }) as string, /^\{"long":"\\"\\n.*… \(cut, 600000\d\d characters in all\)$/)
  })
})
