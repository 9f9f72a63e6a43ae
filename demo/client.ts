// A client of the public API that survives a restart of the service: every POST carries an Idempotency-Key, and a call that
// was not answered (no connection, 5xx, 429, its first try still running) is repeated with the same key (developer-api.md 1.6, 1.8).
import { randomUUID } from "node:crypto"
import { Clock, Data, Effect } from "effect"

export interface Reply {
  readonly status: number
  readonly json: any
}

/** The service gave no usable answer for the whole of the patience. */
export class GaveUp extends Data.TaggedError("GaveUp")<{ readonly message: string }> {}

/** An answer that the caller did not expect. */
export class Refused extends Data.TaggedError("Refused")<{ readonly status: number; readonly message: string }> {}

class Again extends Data.TaggedError("Again")<{
  readonly why: string
  readonly afterMillis: number
  readonly status?: number
  readonly told?: boolean
}> {}

/** A call that has to be repeated, as the caller saw it. */
export interface Unanswered {
  readonly method: string
  readonly path: string
  readonly why: string
  /** Status of the answer, if there was one. */
  readonly status?: number
  /** True if the answer says when to try again, as the service's own do. */
  readonly told?: boolean
}

export interface ClientOptions {
  readonly baseUrl: string
  readonly token: string
  /** Milliseconds for which one call is repeated. */
  readonly patienceMillis: number
  readonly observe?: (one: Unanswered) => void
}

export interface CallOptions {
  readonly body?: unknown
  /** Default: a fresh one for each call of `call`; null: none, for what only reads. */
  readonly key?: string | null
  /** Milliseconds for which this call is repeated, if not as long as the others. */
  readonly patienceMillis?: number
}

export interface Client {
  readonly call: (method: string, path: string, options?: CallOptions) => Effect.Effect<Reply, GaveUp>
  /** The body of a 2xx answer; anything else fails. */
  readonly get: (method: string, path: string, options?: CallOptions) => Effect.Effect<any, GaveUp | Refused>
  /** Number of repeated calls by reason. */
  readonly repeats: ReadonlyMap<string, number>
}

const CALL_TIMEOUT_MILLIS = 30_000
const PAUSE_MILLIS = 500

const connectionFault = (error: unknown) => {
  const { code } = ((error as { cause?: { code?: string } }).cause ?? {}) as { code?: string }
  return code ?? ((error as Error).name === "TimeoutError" ? "no answer in time" : "connection lost")
}

const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const makeClient = ({ baseUrl, observe, patienceMillis, token }: ClientOptions): Client => {
  const repeats = new Map<string, number>()

  const sendOnce = Effect.fnUntraced(function* (
    method: string,
    path: string,
    headers: Headers,
    body: string | undefined
  ) {
    const { status, text, retryAfter } = yield* Effect.tryPromise({
      try: async () => {
        const response = await fetch(`${baseUrl}${path}`, {
          method,
          headers,
          signal: AbortSignal.timeout(CALL_TIMEOUT_MILLIS),
          ...(body === undefined ? {} : { body })
        })
        const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN)
        return { status: response.status, text: await response.text(), retryAfter }
      },
      catch: (error) => new Again({ why: connectionFault(error), afterMillis: PAUSE_MILLIS })
    })
    const running = status === 409 && text.includes("is still running")
    if (status === 429 || status >= 500 || running) {
      // Every answer carries Retry-After, the end of the rate window; only a 429 has to wait for it.
      const afterMillis = status === 429 && Number.isFinite(retryAfter) ? retryAfter * 1000 : PAUSE_MILLIS
      const why = running ? "first try still running" : `status ${status}`
      return yield* new Again({ why, afterMillis, status, told: Number.isFinite(retryAfter) })
    }
    return { status, json: parse(text) } satisfies Reply
  })

  const call = Effect.fnUntraced(function* (method: string, path: string, options: CallOptions = {}) {
    const { body, key, patienceMillis: patience = patienceMillis } = options
    const headers = new Headers({ authorization: `Bearer ${token}` })
    if (body !== undefined) headers.set("content-type", "application/json")
    if (method === "POST" && key !== null) headers.set("idempotency-key", key ?? randomUUID())
    const text = body === undefined ? undefined : JSON.stringify(body)
    const until = (yield* Clock.currentTimeMillis) + patience
    for (;;) {
      const result = yield* Effect.result(sendOnce(method, path, headers, text))
      if (result._tag === "Success") return result.success
      const { _tag, afterMillis, ...unanswered } = result.failure
      const { why } = unanswered
      repeats.set(why, (repeats.get(why) ?? 0) + 1)
      observe?.({ method, path, ...unanswered })
      if ((yield* Clock.currentTimeMillis) + afterMillis > until) {
        return yield* new GaveUp({
          message: `${method} ${path}: no answer for ${patience / 1000} s, at last: ${why}`
        })
      }
      yield* Effect.sleep(afterMillis)
    }
  })

  const get = Effect.fnUntraced(function* (method: string, path: string, options?: CallOptions) {
    const { status, json } = yield* call(method, path, options)
    if (status >= 200 && status < 300) return json
    const message = `${method} ${path}: ${status} ${json?.error_message ?? ""}`.trimEnd()
    return yield* new Refused({ status, message })
  })

  return { call, get, repeats }
}

/** All records of the app, as listed. */
export const listed = Effect.fnUntraced(function* (client: Client, appId: number) {
  const records: Array<any> = []
  let cursor: string | null = null
  do {
    const query: string = `limit=500${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
    const page: any = yield* client.get("GET", `/v1/record/app/${appId}?${query}`)
    records.push(...page.records)
    cursor = page.cursor
  } while (cursor !== null)
  return records
})
