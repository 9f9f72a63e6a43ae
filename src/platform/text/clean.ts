// Processes long texts outside of the main thread (decisions P8).
import { Effect, Schema } from "effect"
import { makeWorkerThread } from "../primitives/workerThread.ts"
import { readable } from "./markup.ts"
import { sanitized } from "./sanitize.ts"
import type { TextJob } from "./textJobs.ts"

/** Least length of a long text; shorter ones take less than a few milliseconds, whatever they hold. */
const LONG = 4 * 1024
/**
 * Time-out of a job: the longest markup of a record takes about a quarter of a second of a processor, and on a busy machine its thread
 * waits long for one.
 */
const JOB_MS = 60_000

export class TextRefused extends Schema.TaggedError<TextRefused>()("TextRefused", { message: Schema.String }) {}

const work = makeWorkerThread<TextJob, string>(new URL("./textJobs.ts", import.meta.url), JOB_MS)

const runTextJob = (job: TextJob): Effect.Effect<string, TextRefused> =>
  work(job).pipe(
    Effect.catchTag("NotDone", ({ message, reason }) => {
      const suffix = reason === "late" ? " in time" : ""
      return new TextRefused({
        message: reason === "failed" ? message : `The text is too tangled to be worked on${suffix}.`
      })
    })
  )

/** Long markup that the thread has cleaned, while an effect may still ask for it. */
const cleaned = new Map<string, { readonly clean: string; users: number }>()

/** Markup with its allowed elements only. Long markup must be inside of `cleaning`, whose result this uses. */
export const sanitizeHtml = (html: string): string => cleaned.get(html)?.clean ?? sanitized(html)

/**
 * Cleans the long texts among `texts` before `effect` begins, which asks for them by `sanitizeHtml`.
 * @param asked text that it asks for where a long one was sent; undefined: for none
 */
export const cleaning =
  (texts: Iterable<unknown>, asked: (text: string) => string | undefined = (text) => text) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TextRefused, R> => {
    const long = new Set<string>()
    for (const text of texts) if (typeof text === "string" && text.length > LONG) long.add(text)
    if (long.size === 0) return effect
    const prepare = (html: string) =>
      Effect.acquireRelease(
        Effect.map(runTextJob({ work: "sanitized", text: html }), (clean) => {
          const cleanedEntry = cleaned.get(html)
          if (cleanedEntry === undefined) cleaned.set(html, { clean, users: 1 })
          else cleanedEntry.users++
        }),
        () =>
          Effect.sync(() => {
            const cleanedEntry = cleaned.get(html)!
            if (--cleanedEntry.users === 0) cleaned.delete(html)
          })
      )
    const prepareAll = Effect.forEach(long, (text) => {
      const html = asked(text)
      return html === undefined ? Effect.void : prepare(html)
    })
    return Effect.scoped(Effect.andThen(prepareAll, effect))
  }

/** Readable text of a page. */
export const readableText = (html: string): Effect.Effect<string, TextRefused> =>
  html.length > LONG * 16 ? runTextJob({ work: "readable", text: html }) : Effect.sync(() => readable(html))
