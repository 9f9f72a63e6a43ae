// The signed POST of one delivery attempt, and how its answer is judged (service.md 6; decisions W1, W7, W8).
import type { KeyObject } from "node:crypto"
import { Result } from "effect"
import { decodeText } from "../../platform/content/decodeText.ts"
import type { OutboundError } from "../../platform/outbound/OutboundError.ts"
import type { OutboundRequest, OutboundResponse } from "../../platform/outbound/requests.ts"
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

/** The outcome as the log has it. */
export const outcomeColumns = ({ body, error, latencyMillis, status }: AttemptOutcome) => ({
  status_code: status,
  latency_ms: Math.round(latencyMillis),
  error,
  response_body: body
})

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

/** Outcome of an attempt without an answer, with the reason. */
export const failedAttempt = (now: number, error: string): AttemptOutcome => ({
  ok: false,
  attemptedOn: new Date(now),
  status: null,
  latencyMillis: 0,
  error,
  body: null,
  retryAfter: undefined
})

export interface Execution extends Pick<OutboundRequest, "policy" | "url" | "headers" | "identity"> {
  /** The `webhook-id`. */
  readonly id: string
  readonly body: string
  readonly keys: ReadonlyArray<KeyObject>
}

/** The signed request, whose headers cannot be replaced, and the function from its result to the outcome. */
export const prepare = ({ headers: further, id, keys, ...execution }: Execution, started: number) => {
  const attemptedOn = new Date(started)
  const signed = signedHeaders(id, attemptedOn, execution.body, keys)
  const headers = further === undefined ? signed : { ...further, ...signed }
  const outcomeOf = (result: Result.Result<OutboundResponse, OutboundError>, ended: number): AttemptOutcome => {
    const latencyMillis = Math.max(0, ended - started)
    if (Result.isFailure(result)) return { ...failedAttempt(started, result.failure.label), latencyMillis }
    const { status, headers: answered, body: answer } = result.success
    const ok = status >= 200 && status < 300
    return {
      ok,
      attemptedOn,
      status,
      latencyMillis,
      error: ok ? null : classOf(status),
      body: logged(answer, answered["content-type"]),
      retryAfter: answered["retry-after"]
    }
  }
  return { request: { ...execution, method: "POST", headers }, outcomeOf }
}
