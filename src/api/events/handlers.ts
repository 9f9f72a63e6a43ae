// Translates the stream of changes (decisions, "Events") into server-sent events: who may listen for what, how many streams a user has, and
// when one ends.
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Access } from "../../domain/accounts/Access.ts"
import { Caller, type CallerShape, holds } from "../../domain/accounts/Caller.ts"
import { CredentialLookup } from "../../domain/accounts/CredentialLookup.ts"
import { kindRights, SeenChanges, type WatchedKind, watchedKinds } from "../../domain/changes/SeenChanges.ts"
import { NotFound, Restricted, TooManyRequests, ValidationError } from "../../platform/primitives/errors.ts"
import { Stopping } from "../../platform/primitives/Stopping.ts"
import { credentialIn } from "../middleware/credential.ts"
import { group } from "../middleware/requestContext.ts"
import { EventsApi, SECONDS_MOST } from "./Api.ts"
import { eventStream } from "./eventStream.ts"

/** Streams that a user may have open at a time in a process. */
const STREAMS_AT_ONCE = 10

const isKind = (text: string): text is WatchedKind => (watchedKinds as ReadonlyArray<string>).includes(text)

const kindsOf = Effect.fnUntraced(function* (asked: string | undefined, caller: CallerShape) {
  if (asked === undefined) {
    const reached = watchedKinds.filter((kind) => holds(caller, kindRights[kind].scope))
    if (reached.length > 0) return new Set(reached)
    return yield* new Restricted({ message: "The credential has no scope of anything that this address tells of." })
  }
  const kinds = new Set<WatchedKind>()
  for (const text of asked.split(",")) {
    if (!isKind(text)) return yield* new ValidationError({ message: `kinds: expected ${watchedKinds.join(", ")}.` })
    const { scope } = kindRights[text]
    if (!holds(caller, scope))
      return yield* new Restricted({ message: `kinds: the credential lacks the scope ${scope}, which ${text} needs.` })
    kinds.add(text)
  }
  return kinds
})

export const EventsHandlers = group(
  EventsApi,
  Effect.fnUntraced(function* (handlers) {
    const changes = yield* SeenChanges
    const access = yield* Access
    const credentials = yield* CredentialLookup
    const stopping = yield* Stopping
    const openStreams = new Map<number, number>()

    /** Takes one of the user's streams until the stream ends. */
    const acquireStream = (userId: number) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          const streamCount = openStreams.get(userId) ?? 0
          if (streamCount >= STREAMS_AT_ONCE)
            return Effect.fail(
              new TooManyRequests({
                message: `You have ${STREAMS_AT_ONCE} streams open, the most there can be.`,
                retryAfterSeconds: 5
              })
            )
          openStreams.set(userId, streamCount + 1)
          return Effect.void
        }),
        () =>
          Effect.sync(() => {
            const remainingStreams = (openStreams.get(userId) ?? 1) - 1
            if (remainingStreams === 0) openStreams.delete(userId)
            else openStreams.set(userId, remainingStreams)
          })
      )

    const checkApp = (caller: CallerShape, appId: number, kinds: ReadonlySet<WatchedKind>, asked: boolean) => {
      const level = asked ? Math.max(...[...kinds].map((kind) => kindRights[kind].level)) : 1
      return access
        .check(caller, "app", appId, level as 1 | 5)
        .pipe(Effect.catchTag("RecordNotFound", ({ message }) => Effect.fail(new NotFound({ message }))))
    }

    return handlers.handleAll({
      stream: Effect.fnUntraced(function* ({ query }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const caller = yield* Caller
        const presentedCredential = credentialIn(headers)
        if (presentedCredential._tag !== "Token")
          return yield* new Restricted({ message: "Streams are for clients that send a credential themselves." })
        const kinds = yield* kindsOf(query.kinds, caller)
        const seconds = query.seconds ?? SECONDS_MOST
        if (query.app_id !== undefined) yield* checkApp(caller, query.app_id, kinds, query.kinds !== undefined)
        yield* acquireStream(caller.userId)
        const stream = yield* eventStream({
          caller,
          seconds,
          again: credentials.resolve(presentedCredential.token),
          stop: stopping.wait,
          after: query.last_event_id ?? headers["last-event-id"],
          watch: (present, after) => changes.watch(present, { kinds, appId: query.app_id, after })
        })
        return HttpServerResponse.stream(stream, {
          contentType: "text/event-stream",
          headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
        })
      })
    })
  })
)
