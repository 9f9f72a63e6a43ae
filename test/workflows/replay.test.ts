// Stored histories replay on today's workflow code: a change that breaks one needs `patched`, not a new file.
import { readdirSync, readFileSync } from "node:fs"
import { describe, it } from "@effect/vitest"
import { Worker } from "@temporalio/worker"
import { bundlePath } from "../../src/engine/temporal/bundle.ts"

const directory = new URL("./histories/", import.meta.url)

describe("stored histories", () => {
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".json"))) {
    it(`replay: ${file.replace(".json", "").replaceAll("-", " ")}`, async () => {
      const history = JSON.parse(readFileSync(new URL(file, directory), "utf8")) as unknown
      await Worker.runReplayHistory({ workflowBundle: { codePath: await bundlePath() } }, history, "webhooks/app/1")
    })
  }
})
