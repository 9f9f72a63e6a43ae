// Runs a build script of this folder in a process of its own, which alone loads the bundler.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { root } from "./environment.js"
import { compileCache } from "./os.js"

/**
 * Runs the script; fails with the last that it has written.
 * @param {string} node
 * @param {string} script from the root of the clone
 * @param {string} draft what it makes, a path
 * @param {Record<string, string>} [env]
 * @returns {Promise<void>}
 */
export const runBuilder = (node, script, draft, env = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(node, [join(root, script), draft], {
      cwd: root,
      env: { ...process.env, ...compileCache(), ...env },
      stdio: ["ignore", "ignore", "pipe"]
    })
    let stderrText = ""
    child.stderr.on("data", (chunk) => {
      stderrText = `${stderrText}${chunk}`.slice(-2000)
    })
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(stderrText.trim() || `status ${code}`))))
  })
