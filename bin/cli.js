#!/usr/bin/env node
// npm run cli: the operator's commands, on the database of the service that runs here or on DATABASE_URL.
import { commandLine } from "./parts/environment.js"
import { isServiceKnown, runTarget } from "./parts/run.js"

const cliArgs = process.argv.slice(2)
const needsNone =
  cliArgs.length === 0 ||
  cliArgs[0] === "config" ||
  cliArgs[0] === "doctor" ||
  cliArgs[0] === "parts" ||
  cliArgs.some((arg) => /^(-h|--help|--version)$/.test(arg))
if (!needsNone && !isServiceKnown()) {
  console.error(`No database: start the service with \`${commandLine("start")}\`, or set DATABASE_URL.`)
  process.exit(1)
}
await runTarget("src/cli.ts", { service: true })
