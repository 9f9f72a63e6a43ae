import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { APART, LongestFirst } from "./test/support/order.ts"
import { stuckSettings } from "./test/support/stuck/settings.ts"

export default defineConfig({
  test: {
    ...stuckSettings,
    globalSetup: ["test/support/global.ts"],
    // For a machine's worst minute: they cost nothing while all goes well.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // About half of the time passes in waiting. They share one Postgres and one Temporal: more of them would wait for these.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: "apart", include: APART } },
      // A file's own import of everything costs more than most files' tests: these share a process, each its own database.
      { extends: true, test: { name: "together", include: ["test/**/*.test.ts"], exclude: APART, isolate: false } }
    ]
  }
})
