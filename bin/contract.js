#!/usr/bin/env node
// npm run contract [-- -t NAME]: generates clients from the API description by third-party generators, compiles them and runs them against
// the service, and shows what has changed since the last release. --release: keeps the description of this release; --examples: records the
// description's examples.
import { runTarget } from "./parts/run.js"
import { prepareTools } from "./parts/tools.js"

const args = process.argv.slice(2)
const RECORD = "--examples"
if (args.includes("--release")) await runTarget("contract/release.ts", { development: true })
else {
  if (args.includes(RECORD)) process.env["RECORD_EXAMPLES"] = "yes"
  const only = args.includes(RECORD) ? ["contract/examples.test.ts"] : []
  const tool = await prepareTools()
  const vitest = "node_modules/vitest/vitest.mjs"
  process.exitCode = await tool(vitest, [
    "run",
    "--config",
    "contract/vitest.config.ts",
    ...only,
    ...args.filter((arg) => arg !== RECORD)
  ])
}
