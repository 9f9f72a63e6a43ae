import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/order.ts"
import { stuckSettings } from "./test/support/stuck/settings.ts"

export default defineConfig({
  test: {
    ...stuckSettings,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global.ts"],
    // For a machine's worst minute: they cost nothing while all goes well.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // About half of the time passes in waiting. They share one Postgres and one Temporal: more of them would wait for these.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    sequence: { sequencer: LongestFirst }
  }
})
