#!/usr/bin/env node
// npm run contract [-- -t NAME]: clients that others' generators make of the API description, compiled and run against the service.
import { prepareTools } from "./parts/tools.js"

const tool = await prepareTools()
process.exitCode = await tool("node_modules/vitest/vitest.mjs", [
  "run",
  "--config",
  "contract/vitest.config.ts",
  ...process.argv.slice(2)
])
