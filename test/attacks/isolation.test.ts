// Issue section "Isolation": after an escape from the engine nothing is left to take, and what such a process sends ends the process,
// not the service (decisions P9; developer-api.md 8.4).
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { createServer } from "node:net"
import { homedir } from "node:os"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { freePort } from "../../bin/parts/os.js"
import { confinement } from "../../src/platform/confinement/Confinement.ts"
import { startCommands } from "../../src/platform/confinement/startCommands.ts"
import { isRoot, which } from "../../src/platform/confinement/systemPrograms.ts"
import { openBrowser } from "../../src/platform/pdf/browser.ts"
import type { ScriptCall } from "../../src/platform/sandbox/protocol.ts"
import { freshDatabaseUrl } from "../support/database.ts"
import { plainEnvironment } from "../support/environment.ts"
import { eventually } from "../support/eventually.ts"
import { startService } from "../support/processes.ts"
import { program } from "../support/programs.ts"
import { hostile, run } from "./hostileRunner.ts"

const DEADLINE = 60_000
const ownFile = fileURLToPath(import.meta.url)

interface Running {
  readonly command: string
  readonly user: number
  readonly network: string
}

/** What runs below a process. */
const processes = (root: number): ReadonlyArray<Running> => {
  const runningProcesses = readdirSync("/proc").flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return []
      const status = readFileSync(`/proc/${pid}/status`, "utf8")
      const number = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1])
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ")
      const network = readlinkSync(`/proc/${pid}/ns/net`)
      return [{ pid: Number(pid), parent: number("PPid"), user: number("Uid"), command, network }]
    } catch {
      return []
    }
  })
  const below = (pid: number): typeof runningProcesses =>
    runningProcesses.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)])
  return below(root)
}

const listener = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<ReturnType<typeof createServer>>((resolve) => {
        const server = createServer((socket) => socket.destroy())
        server.listen(0, "127.0.0.1", () => resolve(server))
      })
  ),
  (server) => Effect.sync(() => server.close())
)

/** Tries all that the review tried, and says what came of it: `no` and the reason, or `yes`. */
const attempts = (asked: object) => `
const asked = ${JSON.stringify(asked)}
const fs = require("node:fs"), net = require("node:net"), child = require("node:child_process")
const tried = (f) => { try { f(); return "yes" } catch (error) { return "no: " + (error.code ?? error.message) } }
const dials = (options) => new Promise((resolve) => {
  const socket = net.connect(options)
  socket.on("connect", () => resolve("yes")).on("error", (error) => resolve("no: " + error.code))
})
const onMessage = async () => answer({
  loopback: await dials({ port: asked.port, host: "127.0.0.1" }),
  loopback6: await dials({ port: asked.port, host: "::1" }),
  elsewhere: await dials({ port: 53, host: "192.0.2.1" }),
  signalsTheService: tried(() => process.kill(asked.pid, 0)),
  signalsItsParent: tried(() => process.kill(process.ppid || asked.pid, 0)),
  readsThePasswords: tried(() => fs.readFileSync("/etc/passwd")),
  readsTheProgram: tried(() => fs.readFileSync(asked.own)),
  readsTheClone: tried(() => fs.readFileSync(asked.folder + "/package.json")),
  // The way to Node may lead through it: nothing else is there.
  readsTheHome: tried(() => { if (fs.readdirSync(asked.home.path).length < asked.home.entries) throw new Error("not as it is") }),
  loadsALibrary: tried(() => process.dlopen({ exports: {} }, asked.addon)),
  startsAShell: tried(() => { const { error } = child.spawnSync("/bin/sh", ["-c", "true"]); if (error) throw error }),
  becomesRoot: tried(() => process.setuid(0) || process.setgid(0) || fs.readdirSync("/root")),
  writesItsRoot: tried(() => fs.writeFileSync("/written", "x")),
  writesTemporary: tried(() => fs.writeFileSync("/tmp/written-" + asked.pid, "x")),
  writesItsModule: tried(() => fs.writeFileSync(process.argv[2] + "/written", "x")),
  changesItsModule: tried(() => fs.chmodSync(process.argv[2] + "/package.json", 0o777)),
  seesProcesses: tried(() => {
    const others = fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name))
    const told = others.map((pid) => { try { return fs.readFileSync("/proc/" + pid + "/cmdline", "latin1") } catch { return "" } })
    if (others.includes(String(asked.pid)) && told.some((line) => line.includes("vitest"))) return
    throw new Error("none of the service")
  }),
  readsEnvironment: tried(() => fs.readFileSync("/proc/" + process.ppid + "/environ")),
  rights: /^CapEff:\\s*(\\S+)/m.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1],
  user: process.getuid()
})
`

