// Programs in the place of the script process's own, as if the engine had been broken out of: they do what they like, without
// Node's permission model around them.
import { Effect, type Scope } from "effect"
import { syncLimits } from "../../src/platform/config/sandboxLimits.ts"
import { type Confinement, type ConfinementMissing, confinement } from "../../src/platform/confinement/Confinement.ts"
import { profileOf, starter } from "../../src/platform/sandbox/program.ts"
import type { Init, Run } from "../../src/platform/sandbox/protocol.ts"
import { makeWorker, type SandboxUnavailable, type Worker } from "../../src/platform/sandbox/ScriptProcess.ts"

/** What a program of these can do: `send` any value as a frame, `raw` any bytes, and be called with each message. */
const preamble = `
const { Socket } = require("node:net")
const pipe = new Socket({ fd: 3, readable: true, writable: true })
const raw = (bytes) => pipe.write(bytes)
const framed = (body) => { const head = Buffer.alloc(4); head.writeUInt32BE(body.length); raw(Buffer.concat([head, body])) }
const send = (value) => framed(Buffer.from(JSON.stringify(value)))
pipe.on("error", () => {})
let held = Buffer.alloc(0)
pipe.on("data", (bytes) => {
  held = Buffer.concat([held, bytes])
  while (held.length >= 4 && held.length >= 4 + held.readUInt32BE()) {
    const end = 4 + held.readUInt32BE()
    const message = JSON.parse(held.subarray(4, end))
    held = held.subarray(end)
    if (message.type === "init") send({ type: "ready" })
    else onMessage(message)
  }
})
const answer = (value) =>
  send({
    type: "done",
    outcomes: [{ kind: "result", text: JSON.stringify({ value, undefined: false, vars: {} }) }],
    logs: [],
    cpuMillis: 1,
    wallMillis: 1,
    ended: false
  })
`

const init: Init = { type: "init", code: "", memoryMiB: 32, scriptsPerIsolate: 1 }
/** A request that an honest process would answer. */
export const run = (limits: Partial<Run["limits"]> = {}): Run => ({
  type: "run",
  mode: "async",
  source: "",
  settings: "{}",
  limits: { ...syncLimits, httpCalls: 5, apiCalls: 5, concurrentCalls: 2, httpResponseBytes: 1024, ...limits }
})

/** Such a process, started by the one launcher; `body` defines `onMessage`. */
export const hostile = (
  body: string,
  confined?: Confinement
): Effect.Effect<Worker, SandboxUnavailable | ConfinementMissing, Scope.Scope> =>
  Effect.gen(function* () {
    const by = confined ?? (yield* confinement("auto"))
    const profile = yield* Effect.promise(() => profileOf(by))
    return yield* makeWorker(starter(by, profile, ["--no-warnings", "--input-type=commonjs"]), preamble + body, init)
  })
