// The first run's demo data: made by the operator's command, kept in a file for its owner alone, shown on a terminal only: what goes
// to a file or a pipe may be read by others (issue "authority").
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readState, root, writeState } from "./environment.js"
import { forMachines, warn } from "./lines.js"
import { writeWhole } from "./os.js"
import { programOf } from "./programs.js"

/**
 * @typedef {object} Seed what `cli demo-seed --json` prints
 * @property {boolean} created false when the demo data was there already
 * @property {string} email
 * @property {string} password
 * @property {string} token a personal access token
 * @property {string[]} curl lines that work when pasted
 */

/** Where the demo person's credentials are kept. @param {string} dataDir */
const credentialsFile = (dataDir) => join(dataDir, "demo-credentials.json")

/**
 * Makes the demo data once per data directory.
 * @param {{ node: string, env: Record<string, string>, dataDir: string }} options
 * @returns {Promise<string[]>} lines to show
 */
export const seedDemo = async ({ node, env, dataDir }) => {
  if (env["ROLE"] === "worker" || readState(dataDir).seeded === true || !existsSync(join(root, "src/cli.ts"))) return []
  const cli = await programOf(node, "src/cli.ts")
  const { status, stdout, stderr } = spawnSync(node, [cli, "demo-seed", "--json"], { cwd: root, env, encoding: "utf8" })
  if (status !== 0) {
    warn(`the demo data could not be made: ${stderr.trim() || `status ${status}`}`)
    return []
  }
  /** @type {Seed} */
  const { created, ...seed } = JSON.parse(stdout)
  const file = credentialsFile(dataDir)
  if (created) writeWhole(file, `${JSON.stringify(seed, undefined, 2)}\n`)
  writeState(dataDir, { seeded: true })
  if (!created) return []
  return toShow(seed, file, onTerminal())
}

/**
 * Signs the demo person in from a terminal: a link for one use, made at each start, shown nowhere else.
 * @param {{ node: string, env: Record<string, string> }} options
 * @returns {Promise<string[]>} lines to show
 */
export const demoLink = async ({ node, env }) => {
  if (env["ROLE"] === "worker" || !onTerminal() || !existsSync(join(root, "src/cli.ts"))) return []
  const cli = await programOf(node, "src/cli.ts")
  // Where the demo person is gone, or others reach the service, there is none to show.
  const { status, stdout } = spawnSync(node, [cli, "demo-link", "--json"], { cwd: root, env, encoding: "utf8" })
  return status === 0 ? linkToShow(JSON.parse(stdout)) : []
}

/** @param {{ url: string }} link */
export const linkToShow = ({ url }) => [
  "",
  "  Open this to begin, signed in as the demo person (once, within ten minutes):",
  `    ${url}`
]

const onTerminal = () => process.stdout.isTTY === true && !forMachines()

/**
 * What is said of the demo person: everything on a terminal, elsewhere where it is kept.
 * @param {Omit<Seed, "created">} seed @param {string} file @param {boolean} terminal
 */
export const toShow = (seed, file, terminal) =>
  terminal
    ? [
        "",
        "  Demo person, shown this once:",
        `    Sign-in      ${seed.email}  ${seed.password}`,
        `    Token        ${seed.token}`,
        `    Kept in      ${file}`,
        "  Try:",
        ...seed.curl.map((line) => `    ${line}`)
      ]
    : [`  Demo         sign-in, token and lines to try: ${file} (readable for its owner alone)`]
