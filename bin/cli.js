#!/usr/bin/env node
// npm run cli: the operator's commands, on the database of the service that runs here or on DATABASE_URL.
import { environmentOfService, runTarget } from "./parts/run.js"

const asksForHelp = process.argv.length === 2 || process.argv.some((arg) => /^(-h|--help|--version)$/.test(arg))
if (!asksForHelp && environmentOfService()["DATABASE_URL"] === undefined) {
  console.error("No database: start the service with `npm start`, or set DATABASE_URL.")
  process.exit(1)
}
await runTarget("src/cli.ts", { service: true })
