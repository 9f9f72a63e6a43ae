// Checks the machine and its surroundings: settings, disk, memory, Chromium, confinement, mail, and the service's own address.
import { access, constants, stat, statfs } from "node:fs/promises"
import { availableParallelism, freemem, totalmem } from "node:os"
import { Clock, Effect, Option, Redacted } from "effect"
import { ALERT, recentRestarts } from "../../../../bin/parts/restarts.js"
import { AppConfig } from "../../../platform/config/Config.ts"
import { confinement } from "../../../platform/confinement/Confinement.ts"
import { verifyServer } from "../../../platform/mail/smtpTransport.ts"
import { findChromium } from "../../../platform/pdf/browser.ts"
import { check, fine, warning, wrong } from "./Diagnosis.ts"

const GIB = 1_073_741_824
const LITTLE_DISK = 2 * GIB
const NO_DISK = 0.25 * GIB
const LITTLE_MEMORY = 0.3 * GIB
const gib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`
const NODE_MAJORS = [24, 26]

const disk = Effect.gen(function* () {
  const { dataDir } = yield* AppConfig
  const { bavail, bsize } = yield* Effect.tryPromise(() => statfs(dataDir).catch(() => statfs(".")))
  const freeBytes = bavail * bsize
  const summary = `${gib(freeBytes)} free for ${dataDir}`
  if (freeBytes < NO_DISK) return wrong(summary, "Make room: the embedded Postgres and Temporal stop at a full disk.")
  return freeBytes < LITTLE_DISK ? warning(summary, "Make room before it is full.") : fine(summary)
})

const dataDirectory = Effect.gen(function* () {
  const { dataDir } = yield* AppConfig
  const directoryStat = yield* Effect.option(Effect.tryPromise(() => stat(dataDir)))
  if (Option.isNone(directoryStat)) return fine(`${dataDir} is not there: nothing is embedded`)
  const isOpenToOthers = (directoryStat.value.mode & 0o077) !== 0
  return isOpenToOthers
    ? warning(
        `others may enter ${dataDir}`,
        `chmod 700 ${dataDir}: it holds the key and the passwords of the database.`
      )
    : fine(`${dataDir} is its owner's alone`)
})

const partRestarts = Effect.gen(function* () {
  const { dataDir } = yield* AppConfig
  const allRestarts = Object.entries(recentRestarts(dataDir, yield* Clock.currentTimeMillis))
  const lately = allRestarts.filter(([, instants]) => instants.length > 0)
  if (lately.length === 0) return fine("no embedded part within ten minutes")
  const summary = lately.map(([part, instants]) => `${part}: ${instants.length} within ten minutes`).join("; ")
  return lately.some(([, instants]) => instants.length >= ALERT.restarts)
    ? wrong(
        summary,
        `Read the log of the part in ${dataDir}/logs: it does not stay well. Is the disk full, or the machine overloaded?`
      )
    : warning(summary, "npm start has said why.")
})

const memory = Effect.sync(() => {
  const summary = `${gib(freemem())} of ${gib(totalmem())} free, ${availableParallelism()} processors`
  return freemem() < LITTLE_MEMORY
    ? warning(summary, "Give the machine more memory, or move parts elsewhere.")
    : fine(summary)
})

const node = Effect.sync(() =>
  NODE_MAJORS.includes(Number(process.versions.node.split(".")[0]))
    ? fine(`Node ${process.versions.node}`)
    : wrong(`Node ${process.versions.node}`, "Start through npm, which brings Node 24.")
)

const chromium = Effect.gen(function* () {
  const { chromiumPath } = yield* AppConfig
  const { executablePath } = yield* Effect.tryPromise(() => findChromium(chromiumPath))
  yield* Effect.tryPromise(() => access(executablePath, constants.X_OK))
  return fine(executablePath)
})

const confined = Effect.gen(function* () {
  const { scriptConfinement } = yield* AppConfig
  const { told } = yield* confinement(scriptConfinement)
  const lacks = scriptConfinement === "off" || told.includes("; not by: ")
  return lacks
    ? warning(told, 'See "What confines scripts" in docs/operations.md before strangers write automations.')
    : fine(told)
})

const mail = Effect.gen(function* () {
  const { smtpUrl } = yield* AppConfig
  if (Option.isNone(smtpUrl)) return warning("SMTP_URL is not set: mails are kept and not sent", "Set SMTP_URL.")
  yield* verifyServer(smtpUrl.value)
  return fine("the server takes the account")
})

const service = Effect.gen(function* () {
  const { baseUrl, metricsToken } = yield* AppConfig
  const headers: Record<string, string> =
    metricsToken === undefined ? {} : { authorization: `Bearer ${Redacted.value(metricsToken)}` }
  const answer = yield* Effect.tryPromise((signal) => fetch(`${baseUrl}/health/ready`, { headers, signal }))
  const body = yield* Effect.tryPromise(
    () => answer.json() as Promise<{ readonly ready?: boolean; readonly parts?: unknown }>
  )
  if (answer.ok && body.ready === true) return fine(`${baseUrl} is ready`)
  return wrong(
    `${baseUrl} answers ${answer.status}: ${JSON.stringify(body.parts ?? body).slice(0, 300)}`,
    "See its log."
  )
})

export const machineChecks = [
  check("machine", "node", node, ""),
  check("machine", "data directory", dataDirectory, "Set DATA_DIR to a directory that the service may use."),
  check("machine", "disk", disk, "Start the service once with npm start, or set DATA_DIR."),
  check("machine", "restarts", partRestarts, ""),
  check("machine", "memory", memory, ""),
  check("machine", "Chromium", chromium, "Install Chromium or set CHROMIUM_PATH: until then no PDF is printed."),
  check(
    "machine",
    "confinement",
    confined,
    "Install util-linux or bubblewrap (docs/operations.md), or unset SCRIPT_CONFINEMENT=required."
  ),
  check("mail", "server", mail, "Check SMTP_URL, and whether the server may be reached from here."),
  check(
    "service",
    "address",
    service,
    "Start it with npm start; where it runs, check PORT, HOST, BASE_URL and the proxy."
  )
]
