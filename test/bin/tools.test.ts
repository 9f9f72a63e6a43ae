// Programs of the clone, as commands run them: with the variables that are set when they start, but for those of a service of the caller's.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { prepareTools } from "../../bin/parts/tools.js"
import { root } from "./launcher.ts"

const folder = mkdtempSync(join(tmpdir(), "millrace-tools-"))
const program = join(folder, "seed.mjs")
const VARIABLES = ["SIMULATED_SEED", "RATE_BUDGET"] as const

describe("a program of the clone", () => {
  const formerValues = VARIABLES.map((name) => [name, process.env[name]] as const)
  afterAll(() => {
    for (const [name, value] of formerValues)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    rmSync(folder, { recursive: true })
  })

  it("has variables that are set after the tools were made, and none of a service of the caller's", async () => {
    writeFileSync(
      program,
      'process.exit(process.env.RATE_BUDGET === undefined ? Number(process.env.SIMULATED_SEED ?? "1") : 2)'
    )
    const tool = await prepareTools()
    const statusWith = (seed: string) => {
      process.env["SIMULATED_SEED"] = seed
      process.env["RATE_BUDGET"] = "5"
      return tool(relative(root, program), [])
    }
    assert.strictEqual(await statusWith("7"), 7)
    assert.strictEqual(await statusWith("8"), 8)
  })
})
