// `subscriptions/listen` (MCP 2026-07-28): a stream that says which of the listed resources have changed, from the feed of changes that every
// process reads. It ends after a quarter of an hour, with its credential, which is asked about every five seconds, and when the process
// stops, each time with the answer that says so; whoever listens again reads first.
import { createMcpHandler, InMemoryServerEventBus, type Server } from "@modelcontextprotocol/server"
import { Clock, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { CallerShape } from "../../../domain/accounts/Caller.ts"
import type { ChangesSeen, SeenChanges } from "../../../domain/changes/SeenChanges.ts"
import type { Message } from "../rpcEnvelope.ts"
import { changedUri, type Subscriptions } from "./subscriptions.ts"

const LASTING_MILLIS = 900_000
const CREDENTIAL_MILLIS = 5_000
const ALIVE_MILLIS = 15_000

export interface Listener {
  readonly caller: CallerShape
  /** The caller as it is now; null once the credential is none any more. */
  readonly again: Effect.Effect<CallerShape | null>
  readonly stop: Effect.Effect<void>
  readonly changes: SeenChanges["Service"]
  readonly session: () => Server
}

export const listen = Effect.fnUntraced(function* (
  { again, caller, changes, session, stop }: Listener,
  { kinds, uris }: Subscriptions,
  message: Message,
  request: Request
) {
  let present = caller
  const startedAt = yield* Clock.currentTimeMillis
  const endsAt = Math.min(
    startedAt + LASTING_MILLIS,
    caller.credential.expiresOn?.getTime() ?? Number.POSITIVE_INFINITY
  )
  const { first, take, wait } = yield* changes.watch(() => present, { kinds, appId: undefined, after: undefined })
  const bus = new InMemoryServerEventBus()
  const handler = yield* Effect.acquireRelease(
    Effect.sync(() => createMcpHandler(session, { legacy: "reject", bus, keepAliveMs: ALIVE_MILLIS })),
    (open) => Effect.promise(() => open.close())
  )
  const notifications = uris.size === 0 ? {} : { resourceSubscriptions: [...uris] }
  const parsedBody = { ...message, params: { ...message.params, notifications } }
  const answer = yield* Effect.promise(() => handler.fetch(request, { parsedBody }))
  if (answer.headers.get("content-type") !== "text/event-stream")
    return { status: answer.status, body: yield* Effect.promise(() => answer.json()) }

  const tell = ({ changes: seen, lost }: ChangesSeen) => {
    const changed = lost ? uris : new Set(seen.map(changedUri))
    for (const uri of uris) if (changed.has(uri)) handler.notify.resourceUpdated(uri)
  }
  const follow = Effect.gen(function* () {
    tell({ ...first, lost: false })
    let checked = startedAt
    for (;;) {
      const nowMillis = yield* Clock.currentTimeMillis
      if (nowMillis >= endsAt) return
      if (nowMillis - checked >= CREDENTIAL_MILLIS) {
        const renewed = yield* again
        if (renewed === null) return
        present = renewed
        checked = nowMillis
      }
      const until = Math.min(endsAt, checked + CREDENTIAL_MILLIS) - nowMillis
      const came = yield* Effect.raceFirst(
        Effect.as(wait, "changes" as const),
        Effect.raceFirst(Effect.as(stop, "stop" as const), Effect.as(Effect.sleep(until), "time" as const))
      )
      if (came === "stop") return
      if (came === "changes") tell(yield* take)
    }
  })
  yield* Effect.forkScoped(
    Effect.andThen(
      follow,
      Effect.promise(() => handler.close())
    )
  )
  const body = Stream.fromReadableStream({ evaluate: () => answer.body!, onError: (cause) => cause })
  return HttpServerResponse.stream(body, {
    contentType: "text/event-stream",
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
  })
})
