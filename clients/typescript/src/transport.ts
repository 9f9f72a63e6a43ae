// Sends a request of an operation: address, headers and body from its route, errors as ApiError or TransportError, retries and credentials.
import { addressAt } from "./address.ts"
import type { Credentials } from "./credentials.ts"
import { ApiError, TransportError } from "./errors.ts"
import { pause, pauseAfter, type RetryOptions, retriesOf } from "./retries.ts"
import type { Route } from "./route.ts"

export interface ClientOptions {
  /** Address of the service, without `/v1`. */
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly retry?: RetryOptions
  /** Time-out of each request, until its answer is read, in milliseconds. Default 60,000. */
  readonly timeoutMillis?: number
  /** Default the global one. */
  readonly fetch?: typeof globalThis.fetch
}

export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Instead of the one that every `POST` gets (developer-api.md 1.8), so that a program begun anew makes its request once. */
  readonly idempotencyKey?: string
  /** The `revision` or `version` that is changed; another one by now is a `conflict_error`. */
  readonly ifMatch?: number
  /** `minimal`: a write answers with the ids of its records alone (RFC 7240). */
  readonly prefer?: "minimal"
}

/** Parameters of path and query, with the body beside them. */
export type Input = Readonly<Record<string, unknown>> & { readonly body?: unknown }

interface SendInit extends RequestInit {
  /** Sends no credentials. */
  readonly open?: boolean
  /** Large files take as long as they take. */
  readonly unlimited?: boolean
}

export interface Transport {
  /** @returns the answer's JSON; the `Response` where the route's answer is a stream */
  readonly request: (route: Route, input: Input, options?: RequestOptions) => Promise<unknown>
  /** Any address of the service, once, with the credentials where it is not open to all. */
  readonly send: (url: URL, init: SendInit) => Promise<Response>
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly errorOf: (response: Response) => Promise<ApiError | TransportError>
}

/** A UUID would be one of secure pages alone. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

const addressOf = (baseUrl: string, { path, query }: Route, input: Input): URL => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name]
    if (value === undefined || value === null || value === "") throw new TypeError(`${name} is missing`)
    return encodeURIComponent(String(value))
  })
  const url = addressAt(baseUrl, filled)
  for (const name of query) {
    const value = input[name]
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

const errorOf = async (response: Response): Promise<ApiError | TransportError> => {
  const text = await response.text()
  try {
    const body = JSON.parse(text)
    if (typeof body.error_code === "string" && typeof body.error_message === "string")
      return new ApiError(body, response.headers)
  } catch {
    // Not the API's: said below.
  }
  return new TransportError(`The answer ${response.status} is not the API's`, { status: response.status })
}

export const makeTransport = (options: ClientOptions): Transport => {
  const { baseUrl, credentials, timeoutMillis = 60_000 } = options
  const fetch = options.fetch ?? globalThis.fetch
  const retries = retriesOf(options.retry)

  const sendOnce = async (url: URL, { unlimited = false, ...init }: SendInit): Promise<Response> => {
    const limit = unlimited ? undefined : AbortSignal.timeout(timeoutMillis)
    const signals = [init.signal, limit].filter((one) => one instanceof AbortSignal)
    try {
      return await fetch(url, { ...init, signal: AbortSignal.any(signals), redirect: "error" })
    } catch (cause) {
      if (init.signal?.aborted === true) throw init.signal.reason
      const why = limit?.aborted ? `no answer within ${timeoutMillis} ms` : String((cause as Error).message ?? cause)
      throw new TransportError(`${init.method ?? "GET"} ${url.pathname}: ${why}`, { cause })
    }
  }

  const send: Transport["send"] = async (url, { open = false, ...init }) => {
    const attempt = async (refused?: string) => {
      const token = open ? null : await credentials.token(refused)
      if (refused !== undefined && token === null) return null
      const headers = new Headers(init.headers)
      if (token !== null) headers.set("Authorization", `Bearer ${token}`)
      return { token, response: await sendOnce(url, { ...init, headers }) }
    }
    const firstAttempt = (await attempt())!
    if (firstAttempt.response.status !== 401 || firstAttempt.token === null || init.body instanceof ReadableStream)
      return firstAttempt.response
    const secondAttempt = await attempt(firstAttempt.token)
    return secondAttempt?.response ?? firstAttempt.response
  }

  const request: Transport["request"] = async (route, input, { idempotencyKey, ifMatch, prefer, signal } = {}) => {
    const url = addressOf(baseUrl, route, input)
    const headers = new Headers({ Accept: "application/json" })
    // A listing changes nothing, though some are asked for by POST.
    const reads = route.method === "GET" || route.page !== undefined
    const key = idempotencyKey ?? (route.idempotent === true && !reads ? randomKey() : undefined)
    if (key !== undefined) headers.set("Idempotency-Key", key)
    if (ifMatch !== undefined) headers.set("If-Match", `"${ifMatch}"`)
    if (prefer !== undefined) headers.set("Prefer", `return=${prefer}`)
    if (route.body === "json") headers.set("Content-Type", "application/json")
    const body =
      route.body === "json" ? JSON.stringify(input.body ?? {}) : route.body === "form" ? (input.body as FormData) : null
    // The second of two equal deletes would be a 404, and so would tell less than the first one did.
    const repeatable = reads || (route.method === "PUT" && ifMatch === undefined) || key !== undefined
    for (let tries = 1; ; tries++) {
      try {
        const response = await send(url, { method: route.method, headers, body, signal: signal ?? null })
        if (!response.ok) throw await errorOf(response)
        return route.answer === "stream" ? response : await response.json()
      } catch (error) {
        const millis = pauseAfter(error, tries, repeatable, retries)
        if (millis === null) throw error
        await pause(millis, signal)
      }
    }
  }

  return { request, send, baseUrl, credentials, errorOf }
}
