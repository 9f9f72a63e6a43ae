// Checks the values of all settings before anything is made or started (decisions P15), by the service's own readers
// (src/checkSettings.ts).
import { outputOf } from "./programs.js"
import { SettingsInvalid } from "./settings.js"

/**
 * Runs the check. Throws SettingsInvalid.
 * @param {{ node: string, env: Record<string, string>, signal: AbortSignal }} options
 * @returns {Promise<void>}
 */
export const checkSettings = async (options) => {
  const { err, out, status } = await outputOf("src/checkSettings.ts", [], options)
  if (status === 0) return
  if (out === "") throw new Error(`The settings could not be checked: ${err.trim() || `status ${status}`}`)
  throw new SettingsInvalid(JSON.parse(out))
}
