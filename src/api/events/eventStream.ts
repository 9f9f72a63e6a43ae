// A stream of server-sent events (WHATWG HTML, 9.2): `ready` first, then what changes; an id with each, with which a client goes on; a sign of
// life every 15 s. It ends with its time, with its credential, which is asked about every five seconds, and when the process stops.
import { Clock, Effect, Stream } from "effect"
import type { CallerShape } from "../../domain/accounts/Caller.ts"
import type { ChangesSeen, ChangeWatch } from "../../domain/changes/SeenChanges.ts"

const ALIVE_MILLIS = 15_000
const CREDENTIAL_MILLIS = 5_000
/** Milliseconds until a client reconnects. */
const RETRY_MILLIS = 1_000

interface Asked<R> {
  readonly caller: CallerShape
  readonly seconds: number
  /** The caller as it is now; null when the credential is none any more. */
  readonly again: Effect.Effect<CallerShape | null>
  readonly stop: Effect.Effect<void>
  /** The id behind which the client goes on. */
  readonly after: string | undefined
  readonly watch: (present: () => CallerShape, after: string | undefined) => Effect.Effect<ChangeWatch, never, R>
}

const renderEvent = (id: string, event: string, data: object) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Writes changes. All but the last carry the former id: a client that is cut off in between gets them again rather than not at all. */
const renderChanges = ({ changes, cursor, lost }: ChangesSeen, former: string) => {
  const reset = lost ? renderEvent(former, "reset", {}) : ""
  return changes.reduce(
    (text, { data, event }, at) => text + renderEvent(at === changes.length - 1 ? cursor : former, event, data),
    reset
  )
}

export const eventStream = Effect.fnUntraced(function* <R>({ after, again, caller, seconds, stop, watch }: Asked<R>) {
  let present = caller
  const startedAt = yield* Clock.currentTimeMillis
  let checked = startedAt
  const endsAt = Math.min(
    startedAt + seconds * 1000,
    caller.credential.expiresOn?.getTime() ?? Number.POSITIVE_INFINITY
  )
  const { cursor, first, take, wait } = yield* watch(() => present, after)
  const resumed = after !== undefined && !first.lost
  let lastId = resumed ? after : first.cursor

  const end = (reason: string) => ({ text: renderEvent(lastId, "end", { reason }), over: true })

  const step = Effect.gen(function* () {
    let nowMillis = yield* Clock.currentTimeMillis
    const alive = nowMillis + ALIVE_MILLIS
    for (;;) {
      if (nowMillis >= endsAt) return end(present.credential.expiresOn?.getTime() === endsAt ? "credential" : "time")
      if (nowMillis - checked >= CREDENTIAL_MILLIS) {
        const renewedCaller = yield* again
        if (renewedCaller === null) return end("credential")
        present = renewedCaller
        checked = nowMillis
      }
      if (nowMillis >= alive) {
        lastId = cursor()
        return { text: `:\nid: ${lastId}\n\n`, over: false }
      }
      const until = Math.min(alive, endsAt, checked + CREDENTIAL_MILLIS)
      const came = yield* Effect.raceFirst(
        Effect.as(wait, "changes" as const),
        Effect.raceFirst(Effect.as(stop, "stop" as const), Effect.as(Effect.sleep(until - nowMillis), "time" as const))
      )
      if (came === "stop") return end("stopping")
      nowMillis = yield* Clock.currentTimeMillis
      if (came === "time") continue
      const seenChanges = yield* take
      const text = renderChanges(seenChanges, lastId)
      lastId = seenChanges.cursor
      if (text !== "") return { text, over: false }
    }
  })

  // The first changes are counted from where the client was, and their last id is where the stream continues.
  const opening = `retry: ${RETRY_MILLIS}\n${renderEvent(lastId, "ready", { resumed })}${renderChanges({ ...first, lost: false }, lastId)}`
  lastId = first.cursor
  return Stream.unfold<"opening" | "going" | "over", string, never, never>("opening", (state) => {
    if (state === "opening") return Effect.succeed([opening, "going"] as const)
    return state === "over"
      ? Effect.succeed(undefined)
      : Effect.map(step, ({ over, text }) => [text, over ? "over" : "going"] as const)
  }).pipe(Stream.encodeText)
})
