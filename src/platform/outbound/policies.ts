// Time-outs and sizes of each use of the outbound client, in one table (decisions W1, W9, O7; developer-api.md 7.6).
import { Duration } from "effect"

export interface Policy {
  /** Time from a hop's start, name look-up included, until its connection stands. Undefined: only the time for the headers limits it. */
  readonly connect?: Duration.Duration
  /** Time from the start of the first hop to the end of the body. */
  readonly whole?: Duration.Duration
  /** Time from the start (name look-up and connecting included) to the end of the answer's headers; redirects together. */
  readonly headers: Duration.Duration
  /** Time from the end of the headers to the end of the body. */
  readonly body: Duration.Duration
  /** Most bytes of the answer's body that are read. */
  readonly maxBytes: number
  /** Treatment of a body that is longer or slower than allowed: cut it and mark it as such, or fail. */
  readonly overrun: "truncate" | "fail"
  /** Redirects that are followed, each checked like the first address. 0: a redirect is an answer like any other. */
  readonly redirects: number
  /** True if every hop must be https. */
  readonly secure?: boolean
  /** Ports that may be called without an exception, if configured; otherwise 80 and 443. */
  readonly ports?: ReadonlySet<number>
}

const KiB = 1024
const MiB = 1024 * KiB

/** Limits of `http_call`, the `http` of scripts, providers' token requests: 10 s to connect, 30 s in all, 5 MiB (developer-api.md 7.6). */
const httpCall = {
  connect: Duration.seconds(10),
  whole: Duration.seconds(30),
  headers: Duration.seconds(30),
  body: Duration.seconds(30),
  maxBytes: 5 * MiB,
  overrun: "fail",
  redirects: 0
} as const

export const policies = {
  /** Webhooks have 5 s from connect to end of headers; a slow or long body changes nothing about a 2xx. */
  webhook: {
    headers: Duration.seconds(5),
    body: Duration.seconds(2),
    maxBytes: 64 * KiB,
    overrun: "truncate",
    redirects: 0
  },
  /** Fetching a document has 5 s in all, which each part may use up. */
  metadataDocument: {
    headers: Duration.seconds(5),
    body: Duration.seconds(5),
    maxBytes: 5 * KiB,
    overrun: "fail",
    redirects: 0
  },
  httpCall,
  httpCallRedirects: { ...httpCall, redirects: 5 },
  /** Answers that a step keeps as a file. */
  httpFile: { ...httpCall, maxBytes: 25 * MiB },
  /** A CSV file to import: over https, redirects included. */
  importFile: { ...httpCall, maxBytes: 25 * MiB, whole: Duration.seconds(60), redirects: 5, secure: true },
  image: {
    headers: Duration.seconds(5),
    body: Duration.seconds(5),
    maxBytes: 5 * MiB,
    overrun: "fail",
    redirects: 3,
    secure: true
  }
} as const satisfies Record<string, Policy>
