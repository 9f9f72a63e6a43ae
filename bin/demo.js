#!/usr/bin/env node
// npm run demo: imports a public data set through the public API of the service that runs here.
import { commandLine } from "./parts/environment.js"
import { isServiceKnown, runTarget } from "./parts/run.js"

if (!process.argv.includes("--help") && !isServiceKnown()) {
  console.error(`No service: start one with \`${commandLine("start")}\` in another terminal, then run the demo again.`)
  process.exit(1)
}
await runTarget("demo/main.ts", { development: true, service: true })
