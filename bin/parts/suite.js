// A run of Vitest and what it reports: npm test, npm run test:deep.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { root } from "./environment.js"
import { readJson } from "./os.js"

/**
 * @typedef {object} Outcome
 * @property {number} passed tests
 * @property {number} failed tests, or 1 where the run failed without one that did
 * @property {ReadonlyArray<string>} failures the file and full name of each; a file that could not be run is named alone
 */

/**
 * Runs test files, or all of them.
 * @param {import("./tools.js").Tool} tool @param {ReadonlyArray<string>} given arguments for Vitest
 * @returns {Promise<Outcome>}
 */
export const runSuite = async (tool, given) => {
  const work = mkdtempSync(join(tmpdir(), "millrace-report-"))
  const file = join(work, "report.json")
  const reporters = ["default", "test/support/stuck/reporter.ts", "json"].map((name) => `--reporter=${name}`)
  const status = await tool("node_modules/vitest/vitest.mjs", [
    "run",
    ...reporters,
    `--outputFile.json=${file}`,
    ...given
  ])
  const report = readJson(file)
  rmSync(work, { recursive: true, force: true })
  const failed = report?.numFailedTests ?? 0
  return {
    passed: report?.numPassedTests ?? 0,
    failed: status !== 0 && failed === 0 ? 1 : failed,
    failures: (report?.testResults ?? []).flatMap(failuresOf)
  }
}

/** @param {{ name: string, status: string, assertionResults: ReadonlyArray<{ status: string, fullName: string }> }} file */
const failuresOf = ({ assertionResults, name, status }) => {
  const path = relative(root, name)
  const failed = assertionResults.filter((one) => one.status === "failed")
  if (failed.length === 0 && status === "failed") return [path]
  return failed.map(({ fullName }) => `${path} > ${fullName}`)
}
