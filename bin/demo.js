#!/usr/bin/env node
// npm run demo: imports a public data set through the public API of the service that runs here. In the clone the data set is a package of
// development; an installed package fetches it for its first demo.
import { join } from "node:path"
import { commandLine, packaged } from "./parts/environment.js"
import { cachedPackage, pickNode } from "./parts/node.js"
import { DATA_SET } from "./parts/pins.js"
import { isServiceKnown, runTarget } from "./parts/run.js"

const isHelp = process.argv.includes("--help")
if (!isHelp && !isServiceKnown()) {
  console.error(`No service: start one with \`${commandLine("start")}\` in another terminal, then run the demo again.`)
  process.exit(1)
}
try {
  if (packaged) process.env["MOVIES"] = join(await cachedPackage(await pickNode(), DATA_SET), "data", "movies.json")
} catch (error) {
  console.error(/** @type {Error} */ (error).message)
  process.exit(1)
}
await runTarget("demo/main.ts", { development: true, service: true })
