// One execution: the signed POST of one delivery and what came of it (service.md 6; decisions W1, W7, W8).
import { Clock, Effect } from "effect"
import type { Outbound } from "../outbound/Outbound.ts"
import type { Policy } from "../outbound/policies.ts"
import type { Secrets } from "../Secrets.ts"
import { type FormerSecret, sealContext } from "./actor.ts"
import { MAX_LOGGED_BODY } from "./Delivery.ts"
import { signedHeaders } from "./signature.ts"

export interface SealedSecrets {
  readonly hook_id: number
  readonly secret: Uint8Array
  readonly former_secrets: ReadonlyArray<FormerSecret>
}

export interface Outcome {
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

/** The secrets to sign with, the one in force first. */
export const secretsOf = Effect.fnUntraced(function* (secrets: Secrets["Service"], sealed: SealedSecrets, now: number) {
  const context = sealContext(sealed.hook_id, "secret")
  const current = yield* secrets.decrypt(sealed.secret, context)
  const overlapping = sealed.former_secrets.filter(({ until }) => Date.parse(until) > now)
  const former = yield* Effect.forEach(overlapping, ({ secret }) =>
    secrets.decrypt(Buffer.from(secret, "base64"), context)
  )
  return [current, ...former]
})

/** The first bytes of an answer as text that the database takes. */
const logged = (body: Uint8Array) =>
  new TextDecoder().decode(body.subarray(0, MAX_LOGGED_BODY)).replaceAll("\u0000", "\ufffd")

const classOf = (status: number) => (status >= 300 && status < 400 ? "redirect" : "status")

export const execute = Effect.fnUntraced(function* (
  outbound: Outbound["Service"],
  policy: Policy,
  url: string,
  id: string,
  body: string,
  secrets: ReadonlyArray<string>
) {
  const started = yield* Clock.currentTimeMillis
  const attemptedOn = new Date(started)
  const result = yield* Effect.result(
    outbound.request({ method: "POST", url, headers: signedHeaders(id, attemptedOn, body, secrets), body, policy })
  )
  const latencyMillis = Math.max(0, (yield* Clock.currentTimeMillis) - started)
  if (result._tag === "Failure") {
    const failed = { ok: false, attemptedOn, status: null, latencyMillis, body: null, retryAfter: undefined }
    return { ...failed, error: result.failure.label } satisfies Outcome as Outcome
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
  } satisfies Outcome as Outcome
})
