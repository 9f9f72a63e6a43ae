#!/usr/bin/env node
// npm test: type check, lint, then the suite. npm test -- FILE: those tests alone. The last line is `N passed,
// N failed`.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readJson } from "./parts/os.js"
import { CHECKS, prepareTools, runChecks } from "./parts/tools.js"

const HELP = `npm test                        type check, lint, then the whole suite
npm test -- FILE ...            these test files alone, without the checks; a part of a path will do
npm test -- FILE -t "a name"    of these, the tests whose names match
npm test -- --changed           the test files that what you have not committed touches
npm test -- --help              this text

Every other argument goes to vitest (npx vitest --help). The checks alone: npm run check, npm run lint.`

const given = process.argv.slice(2)
if (given.includes("--help") || given.includes("-h")) {
  console.log(HELP)
  process.exit(0)
}

const tool = await prepareTools()
let failed = given.length === 0 ? await runChecks(tool, CHECKS.test) : 0
if (failed > 0) console.log("The checks above failed; the tests run all the same.")

const work = mkdtempSync(join(tmpdir(), "millrace-report-"))
const report = join(work, "report.json")
const reporters = ["default", "test/support/stuck/reporter.ts", "json"].map((name) => `--reporter=${name}`)
const status = await tool("node_modules/vitest/vitest.mjs", [
  "run",
  ...reporters,
  `--outputFile.json=${report}`,
  ...given
])
const result = readJson(report)
rmSync(work, { recursive: true, force: true })
failed += result?.numFailedTests ?? 0
if (status !== 0 && failed === 0) failed = 1
console.log(`${result?.numPassedTests ?? 0} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
