// Runs one script process for the service: it gets one request at a time, and is ended when it does not answer in time or sends anything
// that it may not (developer-api.md 8.4, decisions P9).
import type { ChildProcess } from "node:child_process"
import type { Duplex } from "node:stream"
import { Effect, Schema } from "effect"
import { endConfined } from "../confinement/Confinement.ts"
import { frame, frameReader } from "../confinement/frames.ts"
import { type MessageShape, WrongMessage } from "../confinement/messageShape.ts"
import type { Start } from "./program.ts"
import type { Run, RunMany, ScriptCall, ScriptDone } from "./protocol.ts"
import { type CallReply, fromRunner, type Init, messageBytes, ROWS_MOST, ready, type ToRunner } from "./protocol.ts"

/** The script process could not be started; nothing of the script ran. */
export class SandboxUnavailable extends Schema.TaggedError<SandboxUnavailable>()("SandboxUnavailable", {
  message: Schema.String
}) {}

/**
 * Error of a process that ended under the script. `ended`: by itself, almost always for memory beyond what V8 survives; `late`: it did not
 * answer in time; `wrong`: it sent what it may not.
 */
export class WorkerLost extends Schema.TaggedError<WorkerLost>()("WorkerLost", {
  why: Schema.Literals(["ended", "late", "wrong"])
}) {}

const START_MILLIS = 20_000
const READY_BYTES = 100

export interface Worker {
  /** Interrupting or outlasting `deadlineMillis` ends the process; so does what `onCall` throws as a `WrongMessage`. */
  readonly request: (
    message: Run | RunMany,
    deadlineMillis: number,
    onCall: (call: ScriptCall) => void
  ) => Effect.Effect<ScriptDone, WorkerLost>
  /** Completes when the process has taken it. */
  readonly reply: (reply: CallReply) => Effect.Effect<void>
  readonly alive: () => boolean
}

/** Message that may come now; none may while no request is in flight. */
interface Expected {
  readonly most: number
  readonly decode: (message: unknown) => void
}

/** Reads the process's messages, each as the one expected then; the first wrong one ends it. */
const reader = (child: ChildProcess, pipe: Duplex) => {
  const state: { expected: Expected | undefined; wrong: boolean } = { expected: undefined, wrong: false }
  const read = frameReader(
    () => state.expected?.most ?? 0,
    (message) => {
      if (state.expected === undefined) throw new WrongMessage("message: expected none")
      state.expected.decode(message)
    }
  )
  pipe.on("data", (bytes: Buffer) => {
    if (state.wrong) return
    try {
      read(bytes)
    } catch {
      // Ends the process for any message that cannot be read.
      state.wrong = true
      endConfined(child)
      pipe.destroy()
    }
  })
  return state
}

/** Starts a process, which ends with the scope. */
export const makeWorker = (start: Start, runner: string, init: Init) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => start(runner)),
      (child) => Effect.sync(() => endConfined(child))
    )
    const pipe = child.stdio[3] as Duplex | undefined
    if (pipe === undefined || child.pid === undefined)
      return yield* new SandboxUnavailable({ message: "The script process could not be started" })
    const reading = reader(child, pipe)
    const alive = () => child.exitCode === null && child.signalCode === null && !reading.wrong
    const tell = (message: ToRunner, told?: () => void) => {
      if (pipe.writable) pipe.write(frame(message), () => told?.())
      else told?.()
    }

    yield* Effect.callback<void, SandboxUnavailable>((resume) => {
      let stderrText = ""
      child.stderr?.on("data", (bytes) => {
        stderrText = `${stderrText}${bytes}`.slice(0, 2000)
      })
      const fail = () =>
        resume(Effect.fail(new SandboxUnavailable({ message: `The script process did not start: ${stderrText}` })))
      child.once("close", fail)
      const timer = setTimeout(fail, START_MILLIS)
      reading.expected = {
        most: READY_BYTES,
        decode: (message) => {
          ready(message, "message")
          reading.expected = undefined
          child.off("close", fail)
          clearTimeout(timer)
          child.stderr?.destroy()
          resume(Effect.void)
        }
      }
      tell(init)
      return Effect.sync(() => clearTimeout(timer))
    })

    const request: Worker["request"] = (message, deadlineMillis, onCall) =>
      Effect.callback((resume) => {
        const off = () => {
          clearTimeout(timer)
          child.off("exit", exit)
          reading.expected = undefined
        }
        const lost = (why: WorkerLost["why"]) => {
          off()
          endConfined(child)
          resume(Effect.fail(new WorkerLost({ why })))
        }
        const exit = () => lost(reading.wrong ? "wrong" : "ended")
        const timer = setTimeout(() => lost("late"), deadlineMillis)
        if (!alive()) return lost(reading.wrong ? "wrong" : "ended")
        const rows = message.type === "many" ? ROWS_MOST : 1
        const decode: MessageShape<ScriptCall | ScriptDone> = fromRunner(message.limits)
        reading.expected = {
          most: messageBytes(message.limits, rows),
          decode: (received) => {
            const decodedMessage = decode(received, "message")
            if (decodedMessage.type === "call") return onCall(decodedMessage)
            off()
            resume(Effect.succeed(decodedMessage))
          }
        }
        child.once("exit", exit)
        tell(message)
        return Effect.sync(() => {
          off()
          endConfined(child)
        })
      })
    const reply: Worker["reply"] = (message) => Effect.callback((resume) => tell(message, () => resume(Effect.void)))
    return { request, reply, alive } satisfies Worker as Worker
  })
