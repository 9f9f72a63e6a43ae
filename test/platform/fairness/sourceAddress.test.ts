// decisions O21, O22: a source is an address, IPv6 by /64, however it is spelled.
import { assert, describe, it } from "@effect/vitest"
import { sourceKey } from "../../../src/platform/fairness/sourceAddress.ts"

describe("O22: sources", () => {
  it("IPv4 is itself, within IPv6 too; IPv6 counts by /64 in every spelling; anything else is unknown", () => {
    for (const [address, key] of [
      ["203.0.113.7", "203.0.113.7"],
      ["::ffff:203.0.113.7", "203.0.113.7"],
      ["::FFFF:cb00:7107", "203.0.113.7"],
      ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
      ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
      ["2001:db8:1:2:0:0:0:1", "2001:db8:1:2::/64"],
      ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
      ["2001:db8::1", "2001:db8::/64"],
      ["2001:db8:0:1::", "2001:db8:0:1::/64"],
      ["::1", "::/64"],
      ["fe80::1%eth0", "fe80::/64"],
      ["fe80::2%25lo", "fe80::/64"],
      ["", "unknown"],
      ["203.0.113.7, 198.51.100.1", "unknown"],
      [`${"x".repeat(10_000)}`, "unknown"]
    ] as const)
      assert.strictEqual(sourceKey(address), key, address.slice(0, 60))
    assert.strictEqual(sourceKey(null), "unknown")
  })
})
