#!/usr/bin/env node
// npm test: type check, lint, then the suite. npm test -- FILE: those tests alone. The last line is `N passed,
// N failed`.
import { runSuite } from "./parts/suite.js"
import { CHECKS, prepareTools, runChecks } from "./parts/tools.js"

const HELP = `npm test                        type check, lint, then the whole suite
npm test -- FILE ...            these test files alone, without the checks; a part of a path will do
npm test -- FILE -t "a name"    of these, the tests whose names match
npm test -- --changed           the test files that what you have not committed touches
npm test -- --help              this text

Every other argument goes to vitest (npx vitest --help). The checks alone: npm run check, npm run lint.
At length, with other seeds, or beside a busy machine: npm run test:deep -- --help.`

const cliArgs = process.argv.slice(2)
if (cliArgs.includes("--help") || cliArgs.includes("-h")) {
  console.log(HELP)
  process.exit(0)
}

const tool = await prepareTools()
const checks = cliArgs.length === 0 ? await runChecks(tool, CHECKS.test) : 0
if (checks > 0) console.log("The checks above failed; the tests run all the same.")
const { failed, passed } = await runSuite(tool, cliArgs)
console.log(`${passed} passed, ${checks + failed} failed`)
process.exit(checks + failed === 0 ? 0 : 1)
