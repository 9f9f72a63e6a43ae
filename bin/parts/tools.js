// Runs the development tools with Node 24 and the clone's packages, whatever Node began the command: `npm test`, `npm run check`, `npm run
// lint` and `npm run format` use them.
import { join } from "node:path"
import { root } from "./environment.js"
import { installPackages, pathWith, pickNode } from "./node.js"
import { compileCache } from "./os.js"
import { run } from "./run.js"

/** Variables of ours that would make the tests work on the caller's own database, server or rules. */
const OURS =
  /^(DATABASE_|TEMPORAL_|OTEL_|OAUTH_|WEBHOOK_|RATE_|RUNS?_|DATA_DIR$|PORT$|HOST$|BASE_URL$|MCP_URL$|SECRET_KEY$|TRUSTED_PROXIES$|SMTP_URL$|OUTBOUND_ALLOW$|LOG_|ROLE$|DEMO$|NODE_ENV$|npm_config_)/

/** @typedef {(file: string, args: ReadonlyArray<string>) => Promise<number>} Tool runs a program of the clone; its exit status */

/** Tools run with the variables of the moment. @returns {Promise<Tool>} */
export const prepareTools = async () => {
  const node = await pickNode()
  await installPackages(node, { development: true })
  return (file, args) => {
    const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name))
    const env = { ...compileCache(), ...Object.fromEntries(inherited), PATH: pathWith(node) }
    return run(node, [join(root, file), ...args], env)
  }
}

const TYPES = /** @type {const} */ (["Type check", "node_modules/typescript/bin/tsc", ["--noEmit"]])
const CONSOLE_TYPES = /** @type {const} */ ([
  "Type check of the console",
  "node_modules/typescript/bin/tsc",
  ["--noEmit", "--project", "console"]
])
const STYLE = /** @type {const} */ ([
  "Lint and format check",
  "node_modules/@biomejs/biome/bin/biome",
  ["check", "--diagnostic-level=error", "."]
])
const UNUSED = /** @type {const} */ (["Unused files, exports and packages", "node_modules/knip/bin/knip.js", []])
const PATTERNS = /** @type {const} */ (["Patterns", "bin/patterns.js", []])

/** Terms of documents and of the console's texts (.textlintrc.json). Conformance quotes the titles of tests, CHANGELOG what was said at its time. */
const PROSE = /** @type {const} */ ([
  "Terms of the documents and of the console",
  "node_modules/textlint/bin/textlint.js",
  [
    "*.md",
    "{clients,demo,deploy,src}/**/*.md",
    "docs/*.md",
    "docs/{architecture,recipes,runbooks}/*.md",
    "console/src/texts/**/*.ts"
  ]
])

/** Checks of each command. The suite judges the patterns itself. */
export const CHECKS = {
  check: [TYPES, CONSOLE_TYPES],
  lint: [STYLE, UNUSED, PATTERNS, PROSE],
  test: [TYPES, CONSOLE_TYPES, STYLE, UNUSED, PROSE]
}

/**
 * Runs all checks, also after one that fails.
 * @param {Tool} tool @param {typeof CHECKS[keyof typeof CHECKS]} checks
 * @returns {Promise<number>} how many failed
 */
export const runChecks = async (tool, checks) => {
  let failed = 0
  for (const [title, file, args] of checks) {
    console.log(title)
    if ((await tool(file, args)) !== 0) failed++
  }
  return failed
}
