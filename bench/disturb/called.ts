// Server that steps of automations call: it answers everything and counts the calls by Idempotency-Key (decisions A19).
import { createServer } from "node:http"
import { Effect } from "effect"

export interface Called {
  readonly port: number
  /** Calls by path and Idempotency-Key. */
  readonly keys: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export const startCalled = Effect.acquireRelease(
  Effect.callback<Called & { readonly close: () => void }, Error>((resume) => {
    const keys = new Map<string, Map<string, number>>()
    const server = createServer((request, response) => {
      const key = String(request.headers["idempotency-key"] ?? "")
      const callCounts = keys.get(request.url ?? "") ?? new Map<string, number>()
      keys.set(request.url ?? "", callCounts.set(key, (callCounts.get(key) ?? 0) + 1))
      request.resume()
      request.once("end", () => response.writeHead(204).end())
    })
    server.once("error", (error) => resume(Effect.fail(error)))
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resume(Effect.succeed({ port: typeof address === "object" ? address!.port : 0, keys, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)
