#!/usr/bin/env node
// npm start: plain JavaScript without dependencies, because it runs before anything is installed, on Node 20 or later.
import { commandLine, home } from "./parts/environment.js"
import { AlreadyRunning, Launcher } from "./parts/launch.js"
import { fail, say } from "./parts/lines.js"

const HELP = `Usage: ${commandLine("start")}

Starts Millrace: installs what is missing, then runs Postgres, Temporal and the service until Ctrl-C or SIGTERM.

DATABASE_URL      uses a Postgres of your own instead of the embedded one
TEMPORAL_ADDRESS  uses a Temporal of your own instead of the embedded one
DATA_DIR          where everything is kept; one service per directory
PORT, HOST        where the service listens (8080, 127.0.0.1)

All variables are described in .env.example. They are taken from the environment, then from a file .env in
${home}.
`

/** Time (ms) within which a second signal is the same key press, which npm passes on as well. */
const SAME_PRESS = 1000

const args = process.argv.slice(2)
if (args.length > 0) {
  const help = args.every((arg) => arg === "--help" || arg === "-h")
  ;(help ? console.log : console.error)(help ? HELP : `Unknown argument: ${args.join(" ")}\n\n${HELP}`)
  process.exit(help ? 0 : 2)
}

/** @type {Launcher} */
let launcher
try {
  launcher = new Launcher()
} catch (error) {
  fail(/** @type {Error} */ (error).message)
  process.exit(1)
}

/** @type {number | undefined} */
let firstSignal
/** @param {string} why @param {number} code */
const end = (why, code) => {
  const nowMillis = performance.now()
  if (firstSignal !== undefined) {
    if (nowMillis - firstSignal > SAME_PRESS) say("stopping already: at most 10 seconds")
    return
  }
  firstSignal = nowMillis
  say(`${why}: stopping`)
  launcher.stop().then(
    () => {
      say("stopped")
      process.exit(code)
    },
    (error) => {
      fail(error.message)
      process.exit(1)
    }
  )
}
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => end(signal, 0))

// Under npm a shell may stand between npm and us that dies of SIGTERM without passing it on.
if (process.env["npm_lifecycle_event"] !== undefined) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && firstSignal === undefined && end("npm has ended", 0), 500).unref()
}

try {
  await launcher.start()
} catch (error) {
  if (firstSignal === undefined) {
    fail(/** @type {Error} */ (error).message)
    if (!(error instanceof AlreadyRunning)) await launcher.stop()
    process.exit(1)
  }
}
