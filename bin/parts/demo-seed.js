// The first run's demo data: made by the operator's command, shown once.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readState, root, say, writeState } from "./environment.js"

/**
 * @typedef {object} Seed what `cli demo-seed --json` prints
 * @property {boolean} created false when the demo data was there already
 * @property {string} email
 * @property {string} password
 * @property {string} token a personal access token
 * @property {string[]} curl lines that work when pasted
 */

/**
 * Makes the demo data once per data directory, unless DEMO=off or in production.
 * @param {{ node: string, env: Record<string, string>, dataDir: string }} options
 * @returns {string[]} lines to show
 */
export const seedDemo = ({ node, env, dataDir }) => {
  const cli = join(root, "src", "cli", "main.ts")
  const unwanted = env["DEMO"]?.toLowerCase() === "off" || env["NODE_ENV"] === "production" || env["ROLE"] === "worker"
  if (unwanted || readState(dataDir).seeded === true || !existsSync(cli)) return []
  const { status, stdout, stderr } = spawnSync(node, [cli, "demo-seed", "--json"], { cwd: root, env, encoding: "utf8" })
  if (status !== 0) {
    say(`the demo data could not be made: ${stderr.trim() || stdout.trim()}`)
    return []
  }
  writeState(dataDir, { seeded: true })
  /** @type {Seed} */
  const seed = JSON.parse(stdout)
  if (!seed.created) return []
  return [
    "",
    "  Demo person, shown this once:",
    `    Sign-in      ${seed.email}  ${seed.password}`,
    `    Token        ${seed.token}`,
    "  Try:",
    ...seed.curl.map((line) => `    ${line}`)
  ]
}
