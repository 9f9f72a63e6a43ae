// Opens a stream of changes for a caller who accepts event streams, names resources that can be watched, has credits, and has fewer than
// ten streams open.
import { Effect, type Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import { RateLimit } from "../../../api/middleware/RateLimit.ts"
import type { CallerShape } from "../../../domain/accounts/Caller.ts"
import { SeenChanges } from "../../../domain/changes/SeenChanges.ts"
import { makeSlotsByKey } from "../../../platform/fairness/slotsByKey.ts"
import { Stopping } from "../../../platform/primitives/Stopping.ts"
import { requestOf } from "../conversation.ts"
import type { StandardHeaders } from "../protocolRevisions.ts"
import { INVALID, type Refusal, refusal } from "../refusal.ts"
import * as answers from "../rpcAnswers.ts"
import type { Envelope } from "../rpcEnvelope.ts"
import { makeSession } from "../session.ts"
import type { ToolContext } from "../ToolContext.ts"
import { followsTasks, missingCapability } from "../tasks/extension.ts"
import type { ToolOffer } from "../toolsets.ts"
import { listen } from "./changeStream.ts"
import { asksForTasks, subscriptionsOf } from "./subscriptions.ts"

/** Streams that a user may have open in a process. */
const STREAMS_OF_USER = 10

const noStream = refusal(406, INVALID, "A subscription is an event stream; the Accept header excludes it.")
const tooMany = refusal(429, -32603, `You have ${STREAMS_OF_USER} streams open, the most there can be.`)
const tasksUnknown = refusal(400, missingCapability.code, missingCapability.message, missingCapability.data)
/** Credits of a stream, as of the API's own. */
const cost = 2

export interface StreamRequest {
  readonly message: Envelope["requests"][number]
  readonly headers: StandardHeaders
  readonly takesStreams: boolean
  readonly offer: ToolOffer
  /** The caller as it is now; null once the credential is none any more. */
  readonly again: Effect.Effect<CallerShape | null>
}

export const makeSubscriptionStreams = Effect.gen(function* () {
  const limits = yield* RateLimit
  const changes = yield* SeenChanges
  const stopping = yield* Stopping
  const slotFor = makeSlotsByKey(STREAMS_OF_USER)
  return Effect.fnUntraced(function* (
    desk: Omit<ToolContext, "tasks">,
    { again, headers, message, offer, takesStreams }: StreamRequest
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, never, Scope.Scope> {
    const { caller } = desk
    const refuse = (reason: Refusal, more = {}) => answers.refused({ ...reason, id: message.id }, more)
    if (!takesStreams) return refuse(noStream)
    const requestedChanges = subscriptionsOf(message.params)
    if (requestedChanges._tag === "Refusal") return refuse(requestedChanges)
    if (asksForTasks(message.params) && !followsTasks(message.params)) return refuse(tasksUnknown)
    const budget = yield* limits.spend(caller.userId, cost)
    if (!budget.allowed) return answers.tooManyRequests(budget)
    if (!(yield* slotFor(caller.userId))) return refuse(tooMany, { "retry-after": "5" })
    const run = () => Promise.reject(new Error("a stream of changes calls no tool"))
    const session = () => makeSession({ desk: { ...desk, tasks: false }, offer, run }, "modern")
    const listenRequest = requestOf(headers, new AbortController().signal)
    const answer = yield* listen(
      { caller, again, stop: stopping.wait, changes, session },
      requestedChanges,
      message,
      listenRequest
    )
    return HttpServerResponse.isHttpServerResponse(answer) ? answer : answers.answered(answer.body, answer.status)
  })
})
