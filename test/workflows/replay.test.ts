// Stored histories replay on today's workflow code: a change that breaks one needs `patched`, not a new file.
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Worker } from "@temporalio/worker"
import { bundlePath } from "../../src/engine/temporal/workflowBundle.ts"
import { scenarios } from "./scenarios.ts"

const directory = new URL("./histories/", import.meta.url)

const storedFiles = readdirSync(directory).filter((name) => name.endsWith(".json"))

describe("stored histories", () => {
  it("are there for every type of workflow, and for every scenario", () => {
    const index = readFileSync(new URL("../../workflows/index.ts", import.meta.url), "utf8")
    const types = [...index.matchAll(/^export \{([^}]+)\}/gm)].flatMap(([, names]) =>
      names!.split(",").map((s) => s.trim())
    )
    assert.include(types, "verifyHook")
    for (const type of types)
      assert.isTrue(
        storedFiles.some((file) => file.startsWith(`${type}-`)),
        `none of ${type}`
      )
    for (const name of Object.keys(scenarios)) assert.include(storedFiles, `${name}.json`)
  })

  for (const file of storedFiles) {
    it(`replay: ${file.replace(".json", "").replaceAll("-", " ")}`, async () => {
      const history = JSON.parse(readFileSync(new URL(file, directory), "utf8")) as unknown
      await Worker.runReplayHistory({ workflowBundle: { codePath: await bundlePath() } }, history, "webhooks/app/1")
    })
  }
})