describe("Isolation 1: behind a hostile runner (P9)", () => {
  it.effect("what was probed holds: no network, no signals, no files, no libraries, no programs, no rights", () =>
    Effect.gen(function* () {
      const server = yield* listener
      const { layers, told } = yield* confinement("auto")
      const target = {
        port: (server.address() as { port: number }).port,
        pid: process.pid,
        own: ownFile,
        folder: process.cwd(),
        home: { path: homedir(), entries: readdirSync(homedir()).length },
        addon: fileURLToPath(new URL("../../node_modules/@temporalio/core-bridge/index.js", import.meta.url))
      }
      const worker = yield* hostile(attempts(target))
      const answer = yield* worker.request(run({ wallMillis: DEADLINE }), DEADLINE, () => {})
      const [outcome] = answer.outcomes
      if (outcome?.kind !== "result") return assert.fail(JSON.stringify(outcome))
      const { rights, user, ...saw } = JSON.parse(outcome.text).value as Record<string, string>
      const assertRefused = (...names: ReadonlyArray<string>) => {
        for (const name of names) assert.match(saw[name]!, /^no: /, `${name} (${told})`)
      }
      if (layers.noNetwork) assertRefused("loopback", "loopback6", "elsewhere")
      if (layers.noProcesses) assertRefused("signalsTheService", "seesProcesses")
      if (layers.minimalRoot)
        assertRefused(
          ...["readsThePasswords", "readsTheProgram", "readsTheClone", "readsTheHome", "loadsALibrary", "startsAShell"],
          ...["writesItsRoot", "writesTemporary", "writesItsModule", "changesItsModule", "readsEnvironment"]
        )
      if (layers.ownUser) {
        assertRefused("signalsItsParent", "becomesRoot")
        assert.notStrictEqual(Number(user), 0)
      }
      if (layers.noPrivileges) assert.match(rights!, /^0+$/)
    }).pipe(Effect.scoped)
  )

  it.effect("root and util-linux, or bubblewrap, give every layer", () =>
    Effect.gen(function* () {
      const { layers, told } = yield* confinement("auto")
      if (!isRoot || which("unshare") === undefined) return
      const { namespaces, ...rest } = layers
      assert.deepStrictEqual([...new Set(Object.values(rest))], [true], told)
      assert.includeMembers([...namespaces], ["net", "pid", "ipc", "uts", "mnt"])
    })
  )

  it.live("a process that forks ends with all its children, and comes to no more than its limit", () =>
    Effect.gen(function* () {
      const { layers } = yield* confinement("auto")
      if (!layers.limits) return
      const mark = `mark-${process.pid}-${Date.now()}`
      const body = `
        const onMessage = async () => {
          const started = []
          for (let i = 0; i < 16; i++) {
            const one = require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)", "${mark}"], { detached: true, stdio: "pipe" })
            started.push(new Promise((resolve) => { one.on("spawn", () => setTimeout(() => resolve(one.exitCode === null && one.signalCode === null), 3000)); one.on("error", () => resolve(false)) }))
          }
          answer((await Promise.all(started)).filter((lives) => lives).length)
        }`
      const alive = () =>
        readdirSync("/proc").filter((pid) => {
          try {
            return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(mark)
          } catch {
            return false
          }
        })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const worker = yield* hostile(body)
          const answer = yield* worker.request(run({ wallMillis: DEADLINE }), DEADLINE, () => {})
          const [outcome] = answer.outcomes
          if (outcome?.kind === "result") assert.isBelow(JSON.parse(outcome.text).value, 16)
        })
      )
      if (!layers.noProcesses) return
      yield* eventually("no child is left", Effect.sync(alive), (pids) => pids.length === 0)
    })
  )

  it.effect("every way that works here runs scripts", () =>
    Effect.gen(function* () {
      const confined = yield* confinement("auto")
      for (const way of startCommands()) {
        const worker = yield* Effect.result(hostile("const onMessage = () => answer(1)", { ...confined, way }))
        if (worker._tag === "Failure") continue
        const wayAnswer = yield* worker.success.request(run(), DEADLINE, () => {})
        assert.strictEqual(wayAnswer.outcomes.length, 1, way.name)
      }
    }).pipe(Effect.scoped)
  )
})

