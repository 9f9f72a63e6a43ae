#!/usr/bin/env node
// npm run simulate: plays as many simulated schedules as wanted, from a seed on (docs/engine.md, "Simulated schedules"), or one again, step by step.
import { randomInt } from "node:crypto"
import { commandLine } from "./parts/commandLine.js"
import { runSuite } from "./parts/suite.js"
import { prepareTools } from "./parts/tools.js"

const FILE = "test/simulation/schedules.test.ts"
/** Schedules of one process: what the processes of former schedules have held is freed with it. */
const AT_ONCE = 500

const KINDS = ["webhooks", "automations"]

const HELP = `npm run simulate                             200 simulated schedules of each kind, with a seed that it prints
npm run simulate -- --schedules N            so many of them
npm run simulate -- --kind automations       of automations alone, or of webhooks; else of both, so many of each
npm run simulate -- --seed S                 from this seed on: each schedule has the seed after that of the one before
npm run simulate -- --schedules 1 --seed S   one schedule again, with each of its steps
npm run simulate -- --help                   this text`

const { refuse, values, wholeNumber } = commandLine(HELP, ["kind", "schedules", "seed"])
const schedules = wholeNumber("schedules", values.schedules, 200)
const seed = wholeNumber("seed", values.seed, randomInt(1, 1_000_000))

const { kind } = values
if (kind !== undefined) {
  if (!KINDS.includes(kind)) refuse(`--kind is ${KINDS.join(" or ")}, not ${kind}.`)
  process.env["SIMULATED_KIND"] = kind
}

const tool = await prepareTools()
let failed = 0
for (let played = 0; played < schedules; played += AT_ONCE) {
  const count = Math.min(AT_ONCE, schedules - played)
  console.log(
    `schedules ${played + 1} to ${played + count} of ${schedules}, seeds ${seed + played} to ${seed + played + count - 1}`
  )
  process.env["SIMULATED_SEED"] = `${seed + played}`
  process.env["SIMULATED_SCHEDULES"] = `${count}`
  failed += (await runSuite(tool, [FILE, "-t", "hold"])).failed
}
console.log(failed === 0 ? "All of them hold." : "Some do not hold: their seeds are named above.")
process.exit(failed === 0 ? 0 : 1)
