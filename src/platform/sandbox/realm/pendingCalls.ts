// Calls that a script has begun (developer-api.md 8.2; decisions A28): numbered, answered by the host, and waited for before the step
// ends, whether the script awaited them or not.
import { framesOf } from "./positions.ts"
import * as p from "./primordials.ts"

/** `kind` and its JSON go out; JSON comes back, or the promise is rejected with a readable message. */
export type CallHost = (kind: "http" | "api" | "sleep", payload: string) => Promise<string>
export type BeginCall = (id: number, kind: string, payload: string) => void

/** Calls and sleeps that may wait for their answer at once: one that never gives way would drown its process in messages. */
const CALLS_AT_ONCE = 2000
/** Sleeps that nobody awaits and that are cut short: a loop of them that never ends does not hold the step. */
const CUT_AT_MOST = 1000

interface Waiting {
  readonly kind: string
  readonly resolve: (text: string) => void
  readonly reject: (error: Error) => void
  /** Made where the call was: its frames are those of what the call is rejected with. */
  readonly site: Error | undefined
  /** End of a sleep, in milliseconds. */
  readonly due: number
}

const waitingCalls = p.table<Waiting>()
let ids = 0
let openCalls = 0
let asleep = 0
let answered = 0

/** The number of the host's answer in which code runs just now. */
export const answerNumber = (): number => answered

const ask = (begin: BeginCall, kind: string, payload: string): Promise<string> =>
  new p.PromiseClass((resolve, reject) => {
    const id = ids++
    const due = kind === "sleep" ? p.now() + p.NumberOf(payload) : 0
    const site = kind === "http" || kind === "api" ? new p.ErrorClass() : undefined
    waitingCalls.set(id, { kind, resolve, reject, site, due })
    begin(id, kind, payload)
  })

export const makeCaller =
  (begin: BeginCall): CallHost =>
  (kind, payload) => {
    if (openCalls + asleep >= CALLS_AT_ONCE) throw new p.RangeErrorClass("Too many calls and sleeps wait at once")
    if (kind === "sleep") asleep++
    else openCalls++
    return ask(begin, kind, payload)
  }

let onAnswer: (() => void) | undefined
const nextAnswer = (): Promise<void> =>
  new p.PromiseClass((resolve) => {
    onAnswer = resolve
  })

const takeCall = (id: number): Waiting | undefined => {
  const call = waitingCalls.take(id)
  if (call?.kind === "sleep") asleep--
  else if (call !== undefined && call.kind !== "turn") openCalls--
  return call
}

/** Marks an error by its call: two with the same message are not taken for one another. */
const numbered = (error: Error, number: number): Error => {
  error.stack = `${error.stack}\n    at call ${number}`
  return error
}

/** An error that stands where the call was made, also where nobody awaits the call there. */
const errorAt = (message: string, site: Error | undefined, number = ids): Error => {
  const error = new p.ErrorClass(message)
  if (site !== undefined) error.stack = `Error: ${message}${framesOf(p.StringOf(site.stack))}`
  return numbered(error, number)
}

/** Error of a call that was answered, with `members` of the answer. */
export const callError = (message: string, site: Error, members: Record<string, unknown>) =>
  Object.assign(errorAt(message, site), members)

/** The host's answer to a call: JSON, or the message of an error. */
export const settle = (id: number, ok: boolean, text: string) => {
  answered++
  const call = takeCall(id)
  if (ok) call?.resolve(text)
  else call?.reject(errorAt(text, call.site, id))
  onAnswer?.()
}

const nextSleep = (): number | undefined => {
  let next: number | undefined
  let due = 0
  waitingCalls.each((call, id) => {
    if (call.kind !== "sleep" || (next !== undefined && call.due >= due)) return
    next = id
    due = call.due
  })
  return next
}

/** Lets everything run that can, and answers what the host knows of rejections by then. */
export const turn = (begin: BeginCall): Promise<string> => ask(begin, "turn", "")

/** Waits until nothing that the script has begun is under way; answers what the host knows of rejections. */
export const allEnded = async (begin: BeginCall): Promise<string> => {
  let cut = 0
  for (let quietTurns = 0; ; ) {
    const rejectionsJson = await turn(begin)
    if (openCalls > 0) quietTurns = 0
    // Waits for two quiet turns: the host reports the rejections of a turn in the next one.
    else if (++quietTurns >= 2) {
      const sleep = cut < CUT_AT_MOST ? nextSleep() : undefined
      if (sleep === undefined) return rejectionsJson
      cut++
      quietTurns = 0
      takeCall(sleep)?.resolve("null")
    }
    if (openCalls > 0) await nextAnswer()
  }
}
