import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global.ts"],
    // Real servers on a busy machine: one more try where nobody watches; a fault of ours fails twice.
    retry: process.env["CI"] === undefined ? 0 : 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2
  }
})
