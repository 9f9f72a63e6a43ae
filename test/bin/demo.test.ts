// Where the demo is: data, person and the address that its receiver opens (docs/operations.md): with both databases embedded alone.
import { assert, describe, it } from "@effect/vitest"
import { demoReceiver, mayDemo } from "../../bin/parts/environment.js"

describe("the demo", () => {
  it("is there where both databases are embedded and NODE_ENV is not production", () => {
    assert.isTrue(mayDemo({}))
    assert.deepStrictEqual(demoReceiver({ OUTBOUND_ALLOW: "10.0.0.1:80" }), {
      DEMO_RECEIVER: "127.0.0.1:8099",
      OUTBOUND_ALLOW: "10.0.0.1:80,127.0.0.1:8099"
    })
  })

  for (const env of [
    { DATABASE_URL: "postgres://db.example.com/millrace" },
    { TEMPORAL_ADDRESS: "temporal.example.com:7233" },
    { TEMPORAL_PROFILE: "cloud" },
    { TEMPORAL_CONFIG_FILE: "/etc/temporal.toml" },
    { NODE_ENV: "production" },
    { DEMO: "off" }
  ]) {
    it(`is not, and opens no address, with ${Object.entries(env).join()}, not even where one is named`, () => {
      assert.isFalse(mayDemo(env))
      assert.deepStrictEqual(demoReceiver({ ...env, DEMO_RECEIVER: "127.0.0.1:9000" }), {})
    })
  }

  it("is not where nobody can tell whether it is wanted", () => {
    assert.throws(() => mayDemo({ DEMO: "maybe" }), 'DEMO: expected on or off, found "maybe"')
  })
})