/** What comes instead of an answer. */
const wrong: ReadonlyArray<readonly [name: string, does: string]> = [
  ["null", "send(null)"],
  ["a number", "send(5)"],
  ["a list", "send([])"],
  ["no type", "send({})"],
  ["an unknown type", "send({ type: 'constructor' })"],
  ["ready again", "send({ type: 'ready' })"],
  [
    "an answer of wrong members",
    "send({ type: 'done', outcomes: 5, logs: {}, cpuMillis: 'x', wallMillis: 1, ended: 1 })"
  ],
  [
    "an outcome of an unknown kind",
    "send({ type: 'done', outcomes: [{ kind: '__proto__' }], logs: [], cpuMillis: 1, wallMillis: 1, ended: false })"
  ],
  [
    "more members than there are",
    "send({ type: 'done', outcomes: [], logs: [], cpuMillis: 1, wallMillis: 1, ended: false, more: 1 })"
  ],
  [
    "endless logs",
    "send({ type: 'done', outcomes: [], logs: Array(20000).fill({ level: 'log', message: '' }), cpuMillis: 1, wallMillis: 1, ended: false })"
  ],
  ["a call of an unknown kind", "send({ type: 'call', call: 0, kind: 'file', position: 0, payload: '' })"],
  ["a call beyond its numbers", "send({ type: 'call', call: 1e9, kind: 'api', position: 0, payload: '' })"],
  ["a call at a negative place", "send({ type: 'call', call: 0, kind: 'api', position: -1, payload: '' })"],
  ["a call at a fraction", "send({ type: 'call', call: 0, kind: 'api', position: 0.5, payload: '' })"],
  [
    "a payload that is too long",
    "send({ type: 'call', call: 0, kind: 'api', position: 0, payload: 'x'.repeat(1025) })"
  ],
  [
    "the same place twice",
    "for (const call of [0, 1]) send({ type: 'call', call, kind: 'api', position: 0, payload: '' })"
  ],
  [
    "more calls than may be",
    "for (let i = 0; i < 6; i++) send({ type: 'call', call: i, kind: 'api', position: i, payload: '' })"
  ],
  [
    "a flood of calls",
    "for (let i = 0; i < 1e5; i++) send({ type: 'call', call: i % 10, kind: 'http', position: i % 5, payload: '' })"
  ],
  ["no JSON", "framed(Buffer.from('{'))"],
  ["an empty message", "framed(Buffer.alloc(0))"],
  ["deep lists", "framed(Buffer.from('['.repeat(1e5) + ']'.repeat(1e5)))"],
  ["a length beyond all bounds", "raw(Buffer.alloc(4, 255)); for (let i = 0; i < 300; i++) raw(Buffer.alloc(1e6))"],
  ["bytes of nothing", "for (let i = 0; i < 300; i++) raw(Buffer.alloc(1e6))"]
]

