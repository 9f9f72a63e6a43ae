// One execution: the signed POST of one delivery and what came of it (service.md 6; decisions W1, W7, W8).
import type { KeyObject } from "node:crypto"
import { Clock, Effect } from "effect"
import type { ClientIdentity } from "../../ground/outbound/identities.ts"
import type { Outbound } from "../../ground/outbound/Outbound.ts"
import type { Policy } from "../../ground/outbound/policies.ts"
import { MAX_LOGGED_BODY } from "./Delivery.ts"
import { signedHeaders } from "./signature.ts"

export interface AttemptOutcome {
  /** A 2xx in time; a body that came late or long changes nothing about it. */
  readonly ok: boolean
  readonly attemptedOn: Date
  readonly status: number | null
  readonly latencyMillis: number
  /** The error's class where there was no answer; `redirect` and `status` name answers that are no 2xx. */
  readonly error: string | null
  readonly body: string | null
  readonly retryAfter: string | undefined
}

/** To make one costs more than a short answer. */
const whole = new TextDecoder()

/** The first bytes of an answer as text that the database takes; a character that the cut divides is left out. */
const logged = (body: Uint8Array) => {
  if (body.byteLength === 0) return ""
  const text =
    body.byteLength > MAX_LOGGED_BODY
      ? new TextDecoder().decode(body.subarray(0, MAX_LOGGED_BODY), { stream: true })
      : whole.decode(body)
  return text.replaceAll("\u0000", "\ufffd")
}

const classOf = (status: number) => (status >= 300 && status < 400 ? "redirect" : "status")

/** Nothing was sent: why. */
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
  /** Beside those of the signature, which they cannot replace. */
  readonly headers?: Readonly<Record<string, string>>
  readonly identity?: ClientIdentity
}

export const execute = Effect.fnUntraced(function* (
  outbound: Outbound["Service"],
  { body, headers: further, id, identity, keys, policy, url }: Execution
) {
  const started = yield* Clock.currentTimeMillis
  const attemptedOn = new Date(started)
  const signed = signedHeaders(id, attemptedOn, body, keys)
  const sent = further === undefined ? signed : { ...further, ...signed }
  const result = yield* Effect.result(
    outbound.request({
      method: "POST",
      url,
      headers: sent,
      body,
      policy,
      ...(identity === undefined ? {} : { identity })
    })
  )
  const latencyMillis = Math.max(0, (yield* Clock.currentTimeMillis) - started)
  if (result._tag === "Failure") {
    const failed = { ok: false, attemptedOn, status: null, latencyMillis, body: null, retryAfter: undefined }
    return { ...failed, error: result.failure.label } satisfies AttemptOutcome as AttemptOutcome
  }
  const { status, headers, body: answer } = result.success
  const ok = status >= 200 && status < 300
  return {
    ok,
    attemptedOn,
    status,
    latencyMillis,
    error: ok ? null : classOf(status),
    body: logged(answer),
    retryAfter: headers["retry-after"]
  } satisfies AttemptOutcome as AttemptOutcome
})
