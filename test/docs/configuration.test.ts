// decisions P2: every variable of the code stands in .env.example with its default, and in the table of docs/settings.md.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { ELSEWHERE, OF_PROCESSES } from "../../bin/parts/settings.js"
import { commands } from "../../src/interfaces/cli/allCommands.ts"
import { configCommand } from "../../src/interfaces/cli/configCommands.ts"
import { doctorCommand } from "../../src/interfaces/cli/doctorCommand.ts"
import { partsCommand } from "../../src/interfaces/cli/partsCommand.ts"
import { load } from "../../src/platform/config/Config.ts"

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")

/** `#NAME=default` lines; an empty default is none. */
const example = new Map(
  [...read(".env.example").matchAll(/^#?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const)
)
/** Not read by src/platform/config/Config.ts. */
const elsewhere = new Set(Object.keys(ELSEWHERE))
/** Set for tests of the mechanism, or by the launcher, alone. */
const internal = new Set(["ACTOR_TUNING", ...OF_PROCESSES])

const needed = { DATABASE_URL: "postgres://u@localhost/d", SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }

/** The configuration under an environment, with the names that were asked for. */
const loaded = (env: Record<string, string>) =>
  Effect.gen(function* () {
    const readNames = new Set<string>()
    const provider = ConfigProvider.make((path) => {
      const name = path.join("_")
      // Every one may come from a file (settingFiles.test.ts).
      if (!name.endsWith("_FILE")) readNames.add(name)
      const value = env[name]
      return Effect.succeed(value === undefined ? undefined : ConfigProvider.makeValue(value))
    })
    const config = yield* Effect.provideService(load, ConfigProvider.ConfigProvider, provider)
    return { config, asked: readNames }
  })

describe("decisions P2: configuration", () => {
  it.effect("every variable of the code stands in .env.example, and no other", () =>
    Effect.gen(function* () {
      const { asked } = yield* loaded(needed)
      const documented = [...example.keys()].filter((name) => !elsewhere.has(name))
      assert.deepStrictEqual(
        documented.filter((name) => !internal.has(name)).sort(),
        [...asked].filter((name) => !internal.has(name)).sort()
      )
    })
  )

  it("what others read stands there with its default", () => {
    const documented = [...example].filter(([name]) => elsewhere.has(name))
    assert.deepStrictEqual(Object.fromEntries(documented), { ...ELSEWHERE })
  })

  it.effect("what .env.example shows is the default", () =>
    Effect.gen(function* () {
      const shownSettings = Object.fromEntries(
        [...example].filter(([name, value]) => value !== "" && !elsewhere.has(name))
      )
      const { config: defaults } = yield* loaded(needed)
      const { config: written } = yield* loaded({ ...shownSettings, ...needed })
      const toComparable = ({ baseUrl, ...rest }: typeof defaults) => JSON.stringify({ ...rest, origin: baseUrl })
      assert.strictEqual(toComparable({ ...written, weblinkBaseUrl: defaults.weblinkBaseUrl }), toComparable(defaults))
    })
  )

  it("the table of docs/settings.md names every variable with its default", () => {
    const cells = [...read("docs/settings.md").matchAll(/^\| (`[A-Z][A-Z0-9_`, ]+`) \| ([^|]*)\|/gm)].flatMap(
      ([, names, defaults]) => {
        const values = [...defaults!.matchAll(/`([^`]*)`|none/g)].map(([, value]) => value ?? "")
        return [...names!.matchAll(/`([^`]+)`/g)].map(([, name], i) => [name!, values[i] ?? ""] as const)
      }
    )
    assert.deepStrictEqual(cells, [...example])
  })

  it.effect("a wrong value is named, all of them together", () =>
    Effect.gen(function* () {
      const wrong = {
        PORT: "eighty",
        RATE_BUDGET: "-1",
        WEBHOOK_PER_MINUTE: "2147483648",
        WEBHOOK_TIMEOUT_MILLIS: "30000",
        WEBHOOK_RETRY_SECONDS: "5 s",
        HTTP_CALL_PORTS: "https",
        BASE_URL: "http://records.example.com",
        MCP_URL: "https://mcp.example.com/path",
        TRUSTED_PROXIES: "10.0.0.0/99",
        METRICS_TOKEN: "too-short",
        SECRET_KEY: "short",
        ROLE: "boss",
        SCRIPT_SYNC_CPU_MILLIS: "1.5"
      }
      const refusal = yield* Effect.flip(loaded({ ...needed, ...wrong }))
      for (const name of Object.keys(wrong)) assert.include(refusal.message, name)
      assert.strictEqual(refusal.problems.length, Object.keys(wrong).length)
      assert.notInclude(refusal.message, "short")
    })
  )

  it.effect("what is counted in days or hours has an end that dates can hold (P2)", () =>
    Effect.gen(function* () {
      const names = [...example.keys()].filter((name) => /_(?:DAYS|HOURS|MONTHS)$/.test(name))
      assert.isAtLeast(names.length, 9)
      const refusal = yield* Effect.flip(
        loaded({ ...needed, ...Object.fromEntries(names.map((name) => [name, "9999999"])) })
      )
      for (const name of names.filter((name) => name !== "WEBHOOK_KEEP_DAYS")) assert.include(refusal.message, name)
      const kept = yield* Effect.flip(loaded({ ...needed, WEBHOOK_KEEP_DAYS: "9999999" }))
      assert.include(kept.message, "WEBHOOK_KEEP_DAYS")
    })
  )

  it.effect("deliveries are not promised to be withheld for longer than the log is kept (W5, W8)", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(
        loaded({ ...needed, WEBHOOK_WITHHELD_DAYS: "60", WEBHOOK_KEEP_DAYS: "30", PORT: "eighty" })
      )
      assert.deepStrictEqual(
        refusal.problems.filter((problem) => problem.startsWith("WEBHOOK")),
        ["WEBHOOK_WITHHELD_DAYS: 60 days are more than the 30 of WEBHOOK_KEEP_DAYS, after which a delivery is gone"]
      )
      assert.strictEqual(refusal.problems.length, 2)
      const { config } = yield* loaded({ ...needed, WEBHOOK_WITHHELD_DAYS: "30" })
      assert.deepStrictEqual(config.webhookDays, { withheld: 30, kept: 30 })
      const short = yield* loaded({ ...needed, WEBHOOK_KEEP_DAYS: "3" })
      assert.deepStrictEqual(short.config.webhookDays, { withheld: 3, kept: 3 })
    })
  )

  it("the README lists every command of the operator", () => {
    const rows = [...read("README.md").matchAll(/^\| (`[a-z`, ]+`) \|/gm)].map(([, names]) => names!)
    const listedCommands = rows.flatMap((names) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
    // Called by the launcher.
    const ownCommands = [...commands, configCommand, doctorCommand, partsCommand]
      .map(({ name }) => name)
      .filter((name) => !["demo-seed", "demo-link"].includes(name))
    assert.deepStrictEqual(
      listedCommands.filter((name) => ownCommands.includes(name as never)).sort(),
      ownCommands.toSorted()
    )
  })
})
