// Checks Postgres and Temporal by a process of our own, if the service does not report on them: `cli parts`, which makes the same calls as
// the service.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { root } from "./environment.js"
import { outputOf } from "./programs.js"

/** Time-out (ms), longer than the command's own calls take. */
const PATIENCE = 45_000

/**
 * @param {{ node: string, env: Record<string, string>, signal: AbortSignal }} options
 * @returns {Promise<Record<string, import("./watch.js").Verdict> | undefined>} undefined: nobody knows
 */
export const askParts = async ({ node, env, signal }) => {
  const source = ["src/cli.ts", "src/cli.js"].find((path) => existsSync(join(root, path)))
  if (source === undefined) return undefined
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])
  const { out } = await outputOf(source, ["parts", "--json"], { node, env, signal: patience })
  try {
    /** @type {{ part: string, ok: boolean, detail?: string }[]} */
    const parts = JSON.parse(out)
    return Object.fromEntries(parts.map(({ part, ...verdict }) => [part, verdict]))
  } catch {
    return undefined
  }
}
