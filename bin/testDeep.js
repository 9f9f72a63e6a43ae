#!/usr/bin/env node
// npm run test:deep: runs what the suite does in short, at length and with a seed that repeats it; or repeats the suite next to busy loops,
// to find tests that a busy machine breaks.
import { randomInt } from "node:crypto"
import { commandLine } from "./parts/commandLine.js"
import { BUSY_LOOPS_PER_CORE, runsBesideLoops } from "./parts/flaky.js"
import { runSuite } from "./parts/suite.js"
import { prepareTools } from "./parts/tools.js"

const DISTURB = "bench/disturb/main.ts"

/** Content of each row: test files that run `times` over, or a program of disturbances with the seed. */
const ROWS = {
  fuzz: [
    "fuzz",
    "filter/evaluator",
    "filter/narrow",
    "automations/property",
    "calculations/differential",
    "calculations/relatedDifferential"
  ],
  kills: ["durable/kill", "actors/mishaps", "webhooks/replayKill", "test/stopping", "kinds"],
  restores: ["epoch/recoveries", "epoch/failover", "durable/restores", "attacks/isolation.keys"],
  disturbances: DISTURB,
  upgrade: DISTURB
}
const names = /** @type {ReadonlyArray<keyof typeof ROWS>} */ (Object.keys(ROWS))

const HELP = `npm run test:deep                      all of it, one after another; it takes hours
npm run test:deep -- NAME ...          of ${names.join(", ")}
npm run test:deep -- --seed N          with the draws of an earlier run, which printed its seed
npm run test:deep -- --times N         how many times as much is drawn, and how often kills and restores are repeated (10)
npm run test:deep -- --flaky N [FILE ...]
                                       the suite, or these files, N times beside ${BUSY_LOOPS_PER_CORE} busy loops for each core;
                                       lists every test that did not pass each time
npm run test:deep -- --help            this text`

const { positionals, refuse, values, wholeNumber } = commandLine(HELP, ["seed", "times", "flaky"], true)
const seed = wholeNumber("seed", values.seed, randomInt(1, 1_000_000))
const times = wholeNumber("times", values.times, 10)

const deep = async () => {
  const selectedNames = names.filter((name) => positionals.length === 0 || positionals.includes(name))
  const unknown = positionals.find((name) => !(name in ROWS))
  if (unknown !== undefined) refuse(`There is no ${unknown}.`)
  console.log(`seed ${seed}, times ${times}; repeat it by: npm run test:deep -- --seed ${seed} --times ${times}`)
  process.env["TEST_SEED"] = `${seed}`
  const tool = await prepareTools()
  /** @type {Array<string>} */
  const failures = []
  for (const name of selectedNames) {
    const what = ROWS[name]
    if (typeof what === "string") {
      const args = [...(name === "upgrade" ? ["upgrade"] : []), "--seed", `${seed}`]
      if ((await tool(what, args)) !== 0) failures.push(`${name}, seed ${seed}`)
      continue
    }
    if (name === "fuzz") process.env["TEST_DEPTH"] = `${times}`
    for (let round = 0; round < (name === "fuzz" ? 1 : times); round++) {
      const outcome = await runSuite(tool, what)
      failures.push(...outcome.failures.map((failure) => `${failure}, seed ${seed}`))
      if (outcome.failed > outcome.failures.length) failures.push(name)
    }
    delete process.env["TEST_DEPTH"]
  }
  return failures
}

const failures =
  values.flaky === undefined
    ? await deep()
    : await runsBesideLoops(await prepareTools(), wholeNumber("flaky", values.flaky, 10), positionals)
for (const failure of failures) console.log(failure)
console.log(failures.length === 0 ? "All of it passed." : `${failures.length} did not pass each time.`)
process.exit(failures.length === 0 ? 0 : 1)
