// The test command itself (CONTRIBUTING.md): files alone, without the checks; a test that hangs says where.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { plainEnvironment } from "../support/environment.ts"
import { LONG } from "../support/order.ts"
import { root } from "./launcher.ts"

const FIXTURES = ["--config", "test/bin/fixtures/vitest.config.ts"]

const npmTest = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  new Promise<{ readonly status: number | null; readonly said: string }>((resolve) => {
    const options = { cwd: root, env: { ...plainEnvironment(), ...env } }
    const child = spawn(process.execPath, [join(root, "bin/test.js"), ...args], options)
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
    child.on("close", (status) => resolve({ status, said: stripVTControlCharacters(output).trimEnd() }))
  })

describe("npm test", () => {
  it("says what it takes", async () => {
    const { said, status } = await npmTest(["--help"])
    assert.strictEqual(status, 0, said)
    for (const word of ["npm test -- FILE", "-t ", "npm run check", "npm run lint"]) assert.include(said, word)
    assert.notInclude(said, "RUN")
  })

  it("runs the named tests of a file alone, without the checks", async () => {
    const { said, status } = await npmTest([...FIXTURES, "test/bin/fixtures/two.fixture.ts", "-t", "that passes"])
    assert.strictEqual(status, 0, said)
    assert.notInclude(said, "Type check")
    assert.strictEqual(said.split("\n").at(-1), "1 passed, 0 failed")
  })

  it("fails with a test that fails, and with a file that is not there", async () => {
    const failing = await npmTest([...FIXTURES, "two.fixture.ts"])
    assert.strictEqual(failing.status, 1)
    assert.strictEqual(failing.said.split("\n").at(-1), "1 passed, 1 failed")
    const absent = await npmTest([...FIXTURES, "no-such-file"])
    assert.strictEqual(absent.status, 1)
    assert.include(absent.said, "No test files found")
  })

  it("begins with files that exist", () => {
    assert.deepStrictEqual(
      LONG.filter((name) => !existsSync(join(root, name))),
      []
    )
  })

  it("says which tests hang, and at which lines their effects wait", async () => {
    const { said } = await npmTest([...FIXTURES, "hanging"], { STUCK_MILLIS: "1000" })
    const file = "test/bin/fixtures/hanging.fixture.ts"
    assert.match(said, new RegExp(`still running after \\d+ s: ${file}:11 > a test > that waits`))
    assert.match(said, new RegExp(`${file}: its effects wait at\\n +${file}:14 > ${file}:7`))
    assert.match(said, new RegExp(`still running after \\d+ s: ${file}:18 > a test > that is busy`))
  })
})
