// Sends one request and reads its answer over a pool of sockets, within its deadlines (decisions W1, W9). One object with callbacks instead
// of promises, streams and racing fibers: at thousands of deliveries these made up most of the process's time.
import { Duration, Result } from "effect"
import type { Dispatcher } from "undici"
import { Deadline } from "./deadline.ts"
import { bodyArrived, INTERIM_AT_MOST, isShredded } from "./meter.ts"
import { fromCause, OutboundError, type OutboundReason } from "./OutboundError.ts"
import type { Policy } from "./policies.ts"

export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
  readonly policy: Policy
  /** Instant at which the answer's headers must have ended, on the clock of `performance.now()`. */
  readonly until: number
  /** Instant at which all of it must have ended; infinity if only the parts are limited. */
  readonly wholeUntil: number
  /** True if the body is wanted; otherwise the connection is dropped after the headers. */
  readonly wantsBody: (status: number, headers: Readonly<Record<string, string>>) => boolean
}

export interface Answer {
  readonly status: number
  /** Headers with names in lower case; several lines of a name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`, one by one, since a cookie may hold commas (RFC 6265 3). */
  readonly cookies: ReadonlyArray<string>
  readonly body: Uint8Array
  /** True when the body was longer or slower than the policy reads. */
  readonly truncated: boolean
}

type RawHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
type Headers = Readonly<Record<string, string>>

const flat = (headers: RawHeaders): Headers => {
  const flatHeaders: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value !== undefined) flatHeaders[name] = typeof value === "string" ? value : value.join(", ")
  }
  return flatHeaders
}

const NO_COOKIES: ReadonlyArray<string> = []
const cookiesIn = ({ "set-cookie": set }: RawHeaders): ReadonlyArray<string> =>
  set === undefined ? NO_COOKIES : typeof set === "string" ? [set] : set

const EMPTY = new Uint8Array(0)
/** Abort reason of an exchange that has been settled; no caller sees it. */
const GIVEN_UP = new Error("given up")

/** Callback, called at most once. */
export type Done<A> = (result: Result.Result<A, OutboundError>) => void

const millisUntil = (instant: number) => Math.max(0, instant - performance.now())

class Exchanging implements Dispatcher.DispatchHandler {
  private readonly one: Exchange
  private readonly done: Done<Answer>
  private controller: Dispatcher.DispatchController | undefined
  private deadline: Deadline
  private connecting: Deadline | undefined
  private over = false
  private status = 0
  private headers: Headers = {}
  private cookies = NO_COOKIES
  private chunks: Array<Uint8Array> = []
  private size = 0
  private pieces = 0
  private interim = 0

  constructor(one: Exchange, done: Done<Answer>) {
    this.one = one
    this.done = done
    this.deadline = new Deadline(millisUntil(Math.min(one.until, one.wholeUntil)), () => this.late())
    const { connect } = one.policy
    if (connect !== undefined) this.connecting = new Deadline(Duration.toMillis(connect), () => this.unconnected())
  }

  // Called when the socket is connected and the request is about to be written.
  onRequestStart(started: Dispatcher.DispatchController) {
    this.controller = started
    this.connecting?.cancel()
    if (this.over) started.abort(GIVEN_UP)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, code: number, raw: RawHeaders) {
    if (this.over) return
    if (code < 200) {
      if (++this.interim > INTERIM_AT_MOST)
        this.giveUp("protocol_error", `more than ${INTERIM_AT_MOST} interim answers`)
      return
    }
    this.status = code
    this.headers = flat(raw)
    this.cookies = cookiesIn(raw)
    if (!this.one.wantsBody(code, this.headers)) {
      this.answer(false)
      return this.drop()
    }
    this.deadline.cancel()
    const { policy, wholeUntil } = this.one
    const millis = Math.min(Duration.toMillis(policy.body), millisUntil(wholeUntil + this.deadline.grantedMillis))
    this.deadline = new Deadline(millis, () => this.overrun("timeout", "the answer's body did not end in time"))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array) {
    bodyArrived(chunk.byteLength)
    if (this.over) return
    const { maxBytes } = this.one.policy
    this.chunks.push(chunk)
    this.size += chunk.byteLength
    if (this.size > maxBytes) this.overrun("too_large", `the answer is longer than ${maxBytes} bytes`)
    else if (isShredded(++this.pieces, this.size))
      this.overrun("protocol_error", "the answer comes in too many small chunks")
  }

  onResponseEnd() {
    this.answer(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, cause: unknown) {
    const error = fromCause(cause, this.one.url.hostname)
    if (error.reason === "too_large" && this.status !== 0) this.overrun("too_large", error.message)
    else this.settle(Result.fail(error))
  }

  private settle(result: Result.Result<Answer, OutboundError>) {
    if (this.over) return
    this.end()
    this.done(result)
  }

  private end() {
    this.over = true
    this.deadline.cancel()
    this.connecting?.cancel()
  }

  /** Ends the exchange without telling the caller anything more, and aborts: the rest of the answer is not read. */
  drop() {
    this.end()
    this.chunks = []
    this.controller?.abort(GIVEN_UP)
  }

  private answer(truncated: boolean) {
    const { chunks, cookies, headers, status } = this
    const fullBody = chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? EMPTY : Buffer.concat(chunks)
    const body = truncated ? fullBody.subarray(0, this.one.policy.maxBytes) : fullBody
    this.settle(Result.succeed({ status, headers, cookies, body, truncated }))
  }

  private overrun(reason: "too_large" | "timeout" | "protocol_error", message: string) {
    if (this.one.policy.overrun === "truncate") {
      this.answer(true)
      this.drop()
    } else this.giveUp(reason, message)
  }

  private giveUp(reason: OutboundReason, message: string) {
    this.settle(Result.fail(new OutboundError({ reason, message: `${this.one.url.hostname}: ${message}` })))
    this.drop()
  }

  private late() {
    this.giveUp("timeout", `no answer within ${Duration.format(this.one.policy.headers)}`)
  }

  /** Reports a failure to connect, not a late answer: nothing was sent. */
  private unconnected() {
    this.giveUp("connection_failed", `no connection within ${Duration.format(this.one.policy.connect!)}`)
  }
}

/** Starts the exchange. @returns a function that gives it up: the callback is not called any more */
export const exchange = (dispatcher: Dispatcher, one: Exchange, done: Done<Answer>): (() => void) => {
  const { body, headers, method, url } = one
  const exchanging = new Exchanging(one, done)
  const path = `${url.pathname}${url.search}`
  try {
    dispatcher.dispatch(
      { origin: url.origin, path, method: method as Dispatcher.HttpMethod, headers, body },
      exchanging
    )
  } catch (cause) {
    exchanging.onResponseError(null, cause)
  }
  return () => exchanging.drop()
}
