#!/usr/bin/env node
// npm run check: types. npm run lint: style, format, unused code, patterns. npm run format: fixes what lint can fix.
import { CHECKS, prepareTools, runChecks } from "./parts/tools.js"

const [command, ...more] = process.argv.slice(2)
const tool = await prepareTools()
if (command === "format") {
  process.exitCode = await tool("node_modules/@biomejs/biome/bin/biome", ["check", "--write", ".", ...more])
} else {
  const failed = await runChecks(tool, command === "check" ? CHECKS.check : CHECKS.lint)
  process.exitCode = failed === 0 ? 0 : 1
}
