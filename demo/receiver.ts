// A webhook receiver as a customer would write one: it checks every signature with the `standardwebhooks` package, answers
// verification codes through the API, counts by `webhook-id` and keeps which event it has seen how often.
import { createServer, type IncomingMessage } from "node:http"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"

export interface Notification {
  readonly hook_id: number
  readonly type: string
  readonly record_id?: number
  readonly revision_id?: number
  readonly code?: string
}

export interface Received {
  readonly id: string
  readonly body: Notification
  /** Time of the first arrival, in epoch milliseconds. */
  readonly at: number
  /** Arrivals in all. */
  count: number
}

export interface Receiver {
  /** Notifications by `webhook-id`, in the order of their first arrival. */
  readonly received: ReadonlyMap<string, Received>
  /** Requests whose signature did not fit. */
  readonly forged: () => number
  /** When the last new event came, in epoch milliseconds. */
  readonly lastAt: () => number
  /** Secret of a hook, which its deliveries are checked with. */
  readonly trust: (hookId: number, secret: string) => void
  /** The code that the service sent for a hook last, once it is there. */
  readonly code: (hookId: number) => Promise<string>
  /** Before another one is asked for. */
  readonly forgetCode: (hookId: number) => void
}

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString("utf8")
}

/** Listens on the loopback address for as long as the scope lasts. */
export const startReceiver = (port: number) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        new Promise<Receiver & { readonly port: number; readonly stop: () => void }>((resolve, reject) => {
          const received = new Map<string, Received>()
          const secrets = new Map<number, Webhook>()
          const codes = new Map<number, PromiseWithResolvers<string>>()
          let forged = 0
          let lastAt = Date.now()
          const codeOf = (hookId: number) => {
            const verification = codes.get(hookId) ?? Promise.withResolvers<string>()
            codes.set(hookId, verification)
            return verification
          }
          const take = (headers: IncomingMessage["headers"], text: string): number => {
            const body = JSON.parse(text) as Notification
            const secret = secrets.get(body.hook_id)
            try {
              if (secret === undefined) throw new Error("no such hook")
              secret.verify(text, headers as Record<string, string>)
            } catch {
              forged++
              return 401
            }
            if (body.type === "hook.verify") {
              const newest = Promise.withResolvers<string>()
              codeOf(body.hook_id).resolve(body.code ?? "")
              newest.resolve(body.code ?? "")
              codes.set(body.hook_id, newest)
              return 204
            }
            const id = String(headers["webhook-id"])
            const previousArrival = received.get(id)
            if (previousArrival === undefined) {
              lastAt = Date.now()
              received.set(id, { id, body, at: lastAt, count: 1 })
            } else previousArrival.count++
            return 204
          }
          const server = createServer((request, response) => {
            bodyOf(request).then(
              (text) => response.writeHead(take(request.headers, text)).end(),
              () => response.destroy()
            )
          })
          server.once("error", reject)
          server.listen(port, "127.0.0.1", () => {
            const address = server.address()
            resolve({
              port: typeof address === "object" && address !== null ? address.port : port,
              received,
              forged: () => forged,
              lastAt: () => lastAt,
              trust: (hookId, secret) => void secrets.set(hookId, new Webhook(secret)),
              code: (hookId) => codeOf(hookId).promise,
              forgetCode: (hookId) => void codes.delete(hookId),
              stop: () => {
                server.close()
                server.closeAllConnections()
              }
            })
          })
        }),
      catch: (error) => new Error(`the receiver cannot listen on 127.0.0.1:${port}: ${(error as Error).message}`)
    }),
    ({ stop }) => Effect.sync(stop)
  )
