// RFC 7616: what a client answers to a digest challenge, by the examples of the RFC, and how challenges of servers are read.
import { assert, describe, it } from "@effect/vitest"
import { authChallenges } from "../../../src/platform/outbound/authChallenges.ts"
import { DigestLogin } from "../../../src/platform/outbound/DigestLogin.ts"

const url = new URL("http://www.example.org/dir/index.html")
const mufasa = { username: "Mufasa", password: "Circle of Life", origin: url.origin }
const request = { method: "GET", url, body: undefined }

/** Parameters of the header by name. */
const answerOf = (login: DigestLogin, header: string, more: Partial<typeof request> = {}) => {
  assert.isTrue(login.accept(url, header))
  const value = login.authorization({ ...request, ...more })
  const [challenge] = authChallenges(value)
  assert.strictEqual(challenge?.scheme, "digest")
  return challenge!.parameters
}

const nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
const opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
const challengeOf = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", opaque="${opaque}"`
const cnonce = () => "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

describe("digest authentication (RFC 7616)", () => {
  it("3.9.1: SHA-256 and MD5 of the same request", () => {
    for (const [algorithm, response] of [
      ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
      ["MD5", "8ca523f5e9506fed4657c9700eebdbec"]
    ] as const) {
      const parameters = answerOf(new DigestLogin(mufasa, cnonce), challengeOf(algorithm))
      assert.deepStrictEqual(Object.fromEntries(parameters), {
        ...{ username: "Mufasa", realm: "http-auth@example.org", uri: "/dir/index.html", algorithm, nonce, opaque },
        ...{ nc: "00000001", cnonce: cnonce(), qop: "auth", response }
      })
    }
  })

  it("3.9.2 (as erratum 4897 has it): SHA-512-256 with the user's name hashed", () => {
    const doe = new URL("http://api.example.org/doe.json")
    const secretUser = { username: "Jäsøn Doe", password: "Secret, or not?", origin: doe.origin }
    const login = new DigestLogin(secretUser, () => "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
    const serverNonce = "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK"
    assert.isTrue(
      login.accept(
        doe,
        `Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="${serverNonce}", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true`
      )
    )
    const parameters = authChallenges(login.authorization({ method: "GET", url: doe, body: undefined }))[0]!.parameters
    assert.strictEqual(parameters.get("userhash"), "true")
    assert.strictEqual(parameters.get("username"), "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
    assert.strictEqual(parameters.get("response"), "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5")
  })

  it("2069: a server without qop, and the example of RFC 2617", () => {
    const login = new DigestLogin({ ...mufasa, password: "Circle Of Life" }, () => "0a4f113b")
    const old = `Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"`
    const plainAnswer = answerOf(login, old)
    assert.isFalse(plainAnswer.has("nc") || plainAnswer.has("cnonce") || plainAnswer.has("qop"))
    assert.strictEqual(plainAnswer.get("response"), "670fd8c2df070c60b045671b8b24ff02")
    const later = answerOf(login, `${old}, qop="auth,auth-int"`)
    assert.strictEqual(later.get("response"), "6629fae49393a05397450978507c4ef1")
  })

  it("the counter grows with each use of a challenge, and begins anew with the next one", () => {
    const login = new DigestLogin(mufasa, cnonce)
    assert.strictEqual(answerOf(login, challengeOf("MD5")).get("nc"), "00000001")
    assert.strictEqual(authChallenges(login.authorization(request))[0]!.parameters.get("nc"), "00000002")
    assert.strictEqual(answerOf(login, challengeOf("MD5")).get("nc"), "00000001")
  })

  it("the strongest challenge counts, unknown ones and other schemes are passed over", () => {
    const login = new DigestLogin(mufasa, cnonce)
    const header = `Negotiate, Basic realm="a, b", ${challengeOf("MD5")}, ${challengeOf("SHA-256")}, ${challengeOf("SHA-9")}`
    assert.strictEqual(answerOf(login, header).get("algorithm"), "SHA-256")
    for (const none of [undefined, "", 'Basic realm="x"', "Digest", 'Digest realm="x"', challengeOf("SHA-9")])
      assert.isFalse(new DigestLogin(mufasa).accept(url, none), none)
    assert.isFalse(new DigestLogin(mufasa).accept(url, 'Digest realm="x", nonce="n", qop="other"'))
  })

  it("only the origin that it was made for is authorized, and only its challenges are answered", () => {
    const login = new DigestLogin(mufasa, cnonce)
    assert.isUndefined(login.authorization(request))
    assert.isFalse(login.accept(new URL("http://evil.example.org/"), challengeOf("MD5")))
    assert.isTrue(login.accept(url, challengeOf("MD5")))
    assert.isUndefined(login.authorization({ ...request, url: new URL("https://www.example.org/dir/index.html") }))
  })

  it("reads parameters with blanks, quotes and escapes, and a hostile header in one pass", () => {
    const [first, second] = authChallenges('Digest realm = "a \\"b\\", c" , nonce=x, Bearer error="y"')
    assert.deepStrictEqual(Object.fromEntries(first!.parameters), { realm: 'a "b", c', nonce: "x" })
    assert.deepStrictEqual([second!.scheme, second!.parameters.get("error")], ["bearer", "y"])
    assert.isAtMost(authChallenges(`Digest ${'a="'.repeat(5_000)}`).length, 200)
    assert.isAtMost(authChallenges("x,".repeat(10_000)).length, 200)
  })
})
