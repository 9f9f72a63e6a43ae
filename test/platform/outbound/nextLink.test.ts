// RFC 8288, RFC 9110 10.2.3: the next page in a `Link` header, and the pause that `Retry-After` asks for.
import { assert, describe, it } from "@effect/vitest"
import { nextLink } from "../../../src/platform/outbound/nextLink.ts"
import { retryAfterMillis } from "../../../src/platform/outbound/retryAfter.ts"

describe("the Link header (RFC 8288)", () => {
  it("names the next page among other relations, quoted or not, with commas in its parts", () => {
    for (const [header, target] of [
      ['<https://api.example.org/x?page=2>; rel="next", <https://api.example.org/x?page=9>; rel="last"', "?page=2"],
      ["</x?a=1,2&page=2>; rel=next", "?a=1,2&page=2"],
      ['<?page=1>; title="a, <b>; rel=next"; rel=prev, <?page=2>; title="c, d"; rel="Last NEXT"', "?page=2"],
      ['<?page=2> ; foo ; rel="next"', "?page=2"]
    ] as const)
      assert.isTrue(nextLink(header)?.endsWith(target), header)
  })

  it("names none where there is none, and a hostile header takes one pass", () => {
    for (const header of [undefined, "", "<a>", "<a>; rel=prev", "rel=next", "<a; rel=next", `${"<".repeat(50_000)}`])
      assert.isUndefined(nextLink(header))
    assert.isUndefined(nextLink("<a>;x,".repeat(20_000)))
  })
})

describe("Retry-After (RFC 9110 10.2.3)", () => {
  const nowMillis = Date.UTC(2026, 2, 1, 10, 0, 0)
  it("is seconds or an HTTP date, never beyond the bound, never in the past", () => {
    for (const [header, millis] of [
      ["7", 7_000],
      [" 0 ", 0],
      ["Sun, 01 Mar 2026 10:00:30 GMT", 30_000],
      ["Sun, 01 Mar 2026 09:00:00 GMT", 0],
      ["3601", 3_600_000],
      ["9".repeat(400), 3_600_000],
      ["Fri, 01 Jan 2100 00:00:00 GMT", 3_600_000],
      ["-5", 0],
      ["soon", 0],
      [undefined, 0]
    ] as const)
      assert.strictEqual(retryAfterMillis(header, nowMillis, 3_600_000), millis, header)
  })
})
