// One execution: the signed POST of one delivery and what came of it (service.md 6; decisions W1, W7, W8).
import type { KeyObject } from "node:crypto"
import { Clock, Effect } from "effect"
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

/** The first bytes of an answer as text that the database takes; a character that the cut divides is left out. */
const logged = (body: Uint8Array) =>
  new TextDecoder()
    .decode(body.subarray(0, MAX_LOGGED_BODY), { stream: body.byteLength > MAX_LOGGED_BODY })
    .replaceAll("\u0000", "\ufffd")

const classOf = (status: number) => (status >= 300 && status < 400 ? "redirect" : "status")

export const execute = Effect.fnUntraced(function* (
  outbound: Outbound["Service"],
  policy: Policy,
  url: string,
  id: string,
  body: string,
  keys: ReadonlyArray<KeyObject>
) {
  const started = yield* Clock.currentTimeMillis
  const attemptedOn = new Date(started)
  const result = yield* Effect.result(
    outbound.request({ method: "POST", url, headers: signedHeaders(id, attemptedOn, body, keys), body, policy })
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
