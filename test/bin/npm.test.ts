// npm may hang for ever: the launcher ends it and runs it again, a few times, and says so.
import { execFile } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { afterAll, vi } from "vitest"
import { npm, writeLock } from "../../bin/parts/node.js"
import { ENDS_MILLIS } from "../support/eventually.ts"
import { root } from "./launcher.ts"

const dir = mkdtempSync(join(tmpdir(), "millrace-npm-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** An npm that hangs for its first runs, which it counts, and then ends so. */
const standIn = (hangs: number, status: number) => {
  const runs = join(dir, `runs-${hangs}-${status}`)
  writeFileSync(runs, "")
  writeFileSync(
    join(dir, "npm"),
    `#!/bin/sh\necho "$1" >> ${runs}\nif [ $(wc -l < ${runs}) -le ${hangs} ]; then exec sleep 600; fi\nexit ${status}\n`
  )
  chmodSync(join(dir, "npm"), 0o755)
  vi.stubEnv("PATH", `${dir}${delimiter}${process.env["PATH"]}`)
  vi.stubEnv("npm_execpath", undefined)
  return () => readFileSync(runs, "utf8").trim().split("\n")
}

/** Its folder stands before that of the running Node. */
const run = (node = join(dir, "node")) => npm(node, ["ci"], dir, "npm ci", { millis: 2_000, times: 3 })

const failure = () =>
  run().then(
    () => assert.fail("it did not fail"),
    (error: Error) => error.message
  )

describe("npm for the launcher", () => {
  it("is ended and run again where it does not end", async () => {
    const runs = standIn(1, 0)
    await run()
    assert.deepStrictEqual(runs(), ["ci", "ci"])
  })

  it("is given up after a few times", async () => {
    const runs = standIn(9, 0)
    assert.strictEqual(await failure(), "npm ci had not ended after 2 s, 3 times in a row.")
    assert.strictEqual(runs().length, 3)
  })

  it("is run once where it fails", async () => {
    const runs = standIn(0, 7)
    assert.strictEqual(await failure(), "npm ci failed (status 7); its own message is above.")
    assert.strictEqual(runs().length, 1)
  })

  it("P13: a Node with other content than the pinned one is not installed", { timeout: 120_000 }, async () => {
    vi.unstubAllEnvs()
    const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages["node_modules/negotiator"]
    const install = async (integrity: string) => {
      const work = mkdtempSync(join(dir, "pinned-"))
      writeLock(work, "negotiator", locked.version, integrity)
      await npm(
        process.execPath,
        ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
        work,
        "npm ci"
      )
      return existsSync(join(work, "node_modules", "negotiator", "package.json"))
    }
    assert.isTrue(await install(locked.integrity))
    const other = `sha512-${Buffer.alloc(64, 7).toString("base64")}`
    const refusal = await install(other).then(
      () => assert.fail("it was installed"),
      (error: Error) => error.message
    )
    assert.match(refusal, /npm ci failed/)
  })

  it("leaves nothing behind that keeps a command from its end where there is none", async () => {
    const module = pathToFileURL(join(root, "bin/parts/node.js")).href
    const program = `
      const { npm } = await import(${JSON.stringify(module)})
      await npm("/nowhere/node", ["ci"], "/", "npm ci").catch(({ message }) => console.log(message))`
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      env: { PATH: "/nowhere" },
      timeout: ENDS_MILLIS
    })
    assert.strictEqual(stdout, "npm cannot be run: spawn npm ENOENT\n")
  })
})
