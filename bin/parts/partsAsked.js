// How Postgres and Temporal are, asked by a process of our own where the service does not say: `cli parts`, the same calls as in the service.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { home, root } from "./environment.js"
import { compileCache } from "./os.js"
import { programOf } from "./programs.js"

/** Longer (ms) than its own calls take. */
const PATIENCE = 45_000

/**
 * @param {{ node: string, env: Record<string, string>, signal: AbortSignal }} options
 * @returns {Promise<Record<string, import("./watch.js").Verdict> | undefined>} undefined: nobody knows
 */
export const askParts = async ({ node, env, signal }) => {
  const source = ["src/cli.ts", "src/cli.js"].find((path) => existsSync(join(root, path)))
  if (source === undefined) return undefined
  const child = spawn(node, [await programOf(node, source), "parts", "--json"], {
    cwd: home,
    env: { ...compileCache(), ...env },
    stdio: ["ignore", "pipe", "ignore"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])
  })
  let out = ""
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text
  })
  await new Promise((resolve) => child.once("error", resolve).once("close", resolve))
  try {
    /** @type {{ part: string, ok: boolean, detail?: string }[]} */
    const parts = JSON.parse(out)
    return Object.fromEntries(parts.map(({ part, ...verdict }) => [part, verdict]))
  } catch {
    return undefined
  }
}
