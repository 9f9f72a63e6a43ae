// npm run test:deep (CONTRIBUTING.md): what it takes, what it refuses, and that --flaky names a test that does not pass each time.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { plainEnvironment } from "../support/environment.ts"
import { root } from "./launcher.ts"

const FIXTURES = ["--config", "test/bin/fixtures/vitest.config.ts"]

const testDeep = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  new Promise<{
    readonly status: number | null
    /** Of both streams, in whatever order they came. */
    readonly output: string
    readonly out: string
  }>((resolve) => {
    const options = { cwd: root, env: { ...plainEnvironment(), ...env } }
    const child = spawn(process.execPath, [join(root, "bin/testDeep.js"), ...args], options)
    let output = ""
    let out = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
    child.stdout.on("data", (chunk) => (out += chunk))
    const toPlainText = (text: string) => stripVTControlCharacters(text).trimEnd()
    child.on("close", (status) => resolve({ status, output: toPlainText(output), out: toPlainText(out) }))
  })

describe("npm run test:deep", () => {
  it("says what it takes", async () => {
    const { output, status } = await testDeep(["--help"])
    assert.strictEqual(status, 0, output)
    for (const word of ["--seed", "--times", "--flaky", "fuzz", "kills", "restores", "disturbances", "upgrade"])
      assert.include(output, word)
  })

  it("refuses what it does not know before it runs anything", async () => {
    for (const [args, words] of [
      [["fuz"], "There is no fuz."],
      [["--seed", "x"], "--seed takes a whole number"],
      [["--flaky", "0"], "--flaky takes a whole number"],
      [["--unknown"], "--unknown"]
    ] as const) {
      const { output, status } = await testDeep(args)
      assert.strictEqual(status, 2, output)
      assert.include(output, words)
      assert.notInclude(output, "RUN")
    }
  })

  it("--flaky names a test that passes only once, and how often it failed; its busy loops end with it", async () => {
    const dir = mkdtempSync(join(tmpdir(), "millrace-flaky-"))
    try {
      const env = { SOMETIMES_FILE: join(dir, "passed") }
      const { out, output, status } = await testDeep(["--flaky", "2", "--", ...FIXTURES, "sometimes.fixture.ts"], env)
      assert.strictEqual(status, 1, output)
      const name = "test/bin/fixtures/sometimes.fixture.ts > passes once"
      assert.deepStrictEqual(out.split("\n").slice(-2), [`${name}: failed in 1 of 2 runs`, "1 did not pass each time."])
      assert.isTrue(existsSync(env.SOMETIMES_FILE))
      if (process.platform === "linux") assert.deepStrictEqual(busyLoops(env.SOMETIMES_FILE), [])
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
})

/** Processes that were begun with this file in their environment. */
const busyLoops = (file: string) =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(file)
    } catch {
      return false
    }
  })