describe("Isolation 1: a wrong message ends the process, not the service (P9)", () => {
  for (const [name, does] of wrong)
    it.effect(name, () =>
      Effect.gen(function* () {
        const { quota } = yield* Effect.promise(() => import("../../src/platform/sandbox/hostCalls.ts"))
        const rssBefore = process.memoryUsage.rss()
        const runRequest = run({ wallMillis: DEADLINE })
        const callQuota = quota(runRequest.limits)
        const worker = yield* hostile(`const onMessage = () => { ${does} }`)
        const lost = yield* Effect.flip(
          worker.request(runRequest, DEADLINE, (call: ScriptCall) => callQuota.admit(call))
        )
        assert.deepInclude(lost, { _tag: "WorkerLost", why: "wrong" })
        assert.isFalse(worker.alive())
        assert.isBelow(process.memoryUsage.rss() - rssBefore, 150 * 1024 * 1024)
      }).pipe(Effect.scoped)
    )

  it.live("so does a word that nobody asked for", () =>
    Effect.gen(function* () {
      const worker = yield* hostile(
        "const onMessage = () => { answer(1); setTimeout(() => send({ type: 'call', call: 0, kind: 'api', position: 0, payload: '' }), 50) }"
      )
      yield* worker.request(run(), DEADLINE, () => {})
      yield* eventually("the process is ended", Effect.sync(worker.alive), (alive) => !alive)
      const lost = yield* Effect.flip(worker.request(run(), DEADLINE, () => {}))
      assert.strictEqual(lost._tag, "WorkerLost")
    }).pipe(Effect.scoped)
  )

  it.effect("one that says nothing is ended at its deadline, one that ends itself is told apart", () =>
    Effect.gen(function* () {
      const silent = yield* hostile("const onMessage = () => {}")
      assert.deepInclude(yield* Effect.flip(silent.request(run(), 200, () => {})), { why: "late" })
      const exitingRunner = yield* hostile("const onMessage = () => process.exit(0)")
      assert.deepInclude(yield* Effect.flip(exitingRunner.request(run(), DEADLINE, () => {})), { why: "ended" })
    }).pipe(Effect.scoped)
  )
})

describe("Isolation 2: Chromium, and what the start says (P9)", () => {
  it.live("the browser of PDFs runs as nobody else, without a network, its own sandbox on", () =>
    Effect.gen(function* () {
      const { layers, none, way } = yield* confinement("auto")
      const chromium = Option.fromUndefinedOr(process.env["CHROMIUM_PATH"])
      const { browser, pid } = yield* openBrowser(chromium)
      yield* Effect.promise(() => browser.newPage())
      if (way === none) return
      const ownProcesses = processes(pid)
      const tree = ownProcesses.filter(
        ({ command }) => command.includes("--type=") || command.includes("--remote-debugging-pipe")
      )
      const browsers = tree.filter(({ command }) => /^\S*(?:chrom|headless)/.test(command))
      assert.isAbove(browsers.length, 1, JSON.stringify(ownProcesses))
      for (const browser of browsers) {
        if (layers.ownUser) assert.notStrictEqual(browser.user, 0, browser.command)
        if (layers.noNetwork) assert.notStrictEqual(browser.network, readlinkSync("/proc/self/ns/net"), browser.command)
        if (layers.noPrivileges && layers.ownUser) assert.notInclude(browser.command, "--no-sandbox")
      }
    }).pipe(Effect.scoped)
  )

  it.live("the start says what confines scripts; required refuses where something is missing", () =>
    Effect.gen(function* () {
      const { told } = yield* confinement("auto")
      const url = yield* freshDatabaseUrl
      const service = yield* startService(url)
      assert.include(service.output().replaceAll(/\s+/g, " "), told)
      const readiness = yield* Effect.promise(() => fetch(`${service.origin}/health/ready`).then((r) => r.json()))
      assert.deepInclude((readiness as { parts: ReadonlyArray<object> }).parts, {
        name: "confinement",
        ok: true,
        detail: told
      })
      // Without the right to make namespaces, whoever the tests are.
      const setpriv = which("setpriv")
      if (!isRoot || setpriv === undefined) return
      const port = yield* Effect.promise(() => freePort() as Promise<number>)
      const env = {
        ...plainEnvironment(),
        DATABASE_URL: url,
        SECRET_KEY: Buffer.alloc(32, 9).toString("base64"),
        ROLE: "api"
      }
      const command = ["--bounding-set", "-sys_admin", process.execPath, program("main")]
      const result = spawnSync(setpriv, command, {
        env: { ...env, SCRIPT_CONFINEMENT: "required", PORT: `${port}` },
        encoding: "utf8"
      })
      assert.strictEqual(result.status, 1)
      assert.match(
        result.stderr,
        /^millrace: SCRIPT_CONFINEMENT is "required", and this system gives scripts no .*network namespace/m
      )
    }).pipe(Effect.scoped)
  )
})
