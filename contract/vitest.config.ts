// Clients that others' generators make of the description, compiled and run against the service: `npm run contract`.
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    globalSetup: ["test/support/global.ts"],
    include: ["contract/*.test.ts"],
    reporters: ["verbose"],
    disableConsoleIntercept: true,
    testTimeout: 1_200_000,
    hookTimeout: 300_000
  }
})
