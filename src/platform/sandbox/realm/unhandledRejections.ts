// Finds rejections that nobody observes (decisions A28). The host learns of each promise that is rejected without a handler, and not of a
// handler that is added later, as when a list of promises is awaited one after another. So observers of a promise are noted here: `await`,
// `then` and the static methods all read its constructor.
import { answerNumber } from "./pendingCalls.ts"
import * as p from "./primordials.ts"

/** Rejection as the host reports it: in which of its answers it happened, and with what. */
export interface Rejection {
  readonly at: number
  readonly message: string
  readonly stack: string
}

/** Most notes; a script with more rejections has other problems. */
const NOTES_AT_MOST = 10_000

const notes = p.table<{ readonly at: number; readonly stack: string; readonly message: string }>()
let noted = 0

const describe = (reason: unknown) => {
  if (reason instanceof p.ErrorClass) return { message: p.StringOf(reason.message), stack: p.StringOf(reason.stack) }
  return { message: p.StringOf(reason), stack: "" }
}

const observe = (promise: object) => {
  const observedAnswer = answerNumber()
  p.promiseThen(promise, undefined, (reason: unknown) => {
    if (noted >= NOTES_AT_MOST) return
    try {
      notes.set(noted, { at: observedAnswer, ...describe(reason) })
      noted++
    } catch {}
  })
}

/** Notes each promise that is observed from now on. */
export const watchPromises = () => {
  let observing = false
  p.defineProperty(p.PromiseClass.prototype, "constructor", {
    configurable: true,
    enumerable: false,
    get() {
      if (observing) return p.PromiseClass
      observing = true
      try {
        observe(this)
      } catch {
        // Not a promise.
      } finally {
        observing = false
      }
      return p.PromiseClass
    },
    set(value: unknown) {
      p.defineProperty(this, "constructor", { value, writable: true, configurable: true, enumerable: true })
    }
  })
}

/** True if the note belongs to the rejection. The host appends the line at which it waited. */
const isOf = (rejection: Rejection, note: { readonly message: string; readonly stack: string }) =>
  note.stack === "" ? note.message === rejection.message : p.startsWith(rejection.stack, note.stack)

/** First rejection that nobody observed after it had happened. */
export const unobserved = (rejections: ReadonlyArray<Rejection>): Rejection | undefined => {
  for (let i = 0; i < rejections.length; i++) {
    const rejection = rejections[i]!
    let isObserved = false
    notes.each((note, id) => {
      if (isObserved || note.at <= rejection.at || !isOf(rejection, note)) return
      isObserved = true
      notes.take(id)
    })
    if (!isObserved) return rejection
  }
  return undefined
}
