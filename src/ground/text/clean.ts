// Work on long texts, outside of the main thread (decisions P8): one thread, begun when it is first needed and gone when it is idle;
// jobs take turns in the order of their coming, and one that does not end in time is ended with its thread.
import { Worker } from "node:worker_threads"
import { Effect, Schema, Semaphore } from "effect"
import type { Done, Job } from "./jobs.ts"
import { readable } from "./markup.ts"
import { sanitized } from "./sanitize.ts"

/** Shorter texts take less than a few milliseconds, whatever they hold. */
export const LONG = 4 * 1024
/** The longest markup of a record takes about a quarter of a second at worst. */
const JOB_MS = 20_000
const IDLE_MS = 10_000

export class TextRefused extends Schema.TaggedError<TextRefused>()("TextRefused", { message: Schema.String }) {}

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let jobs = 0

const stop = () => {
  void thread?.terminate()
  thread = undefined
}

const started = () => {
  clearTimeout(idle)
  thread ??= new Worker(new URL("./jobs.ts", import.meta.url), { execArgv: [], env: {} })
  thread.unref()
  return thread
}

const run = (work: Job["work"], text: string) =>
  Effect.callback<string, TextRefused>((resume) => {
    const worker = started()
    const id = ++jobs
    const over = (result: Effect.Effect<string, TextRefused>, healthy: boolean) => {
      worker.off("message", answered)
      worker.off("error", broke)
      worker.off("exit", broke)
      if (!healthy && thread === worker) stop()
      idle = setTimeout(stop, IDLE_MS).unref()
      resume(result)
    }
    const refuse = (message: string) => Effect.fail(new TextRefused({ message }))
    const answered = (done: Done) => {
      if (done.id === id) over("text" in done ? Effect.succeed(done.text) : refuse(done.failure), true)
    }
    const broke = () => over(refuse("The text is too tangled to be worked on."), false)
    worker.on("message", answered)
    worker.on("error", broke)
    worker.on("exit", broke)
    worker.postMessage({ id, work, text } satisfies Job)
    return Effect.sync(() => over(Effect.never, false))
  }).pipe(
    Effect.timeoutOrElse({
      duration: JOB_MS,
      orElse: () => Effect.fail(new TextRefused({ message: "The text is too tangled to be worked on in time." }))
    })
  )

const turns = Semaphore.makeUnsafe(1)
const apart = (work: Job["work"], text: string) => turns.withPermits(1)(run(work, text))

/** Long markup that has been cleaned apart, while somebody is about to ask for it. */
const cleaned = new Map<string, { readonly clean: string; users: number }>()

/** The markup that may stay; long ones only where `cleaning` is around it, for it takes what that has made ready. */
export const sanitizeHtml = (html: string): string => cleaned.get(html)?.clean ?? sanitized(html)

/** Has the long texts among `texts` cleaned before `effect` begins, which asks for them by `sanitizeHtml`. */
export const cleaning =
  (texts: Iterable<unknown>, most: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TextRefused, R> => {
    const long = new Set<string>()
    for (const text of texts) if (typeof text === "string" && text.length > LONG && text.length <= most) long.add(text)
    if (long.size === 0) return effect
    const ready = Effect.forEach(long, (html) =>
      Effect.acquireRelease(
        Effect.map(apart("sanitized", html), (clean) => {
          const known = cleaned.get(html)
          if (known === undefined) cleaned.set(html, { clean, users: 1 })
          else known.users++
        }),
        () =>
          Effect.sync(() => {
            const known = cleaned.get(html)!
            if (--known.users === 0) cleaned.delete(html)
          })
      )
    )
    return Effect.scoped(Effect.andThen(ready, effect))
  }

/** A readable text of a page. */
export const readableText = (html: string): Effect.Effect<string, TextRefused> =>
  html.length > LONG * 16 ? apart("readable", html) : Effect.sync(() => readable(html))
