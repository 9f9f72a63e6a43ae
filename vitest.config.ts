import { defineConfig } from "vitest/config"
import { stuckSettings } from "./test/support/stuck/settings.ts"

export default defineConfig({
  test: {
    ...stuckSettings,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global.ts"],
    // For a machine's worst minute: they cost nothing while all goes well.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2
  }
})
