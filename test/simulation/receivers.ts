// Receivers of a schedule: the client for addresses of users, whose requests wait until the schedule answers them.
import { Effect, Layer, Result } from "effect"
import { Outbound } from "../../src/platform/outbound/Outbound.ts"
import { OutboundError } from "../../src/platform/outbound/OutboundError.ts"
import type { OutboundRequest, OutboundResponse } from "../../src/platform/outbound/requests.ts"

/** A request that has reached its receiver. */
export interface Request {
  readonly owner: string
  readonly path: string
  /** The `webhook-id` of a delivery, the `idempotency-key` of a step. */
  readonly id: string
  readonly body: string
  /** Place among all requests of the schedule. */
  readonly number: number
  readonly answer: (status: number | "lost") => void
  /** Requests to the same address that waited for their answer when it came, by their numbers. */
  readonly beside: ReadonlyArray<number>
  status: number | "lost" | "open" | "given up"
}

const answerOf = ({ method, url }: OutboundRequest, status: number): OutboundResponse => ({
  ...{ status, method, url, headers: {}, cookies: [], body: new Uint8Array(), truncated: false }
})

export const makeReceivers = (changed: () => void) => {
  const requests: Array<Request> = []

  const layerFor = (owner: string) => {
    const begin = (
      request: Omit<OutboundRequest, "identity">,
      done: (result: Result.Result<OutboundResponse, OutboundError>) => void
    ) => {
      const { pathname: path } = new URL(request.url)
      const entry: Request = {
        owner,
        path,
        beside: requests.filter((other) => other.path === path && other.status === "open").map(({ number }) => number),
        id: request.headers?.["webhook-id"] ?? request.headers?.["idempotency-key"] ?? "",
        body: String(request.body ?? ""),
        number: requests.length + 1,
        status: "open",
        answer: (status) => {
          entry.status = status
          const lost = new OutboundError({ reason: "timeout", message: "no answer" })
          done(status === "lost" ? Result.fail(lost) : Result.succeed(answerOf(request, status)))
        }
      }
      requests.push(entry)
      changed()
      return () => {
        if (entry.status === "open") entry.status = "given up"
      }
    }
    return Layer.succeed(
      Outbound,
      Outbound.of({
        request: (request) =>
          Effect.callback<OutboundResponse, OutboundError>((resume) =>
            Effect.sync(begin(request, (result) => resume(Effect.fromResult(result))))
          ),
        requestUntraced: begin,
        check: (url) => Effect.succeed(new URL(url)),
        mailServers: undefined as never,
        lookedUp: ((self: unknown) => self) as never
      })
    )
  }

  /** Those that wait for an answer of a receiver, of processes that live. */
  const openReceiver = (isAlive: (owner: string) => boolean) =>
    requests.filter(({ owner, status }) => status === "open" && isAlive(owner))

  return { layerFor, open: openReceiver, requests }
}
export type Receivers = ReturnType<typeof makeReceivers>
