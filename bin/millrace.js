#!/usr/bin/env node
// Runs an installed package: `millrace` starts everything, and its commands are those of the clone.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packaged, root } from "./parts/environment.js"

const COMMANDS = /** @type {Record<string, () => Promise<unknown>>} */ ({
  start: () => import("./start.js"),
  cli: () => import("./cli.js"),
  demo: () => import("./demo.js")
})

const HELP = `Usage: millrace [command]

start   runs Postgres, Temporal and the service until Ctrl-C (what millrace does by itself)
cli     the operator's commands, beside the running service: millrace cli --help
demo    imports a public data set through the API of the running service

millrace COMMAND --help says more. Settings are taken from the environment, then from a file .env in this folder; data is kept in
~/.local/share/millrace unless DATA_DIR says otherwise.
`

const [given] = process.argv.slice(2)
if (given === "--help" || given === "-h" || given === "help") {
  console.log(HELP)
} else if (given === "--version") {
  console.log(JSON.parse(readFileSync(join(root, packaged ? "../package.json" : "package.json"), "utf8")).version)
} else if (given !== undefined && !Object.hasOwn(COMMANDS, given)) {
  console.error(`Unknown command: ${given}\n\n${HELP}`)
  process.exit(2)
} else {
  if (given !== undefined) process.argv.splice(2, 1)
  await COMMANDS[given ?? "start"]?.()
}
