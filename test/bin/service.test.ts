// npm start with the real service: ready, demo data made once, the same data after kill -9, mistakes all at once.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { freePort, readJson, stop } from "../../bin/parts/os.js"
import { plainEnvironment } from "../support/environment.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"
import { root, Started } from "./launcher.ts"

const MAIN = "src/main.ts"

describe("npm start with the service itself", () => {
  let dir = ""
  let running: Array<Started> = []

  const start = async (env: Record<string, string> = {}) => {
    const started = new Started(join(dir, "data"), await freePort(), { MILLRACE_MAIN: MAIN, DEMO: "on", ...env })
    running.push(started)
    return started
  }

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "millrace-service-"))
    running = []
  })
  afterEach(async () => {
    for (const started of running) started.killAll()
    for (const started of running) for (const part of Object.values(started.parts())) if (part) await stop(part, [])
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  it("says in one line that the database is away, and ends, to be started again", async () => {
    const port = await freePort()
    const service = spawnSync(process.execPath, [join(root, MAIN)], {
      env: {
        ...plainEnvironment(),
        DATABASE_URL: `postgres://millrace:none@127.0.0.1:${port}/millrace`,
        DATA_DIR: dir,
        SECRET_KEY: Buffer.alloc(32).toString("base64")
      },
      encoding: "utf8",
      timeout: ENDS_MILLIS
    })
    assert.strictEqual(service.status, 1)
    assert.match(service.stderr, /^millrace: The database is away \(Postgres: .+\): start again when it is there\.\n$/m)
    assert.notInclude(service.stderr, "    at ")
  })

  it("makes the demo data on the first run only, and keeps it through kill -9", async () => {
    const firstStart = await start()
    await firstStart.says("Ctrl-C stops it.")
    const file = join(dir, "data", "demo-credentials.json")
    assert.include(firstStart.output, file)
    assert.include(firstStart.output, "Ctrl-C stops it. Next, in another terminal: npm run demo")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const { curl, email, password, token } = readJson(file)
    assert.match(password, /^[\w-]{12}$/)
    assert.strictEqual(email, "demo@millrace.example")
    const user = (port: number) =>
      fetch(`http://127.0.0.1:${port}/v1/user`, { headers: { authorization: `Bearer ${token}` } })
    assert.strictEqual((await user(firstStart.port)).status, 200)
    assert.lengthOf(curl, 3)
    for (const secret of [token, password]) assert.notInclude(firstStart.output, secret)
    const cli = spawnSync(process.execPath, [join(root, "bin/cli.js"), "migrate", "--json"], {
      env: { ...plainEnvironment(), DATA_DIR: join(dir, "data") },
      encoding: "utf8",
      timeout: ENDS_MILLIS
    })
    assert.deepStrictEqual(JSON.parse(cli.stdout || cli.stderr), { migrations_run: [] })
    firstStart.killAll()
    await firstStart.exit()
    const without = spawnSync(process.execPath, [join(root, "bin/cli.js"), "migrate"], {
      env: { ...plainEnvironment(), DATA_DIR: join(dir, "data") },
      encoding: "utf8",
      timeout: ENDS_MILLIS
    })
    assert.strictEqual(without.status, 1)
    assert.include(without.stderr, "No database: start the service")

    const second = await start()
    await second.says("Ctrl-C stops it.")
    assert.notInclude(second.output, "Demo ")
    assert.strictEqual((await user(second.port)).status, 200)
    second.child.kill("SIGTERM")
    assert.strictEqual(await second.exit(), 0)
  })

  it("tells of the demo data when a start works, also where they were made by one that did not", async () => {
    const holder = createServer()
    const firstStart = await start()
    // Somebody takes its port once it has looked whether it is free.
    await firstStart.says("starting Postgres")
    await new Promise<void>((resolve) => holder.listen(firstStart.port, "127.0.0.1", resolve))
    assert.strictEqual(await firstStart.exit(), 1)
    holder.close()
    assert.notInclude(firstStart.output, "Demo ")

    const file = join(dir, "data", "demo-credentials.json")
    const firstCredentials = readJson(file)
    const second = await start()
    await second.says("Ctrl-C stops it.")
    assert.include(second.output, file)
    // The link of the start before is over; everything else stays.
    const kept = readJson(file)
    assert.match(kept.sign_in_link, /\/sign-in\/demo\/[\w-]{40,}$/)
    assert.notStrictEqual(kept.sign_in_link, firstCredentials.sign_in_link)
    assert.deepStrictEqual({ ...kept, sign_in_link: firstCredentials.sign_in_link }, firstCredentials)
    second.child.kill("SIGTERM")
    assert.strictEqual(await second.exit(), 0)
  })

  it("reports every mistake in the environment together and ends with status 1", async () => {
    const started = await start({ LOG_LEVEL: "loud", TRUSTED_PROXIES: "nowhere", SECRET_KEY: "short" })
    assert.strictEqual(await started.exit(), 1)
    for (const name of ["LOG_LEVEL", "TRUSTED_PROXIES", "SECRET_KEY"]) assert.include(started.output, `- ${name}:`)
    assert.notInclude(started.output, "short")
  })
})
