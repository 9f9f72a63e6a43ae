// The values of all settings, checked before anything is made or started (decisions P15), by the readers that the service has for them
// (src/checkSettings.ts).
import { spawn } from "node:child_process"
import { home } from "./environment.js"
import { compileCache } from "./os.js"
import { programOf } from "./programs.js"
import { SettingsInvalid } from "./settings.js"

/**
 * Throws SettingsInvalid.
 * @param {{ node: string, env: Record<string, string>, signal: AbortSignal }} options
 * @returns {Promise<void>}
 */
export const checkSettings = async ({ node, env, signal }) => {
  const child = spawn(node, [await programOf(node, "src/checkSettings.ts")], {
    cwd: home,
    env: { ...compileCache(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
    signal
  })
  let out = ""
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text
  })
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve))
  if (code === 0) return
  if (out === "") throw new Error("The settings could not be checked; the reason is above.")
  throw new SettingsInvalid(JSON.parse(out))
}
