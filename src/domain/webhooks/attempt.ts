// Executes one delivery attempt: sends the signed POST and records its outcome (service.md 6; decisions W1, W7, W8).
import type { KeyObject } from "node:crypto"
import { Clock, Effect, Result } from "effect"
import { decodeText } from "../../platform/content/decodeText.ts"
import type { ClientIdentity } from "../../platform/outbound/identities.ts"
import type { Outbound } from "../../platform/outbound/Outbound.ts"
import type { OutboundError } from "../../platform/outbound/OutboundError.ts"
import type { Policy } from "../../platform/outbound/policies.ts"
import type { OutboundResponse } from "../../platform/outbound/requests.ts"
import { MAX_LOGGED_BODY } from "./Delivery.ts"
import { signedHeaders } from "./signature.ts"

export interface AttemptOutcome {
  /** A 2xx in time; a body that came late or long changes nothing about it. */
  readonly ok: boolean
  readonly attemptedOn: Date
  readonly status: number | null
  readonly latencyMillis: number
  /** Class of the error if there was no answer; `redirect` and `status` stand for answers other than 2xx. */
  readonly error: string | null
  readonly body: string | null
  readonly retryAfter: string | undefined
}

/** Shared decoder: creating one costs more than decoding a short answer. */
const utf8Decoder = new TextDecoder()

const otherCharset = /charset=(?!["']?utf-?8)/i

/** The first bytes of an answer as text that the database takes; a character that the cut divides is left out. */
const logged = (body: Uint8Array, contentType = "") => {
  if (body.byteLength === 0) return ""
  const text = otherCharset.test(contentType)
    ? decodeText(body.subarray(0, MAX_LOGGED_BODY), contentType).text
    : body.byteLength > MAX_LOGGED_BODY
      ? new TextDecoder().decode(body.subarray(0, MAX_LOGGED_BODY), { stream: true })
      : utf8Decoder.decode(body)
  return text.replaceAll("\u0000", "\ufffd")
}

const classOf = (status: number) => (status >= 300 && status < 400 ? "redirect" : "status")

/** Outcome of an attempt that sent nothing, with the reason. */
export const failedAttempt = (now: number, error: string): AttemptOutcome => ({
  ok: false,
  attemptedOn: new Date(now),
  status: null,
  latencyMillis: 0,
  error,
  body: null,
  retryAfter: undefined
})

export interface Execution {
  readonly policy: Policy
  readonly url: string
  /** The `webhook-id`. */
  readonly id: string
  readonly body: string
  readonly keys: ReadonlyArray<KeyObject>
  /** Headers in addition to those of the signature, which they cannot replace. */
  readonly headers?: Readonly<Record<string, string>>
  readonly identity?: ClientIdentity
}

/** The signed request, and the function from its result to the outcome. */
const prepare = ({ body, headers: further, id, keys, policy, url }: Execution, started: number) => {
  const attemptedOn = new Date(started)
  const signed = signedHeaders(id, attemptedOn, body, keys)
  const headers = further === undefined ? signed : { ...further, ...signed }
  const outcomeOf = (result: Result.Result<OutboundResponse, OutboundError>, ended: number): AttemptOutcome => {
    const latencyMillis = Math.max(0, ended - started)
    if (Result.isFailure(result)) {
      const { label: error } = result.failure
      return { ok: false, attemptedOn, status: null, latencyMillis, error, body: null, retryAfter: undefined }
    }
    const { status, headers: answered, body: answer } = result.success
    const ok = status >= 200 && status < 300
    const error = ok ? null : classOf(status)
    return {
      ok,
      attemptedOn,
      status,
      latencyMillis,
      error,
      body: logged(answer, answered["content-type"]),
      retryAfter: answered["retry-after"]
    }
  }
  return { request: { method: "POST", url, headers, body, policy }, outcomeOf }
}

export const execute = Effect.fnUntraced(function* (outbound: Outbound["Service"], execution: Execution) {
  const { outcomeOf, request } = prepare(execution, yield* Clock.currentTimeMillis)
  const { identity } = execution
  const result = yield* Effect.result(outbound.request(identity === undefined ? request : { ...request, identity }))
  return outcomeOf(result, yield* Clock.currentTimeMillis)
})

/** Executes the attempt with a callback instead of an effect, without a trace. @returns a function that cancels the request */
export const executeUntraced = (
  outbound: Outbound["Service"],
  clock: Clock.Clock,
  execution: Omit<Execution, "identity">,
  done: (outcome: AttemptOutcome) => void
): (() => void) => {
  const { outcomeOf, request } = prepare(execution, clock.currentTimeMillisUnsafe())
  return outbound.requestUntraced(request, (result) => done(outcomeOf(result, clock.currentTimeMillisUnsafe())))
}
