// Receives the POSTs of a measurement's hooks: counts them, notes when each path was called, and answers 204, or never.
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface BenchReceiver {
  readonly port: number
  /** `host:port`, as OUTBOUND_ALLOW wants it. */
  readonly hostPort: string
  /** Requests so far, all paths but those that hang. */
  readonly count: () => number
  /** Called for every request that is answered, as soon as its body is there. @param listener the last it is given is the `webhook-id` */
  readonly onRequest: (listener: ((path: string, body: string, id: string) => void) | undefined) => void
  /** Requests that wait for their answer for ever at this moment. */
  readonly hanging: () => number
}

/** Paths below this one are never answered. */
export const HANGING = "/hanging"

/** Listens on the loopback address for as long as the scope lasts. */
export const startBenchReceiver = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<BenchReceiver & { readonly stop: () => void }>((resolve) => {
        let count = 0
        let listener: ((path: string, body: string, id: string) => void) | undefined
        const openResponses = new Set<ServerResponse>()
        const server = createServer((request, response) => {
          const path = request.url ?? "/"
          let body = ""
          request.setEncoding("utf8")
          request.on("data", (chunk: string) => {
            body += chunk
          })
          request.on("end", () => {
            if (path.startsWith(HANGING)) {
              openResponses.add(response)
              response.on("close", () => openResponses.delete(response))
              return
            }
            count++
            listener?.(path, body, String(request.headers["webhook-id"]))
            response.writeHead(204).end()
          })
          request.on("error", () => undefined)
        })
        server.keepAliveTimeout = 60_000
        server.listen(0, "127.0.0.1", 4096, () => {
          const { port } = server.address() as AddressInfo
          resolve({
            port,
            hostPort: `127.0.0.1:${port}`,
            count: () => count,
            onRequest: (next) => {
              listener = next
            },
            hanging: () => openResponses.size,
            stop: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        })
      })
  ),
  ({ stop }) => Effect.sync(stop)
)
