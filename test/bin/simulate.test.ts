// npm run simulate (docs/engine.md, "Simulated schedules"): what it takes and what it refuses.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { plainEnvironment } from "../support/environment.ts"
import { root } from "./launcher.ts"

const simulate = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(root, "bin/simulate.js"), ...args], {
    cwd: root,
    env: plainEnvironment(),
    encoding: "utf8"
  })

describe("npm run simulate", () => {
  it("says what it takes", () => {
    const { status, stdout } = simulate("--help")
    assert.strictEqual(status, 0)
    for (const word of ["--schedules", "--seed", "--kind"]) assert.include(stdout, word)
  })

  it("refuses what it does not know before it plays anything", () => {
    for (const [args, words] of [
      [["--seed", "x"], "--seed takes a whole number from 1, not x."],
      [["--schedules", "0"], "--schedules takes a whole number from 1, not 0."],
      [["--kind", "runs"], "--kind is webhooks or automations, not runs."],
      [["--depth", "1"], "Unknown option '--depth'"]
    ] as const) {
      const { status, stderr } = simulate(...args)
      assert.strictEqual(status, 2)
      assert.include(stderr, words)
    }
  })
})
