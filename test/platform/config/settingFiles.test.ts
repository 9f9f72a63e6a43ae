// decisions P2: every setting also from a file, and `config print`: what is in force, and from where.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { afterAll } from "vitest"
import { launcherNames } from "../../../bin/parts/settings.js"
import { load } from "../../../src/platform/config/Config.ts"
import { effectiveSettings, type InForce } from "../../../src/platform/config/effectiveSettings.ts"
import { load as loadTemporal } from "../../../temporal.config.ts"
import { plainEnvironment } from "../../support/environment.ts"
import { ENDS_MILLIS } from "../../support/eventually.ts"
import { program } from "../../support/programs.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const dir = mkdtempSync(join(tmpdir(), "millrace-settings-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const file = (name: string, text: string) => {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

const KEY = Buffer.alloc(32, 7).toString("base64")
const needed = { DATABASE_URL: "postgres://u:hunter2@localhost/d", SECRET_KEY: KEY }

const withEnv = <A, E>(env: Record<string, string>, effect: Effect.Effect<A, E>) =>
  Effect.provideService(effect, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

const config = (env: Record<string, string>) => withEnv(env, load)
const problems = (env: Record<string, string>) => Effect.map(Effect.flip(config(env)), (error) => error.message)

/** `config print --json` as a person runs it, on nobody's service. */
const printed = (command: ReadonlyArray<string>, env: Record<string, string>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [...command, "config", "print", "--json"], {
    cwd: root,
    env: { ...plainEnvironment(), DATA_DIR: dir, ...env },
    encoding: "utf8",
    timeout: ENDS_MILLIS
  })
  return { status, stderr, rows: JSON.parse(stdout || "[]") as ReadonlyArray<InForce>, stdout }
}
const row = (rows: ReadonlyArray<InForce>, name: string) => rows.find(({ setting }) => setting === name)

describe("decisions P2: a setting from a file", () => {
  it.effect("NAME_FILE stands for NAME, whatever its kind; the line end is no part of it", () =>
    Effect.gen(function* () {
      const settings = yield* config({
        DATABASE_URL_FILE: file("url", "postgres://u@localhost/d\r\n"),
        SECRET_KEY_FILE: file("key", `${KEY}\n`),
        PORT_FILE: file("port", "9000\n"),
        ROLE_FILE: file("role", "worker"),
        SCRIPT_SYNC_CPU_MILLIS_FILE: file("cpu", "100\n")
      })
      assert.strictEqual(Redacted.value(settings.databaseUrl), "postgres://u@localhost/d")
      assert.strictEqual(Redacted.value(settings.secretKey).length, 1)
      assert.deepStrictEqual([settings.port, settings.role, settings.scriptSync.cpuMillis], [9000, "worker", 100])
    })
  )

  it.effect("one line end is taken off and no more", () =>
    Effect.gen(function* () {
      const settings = yield* config({ ...needed, MAIL_FROM_FILE: file("from", " a \n\n") })
      assert.strictEqual(settings.mailFrom, " a \n")
    })
  )

  it.effect("both set is a mistake that names both, also beside a good file", () =>
    Effect.gen(function* () {
      const problemText = yield* problems({ ...needed, PORT: "9000", PORT_FILE: file("both", "9000") })
      assert.include(problemText, "PORT and PORT_FILE are both set")
    })
  )

  it.effect("a file that cannot be read, is empty, no file or too long is a mistake that names its path", () =>
    Effect.gen(function* () {
      const missing = join(dir, "nothing-here")
      const problemText = yield* problems({
        ...needed,
        HOST_FILE: missing,
        PORT_FILE: file("empty", "\n"),
        MAIL_FROM_FILE: dir,
        LOG_LEVEL_FILE: file("long", "x".repeat(1_048_577))
      })
      assert.include(problemText, `HOST_FILE: ${missing} cannot be read (ENOENT)`)
      assert.include(problemText, `PORT_FILE: ${join(dir, "empty")} is empty`)
      assert.include(problemText, `MAIL_FROM_FILE: ${dir} is no regular file`)
      assert.include(problemText, `LOG_LEVEL_FILE: ${join(dir, "long")} is longer than`)
      assert.include(problemText, "4 mistake(s)")
    })
  )

  it.effect("a wrong value in a file is named as the setting, never shown", () =>
    Effect.gen(function* () {
      const problemText = yield* problems({ ...needed, METRICS_TOKEN_FILE: file("token", "hunter2\n") })
      assert.include(problemText, "METRICS_TOKEN:")
      assert.notInclude(problemText, "hunter2")
    })
  )

  it("Temporal's own variables and headers come from files too", () => {
    const env = {
      TEMPORAL_ADDRESS_FILE: file("address", "temporal.example:7233\n"),
      TEMPORAL_NAMESPACE_FILE: file("namespace", "other\n"),
      TEMPORAL_GRPC_META_AUTHORIZATION_FILE: file("header", "Bearer abc\n")
    }
    Object.assign(process.env, env)
    try {
      const { connection, namespace } = loadTemporal()
      assert.deepStrictEqual([connection.address, namespace], ["temporal.example:7233", "other"])
      assert.deepStrictEqual(connection.metadata, { authorization: "Bearer abc" })
    } finally {
      for (const name of Object.keys(env)) delete process.env[name]
    }
  })

  it("the launcher takes every setting that it reads itself from its file", () => {
    const parts = join(root, "bin/parts")
    const read = readdirSync(parts).flatMap((name) =>
      [...readFileSync(join(parts, name), "utf8").matchAll(/\benv\["([A-Z_]+)"\]/g)].map(([, setting]) => setting!)
    )
    // Set by the launcher itself, or by nobody but Node and the tests.
    const internalNames = ["DATABASE_SUPERUSER_URL", "MILLRACE_MAIN", "NODE_ENV", "PATH", "npm_execpath"]
    assert.isAbove(read.length, 10)
    assert.deepStrictEqual(
      [...new Set(read)].filter((name) => ![...launcherNames({}), ...internalNames].includes(name)),
      []
    )
  })
})

describe("decisions P2: config print", () => {
  it("tells of each setting whether it comes from the environment, a file or nobody, and hides what is secret", () => {
    const { rows, status, stdout } = printed(["bin/cli.js"], {
      SECRET_KEY_FILE: file("secret", `${KEY}\n`),
      DATABASE_URL: "postgres://u:hunter2@localhost/d?sslpassword=hunter3&application_name=x",
      SMTP_URL_FILE: file("smtp", "smtp://me:hunter4@mail.example:587\n"),
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://hunter5@collector.example/",
      TEMPORAL_API_KEY: "hunter6",
      TEMPORAL_GRPC_META_AUTHORIZATION: "hunter7",
      METRICS_TOKEN: "hunter8-hunter8-hunter8",
      PORT: "9000"
    })
    assert.strictEqual(status, 0)
    assert.notInclude(stdout, "hunter")
    assert.notInclude(stdout, KEY)
    const settingOf = (name: string) => [row(rows, name)?.value, row(rows, name)?.from]
    assert.deepStrictEqual(settingOf("PORT"), ["9000", "environment"])
    assert.deepStrictEqual(settingOf("BASE_URL"), ["http://127.0.0.1:9000", "default"])
    assert.deepStrictEqual(settingOf("SECRET_KEY"), ["(hidden)", `file ${join(dir, "secret")}`])
    assert.deepStrictEqual(settingOf("SMTP_URL"), ["smtp://me:***@mail.example:587", `file ${join(dir, "smtp")}`])
    assert.deepStrictEqual(settingOf("DATABASE_URL"), [
      "postgres://u:***@localhost/d?sslpassword=***&application_name=x",
      "environment"
    ])
    assert.deepStrictEqual(settingOf("OTEL_EXPORTER_OTLP_ENDPOINT"), ["https://***@collector.example/", "environment"])
    assert.deepStrictEqual(settingOf("TEMPORAL_GRPC_META_AUTHORIZATION"), ["(hidden)", "environment"])
    assert.deepStrictEqual(settingOf("TEMPORAL_NAMESPACE"), ["millrace", "default"])
    assert.deepStrictEqual(settingOf("DATA_DIR"), [dir, "environment"])
  })

  it("needs no database, and shows beside what is wrong what is right", () => {
    const { rows, status, stderr } = printed([program("cli")], { PORT: "eighty", HOST: "::1" })
    assert.strictEqual(status, 1)
    assert.include(stderr, "PORT:")
    assert.notInclude(stderr, "DATABASE_URL")
    assert.deepStrictEqual(row(rows, "PORT"), { setting: "PORT", value: null, from: "environment" })
    assert.deepStrictEqual(row(rows, "HOST"), { setting: "HOST", value: "::1", from: "environment" })
  })

  it("names what was set in .env", () => {
    const { rows } = printed([program("cli")], { PORT: "9000", HOST: "::1", MILLRACE_SOURCES: '{"PORT":".env"}' })
    assert.deepStrictEqual(row(rows, "PORT"), { setting: "PORT", value: "9000", from: ".env" })
    assert.deepStrictEqual(row(rows, "HOST"), { setting: "HOST", value: "::1", from: "environment" })
  })

  it("the launcher names a wrong file, and starts nothing", () => {
    const { status, stderr } = spawnSync(process.execPath, ["bin/start.js"], {
      cwd: root,
      env: { ...plainEnvironment(), DATA_DIR: join(dir, "never"), SECRET_KEY: KEY, SECRET_KEY_FILE: "/nowhere" },
      encoding: "utf8",
      timeout: ENDS_MILLIS
    })
    assert.strictEqual(status, 1)
    assert.include(stderr, "SECRET_KEY and SECRET_KEY_FILE are both set")
    assert.notInclude(readdirSync(dir), "never")
  })

  it.effect("every default is the one of .env.example", () =>
    Effect.gen(function* () {
      const { settings } = yield* withEnv({}, effectiveSettings)
      const example = [...readFileSync(join(root, ".env.example"), "utf8").matchAll(/^#([A-Z][A-Z0-9_]+)=(.*)$/gm)]
      const follows = new Set(["MCP_URL", "WEBLINK_BASE_URL"])
      const documented = example.flatMap(([, name, value]) => (follows.has(name!) ? [] : [[name!, value || null]]))
      assert.deepStrictEqual(
        Object.fromEntries(settings.flatMap(({ setting, value }) => (follows.has(setting) ? [] : [[setting, value]]))),
        Object.fromEntries(documented)
      )
    })
  )
})
