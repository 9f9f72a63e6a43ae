#!/usr/bin/env node
// npm test [-- FILTER]: type check, lint and format check, then the suite; the last line is `N passed, N failed`.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "./parts/environment.js"
import { installPackages, pathWith, pickNode } from "./parts/node.js"
import { compileCache, readJson } from "./parts/os.js"
import { run } from "./parts/run.js"

/** Variables of ours that would make the tests work on the caller's own database, server or rules. */
const OURS =
  /^(DATABASE_|TEMPORAL_|OTEL_|OAUTH_|WEBHOOK_|RATE_|RUNS?_|DATA_DIR$|PORT$|HOST$|BASE_URL$|MCP_URL$|SECRET_KEY$|TRUSTED_PROXIES$|SMTP_URL$|OUTBOUND_ALLOW$|LOG_|ROLE$|DEMO$|NODE_ENV$|npm_config_)/

const node = await pickNode()
await installPackages(node, { development: true })
const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name))
const env = { ...compileCache(), ...Object.fromEntries(inherited), PATH: pathWith(node) }
const tool = (/** @type {string} */ file, /** @type {string[]} */ args) =>
  run(node, [join(root, "node_modules", file), ...args], env)

let failed = 0
let passed = 0
console.log("Type check")
if ((await tool("typescript/bin/tsc", ["--noEmit"])) !== 0) failed++
console.log("Lint and format check")
if ((await tool("@biomejs/biome/bin/biome", ["check", "--diagnostic-level=error", "."])) !== 0) failed++
if (failed > 0) console.log("The checks above failed; the tests run all the same.")

const work = mkdtempSync(join(tmpdir(), "millrace-report-"))
const report = join(work, "report.json")
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
const status = await tool("vitest/vitest.mjs", ["run", ...reporters, ...process.argv.slice(2)])
const result = readJson(report)
rmSync(work, { recursive: true, force: true })
passed += result?.numPassedTests ?? 0
failed += result?.numFailedTests ?? 0
if (status !== 0 && failed === 0) failed = 1
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
