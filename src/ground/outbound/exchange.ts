// One request and its answer over a pool of sockets, within its deadlines (decisions W1, W9). A single callback instead of
// promises, streams and racing fibers: at thousands of deliveries these made up most of the process's time.
import { Duration, Effect } from "effect"
import type { Dispatcher } from "undici"
import { bodyArrived, INTERIM_AT_MOST, isShredded } from "./meter.ts"
import { fromCause, OutboundError, type OutboundReason } from "./OutboundError.ts"
import type { Policy } from "./policies.ts"

export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
  readonly policy: Policy
  /** When the answer's headers must have ended, on the clock of `performance.now()`. */
  readonly until: number
  /** When all of it must have ended; infinity where only the parts are limited. */
  readonly wholeUntil: number
  /** Whether the body is of interest; otherwise the connection is dropped after the headers. */
  readonly wantsBody: (status: number, headers: Readonly<Record<string, string>>) => boolean
}

export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly truncated: boolean
}

type RawHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const flat = (headers: RawHeaders): Record<string, string> => {
  const one: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value !== undefined) one[name] = typeof value === "string" ? value : value.join(", ")
  }
  return one
}

const EMPTY = new Uint8Array(0)
/** What an exchange that is given up tells its socket; nobody sees it. */
const GIVEN_UP = new Error("given up")

export const exchange = (dispatcher: Dispatcher, { policy, url, ...request }: Exchange) =>
  Effect.callback<Answer, OutboundError>((resume) => {
    const host = url.hostname
    let controller: Dispatcher.DispatchController | undefined
    let timer: NodeJS.Timeout | undefined
    let connecting: NodeJS.Timeout | undefined
    let over = false
    let status = 0
    let headers: Readonly<Record<string, string>> = {}
    let chunks: Array<Uint8Array> = []
    let size = 0
    let pieces = 0
    let interim = 0

    const settle = (effect: Effect.Effect<Answer, OutboundError>) => {
      if (over) return
      over = true
      clearTimeout(timer)
      clearTimeout(connecting)
      resume(effect)
    }
    const fail = (reason: OutboundReason, message: string) =>
      settle(Effect.fail(new OutboundError({ reason, message: `${host}: ${message}` })))
    /** With what has come so far; the rest of the answer is not read. */
    const drop = () => {
      over = true
      clearTimeout(timer)
      clearTimeout(connecting)
      controller?.abort(GIVEN_UP)
    }
    const answer = (truncated: boolean) => {
      const whole = chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? EMPTY : Buffer.concat(chunks)
      const body = truncated ? whole.subarray(0, policy.maxBytes) : whole
      settle(Effect.succeed({ status, headers, body, truncated }))
    }
    const overrun = (reason: "too_large" | "timeout" | "protocol_error", message: string) => {
      if (policy.overrun === "truncate") answer(true)
      else fail(reason, message)
      drop()
    }

    const left = (instant: number) => Math.max(0, instant - performance.now())
    const giveUp = (reason: OutboundReason, message: string) => {
      fail(reason, message)
      drop()
    }
    timer = setTimeout(
      () => giveUp("timeout", `no answer within ${Duration.format(policy.headers)}`),
      left(Math.min(request.until, request.wholeUntil))
    )
    const { connect } = policy
    if (connect !== undefined) {
      // Nothing was sent: a failure to connect, not an answer that is late.
      connecting = setTimeout(
        () => giveUp("connection_failed", `no connection within ${Duration.format(connect)}`),
        Duration.toMillis(connect)
      )
    }

    const handler: Dispatcher.DispatchHandler = {
      // The socket stands; the request is about to be written.
      onRequestStart: (started) => {
        controller = started
        clearTimeout(connecting)
        if (over) started.abort(GIVEN_UP)
      },
      onResponseStart: (_controller, code, raw) => {
        if (over) return
        if (code < 200) {
          if (++interim > INTERIM_AT_MOST) giveUp("protocol_error", `more than ${INTERIM_AT_MOST} interim answers`)
          return
        }
        status = code
        headers = flat(raw)
        if (!request.wantsBody(status, headers)) {
          answer(false)
          return drop()
        }
        clearTimeout(timer)
        timer = setTimeout(
          () => overrun("timeout", "the answer's body did not end in time"),
          Math.min(Duration.toMillis(policy.body), left(request.wholeUntil))
        )
      },
      onResponseData: (_controller, chunk) => {
        bodyArrived(chunk.byteLength)
        if (over) return
        chunks.push(chunk)
        size += chunk.byteLength
        if (size > policy.maxBytes) overrun("too_large", `the answer is longer than ${policy.maxBytes} bytes`)
        else if (isShredded(++pieces, size)) overrun("protocol_error", "the answer comes in too many small chunks")
      },
      onResponseEnd: () => answer(false),
      onResponseError: (_controller, cause) => {
        const error = fromCause(cause, host)
        if (error.reason === "too_large" && status !== 0) overrun("too_large", error.message)
        else settle(Effect.fail(error))
      }
    }
    try {
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: request.method as Dispatcher.HttpMethod,
          headers: request.headers,
          body: request.body
        },
        handler
      )
    } catch (cause) {
      settle(Effect.fail(fromCause(cause, host)))
    }
    return Effect.sync(() => {
      chunks = []
      drop()
    })
  })
