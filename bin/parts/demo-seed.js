// Makes the first run's demo data: the operator's command creates it, a file keeps the credentials for its owner alone, and only a terminal
// shows them. Output to a file or a pipe may be read by others (issue "authority").
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readState, root } from "./environment.js"
import { forMachines } from "./lines.js"
import { readJson, writeWhole } from "./os.js"
import { outputOf } from "./programs.js"

/**
 * @typedef {object} Seed what `cli demo-seed --json` prints
 * @property {boolean} created false when the demo data was there already
 * @property {string} email
 * @property {string} password
 * @property {string} token a personal access token
 * @property {string[]} curl lines that work when pasted
 */

/**
 * @typedef {object} Made
 * @property {string[]} lines to show
 * @property {true} [there] there is demo data now, or never will be: nobody has to look again
 * @property {string} [fault] why none could be made
 */

/** File that keeps the demo person's credentials. @param {string} dataDir */
const credentialsFile = (dataDir) => join(dataDir, "demo-credentials.json")

/**
 * Runs a command of the operator to its end.
 * @param {string} node @param {string} name @param {Record<string, string>} env
 * @returns {Promise<{ said: any, fault?: string }>} what it has said, or why it failed
 */
const operate = async (node, name, env) => {
  const { err, out, status } = await outputOf("src/cli.ts", [name, "--json"], { node, env })
  return status === 0 ? { said: JSON.parse(out) } : { said: undefined, fault: err.trim() || `status ${status}` }
}

/**
 * Makes the demo data once per data directory. If the start that made it fails, the next successful one shows it.
 * @param {{ node: string, env: Record<string, string>, dataDir: string }} options
 * @returns {Promise<Made>}
 */
const seed = async ({ node, env, dataDir }) => {
  if (env["ROLE"] === "worker" || readState(dataDir).seeded === true || !existsSync(join(root, "src/cli.ts")))
    return { lines: [] }
  try {
    const { fault, said } = await operate(node, "demo-seed", env)
    if (fault !== undefined) throw new Error(fault)
    /** @type {Seed} */
    const { created, ...credentials } = said
    const file = credentialsFile(dataDir)
    if (created) writeWhole(file, `${JSON.stringify(credentials, undefined, 2)}\n`)
    const kept = readJson(file)
    return { lines: kept === undefined ? [] : toShow(kept, file, onTerminal()), there: true }
  } catch (error) {
    return { lines: [], fault: `the demo data could not be made: ${/** @type {Error} */ (error).message}` }
  }
}

/**
 * Signs the demo person in: a link for one use, made at each start, kept with the credentials and shown on a terminal alone.
 * @param {{ node: string, env: Record<string, string>, dataDir: string }} options
 * @returns {Promise<string[]>} lines to show
 */
const link = async ({ node, env, dataDir }) => {
  const file = credentialsFile(dataDir)
  const kept = readJson(file)
  // Makes no link where nobody would see it.
  if (env["ROLE"] === "worker" || !existsSync(join(root, "src/cli.ts")) || (kept === undefined && !onTerminal()))
    return []
  // Shows no link if the demo person is gone, or others reach the service.
  const { said } = await operate(node, "demo-link", env)
  if (kept !== undefined) writeWhole(file, `${JSON.stringify({ ...kept, sign_in_link: said?.url }, undefined, 2)}\n`)
  return said === undefined || !onTerminal() ? [] : linkToShow(said)
}

/**
 * Makes the demo data and the link while the service starts: they need the database alone.
 * @param {{ node: string, env: Record<string, string>, dataDir: string }} options
 * @returns {Promise<Made>} never fails
 */
export const makeDemo = async (options) => {
  const seeded = await seed(options)
  return { ...seeded, lines: [...seeded.lines, ...(await link(options).catch(() => []))] }
}

/** @param {{ url: string }} link */
export const linkToShow = ({ url }) => [
  "",
  "  Open this to begin, signed in as the demo person (once, within ten minutes):",
  `    ${url}`
]

const onTerminal = () => process.stdout.isTTY === true && !forMachines()

/**
 * Lines about the demo person: everything on a terminal; otherwise the file that keeps it.
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
