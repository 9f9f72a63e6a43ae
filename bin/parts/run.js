// Shares the parts of thin commands: Node 24, the packages, and the addresses of the service that runs here.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { dataDirOf, environmentWithSources, home, readEnvironment, root, runningState } from "./environment.js"
import { installPackages, pathWith, pickNode } from "./node.js"
import { compileCache } from "./os.js"
import { programOf } from "./programs.js"

/**
 * Runs a program to its end with our terminal, passing signals on.
 * @param {string} program @param {string[]} args @param {Record<string, string | undefined>} env
 * @returns {Promise<number>} its exit status
 */
export const run = (program, args, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: home, env, stdio: "inherit" })
    const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
    const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])
    for (const signal of signals) process.on(signal, pass)
    child.once("error", reject)
    child.once("close", (code) => {
      for (const signal of signals) process.off(signal, pass)
      resolve(code ?? 1)
    })
  })

/**
 * Environment of a command that works on the service which runs here: variables that are set win, then the running service's addresses and
 * key.
 * @returns {Record<string, string>}
 */
const environmentOfService = () => {
  const env = readEnvironment()
  const dataDir = dataDirOf(env)
  const state = runningState(dataDir)
  const serviceSettings = state === undefined ? {} : { ...state.env, BASE_URL: state.baseUrl ?? "" }
  return { ...environmentWithSources(serviceSettings), DATA_DIR: dataDir }
}

/** True if a service runs here or DATABASE_URL is set; wrong settings end this process. */
export const isServiceKnown = () => {
  try {
    return environmentOfService()["DATABASE_URL"] !== undefined
  } catch (error) {
    console.error(/** @type {Error} */ (error).message)
    process.exit(1)
  }
}

/**
 * Runs a TypeScript file of the clone with Node 24 and ends this process with its status.
 * @param {string} target @param {{ development?: boolean, service?: boolean, packages?: string }} [options] packages: a
 * directory with packages of its own that the target needs
 */
export const runTarget = async (target, { development = false, service = false, packages } = {}) => {
  try {
    if (!existsSync(join(root, target))) throw new Error(`${target} is missing.`)
    const node = await pickNode()
    await installPackages(node, { development })
    if (packages !== undefined) await installPackages(node, { dir: join(root, packages) })
    const env = service ? environmentOfService() : readEnvironment()
    process.exitCode = await run(node, [await programOf(node, target), ...process.argv.slice(2)], {
      ...compileCache(),
      ...env,
      PATH: pathWith(node)
    })
  } catch (error) {
    console.error(/** @type {Error} */ (error).message)
    process.exitCode = 1
  }
}
