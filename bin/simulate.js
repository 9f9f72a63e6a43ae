#!/usr/bin/env node
// npm run simulate: plays as many simulated schedules as wanted, from a seed on (docs/engine.md, "Simulated schedules"), or one again, step by step.
import { randomInt } from "node:crypto"
import { parseArgs } from "node:util"
import { runSuite } from "./parts/suite.js"
import { prepareTools } from "./parts/tools.js"

const FILE = "test/simulation/schedules.test.ts"
/** Schedules of one process: what the processes of former schedules have held is freed with it. */
const AT_ONCE = 500

const HELP = `npm run simulate                             200 simulated schedules, with a seed that it prints
npm run simulate -- --schedules N            so many of them
npm run simulate -- --seed S                 from this seed on: each schedule has the seed after that of the one before
npm run simulate -- --schedules 1 --seed S   one schedule again, with each of its steps
npm run simulate -- --help                   this text`

/** @param {string} message @returns {never} */
const refuse = (message) => {
  console.error(`${message}\n\n${HELP}`)
  process.exit(2)
}

/** @param {string} name @param {string | undefined} given @param {number} otherwise */
const wholeNumber = (name, given, otherwise) => {
  if (given === undefined) return otherwise
  if (!/^[1-9]\d{0,8}$/.test(given)) refuse(`--${name} takes a whole number from 1, not ${given}.`)
  return Number(given)
}

const options = /** @type {const} */ ({
  schedules: { type: "string" },
  seed: { type: "string" },
  help: { type: "boolean", short: "h" }
})
const read = () => {
  try {
    return parseArgs({ options })
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message)
  }
}
const { values } = read()
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const schedules = wholeNumber("schedules", values.schedules, 200)
const seed = wholeNumber("seed", values.seed, randomInt(1, 1_000_000))

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
