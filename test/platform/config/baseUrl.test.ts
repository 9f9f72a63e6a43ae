// decisions P5: the service and what starts it call it by one name, which is an origin that browsers can go to.
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { baseUrlOf } from "../../../bin/parts/service.js"
import { load } from "../../../src/platform/config/Config.ts"

const needed = { DATABASE_URL: "postgres://u@localhost/d", SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }

/** By what is set, the origin. */
const named: ReadonlyArray<readonly [env: Record<string, string>, origin: string]> = [
  [{}, "http://127.0.0.1:8080"],
  [{ HOST: "0.0.0.0" }, "http://127.0.0.1:8080"],
  [{ HOST: "0", PORT: "9000" }, "http://127.0.0.1:9000"],
  [{ HOST: "::" }, "http://[::1]:8080"],
  [{ HOST: "0:0:0:0:0:0:0:0" }, "http://[::1]:8080"],
  [{ HOST: "::1" }, "http://[::1]:8080"],
  [{ HOST: "Localhost", PORT: "80" }, "http://localhost"],
  [{ HOST: "192.0.2.7" }, "http://192.0.2.7:8080"],
  [{ HOST: "0.0.0.0", BASE_URL: "https://records.example.com/" }, "https://records.example.com"]
]

describe("decisions P5: the origin of the service", () => {
  it.effect.each(named)("%j: %s", ([env, origin]) =>
    Effect.gen(function* () {
      const provider = ConfigProvider.fromEnv({ env: { ...needed, ...env } })
      const config = yield* Effect.provideService(load, ConfigProvider.ConfigProvider, provider)
      assert.strictEqual(config.baseUrl, origin)
      assert.strictEqual(baseUrlOf(env), origin)
    })
  )
})
