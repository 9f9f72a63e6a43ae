// A directory of organizations as a test has it: which cell each lives in, and one address for all of them, which passes a request on to the
// cell of the organization that its token is of. A token that it does not know is asked of the cells, once.
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface Directory {
  /** The one address. */
  readonly origin: string
  /** Origin of the cell that the organization is in. */
  readonly place: (orgId: number, cell: string) => void
  /** Its calls are answered 503 until it is placed. */
  readonly hold: (orgId: number) => void
}

const KEPT = ["authorization", "content-type", "idempotency-key"]
const ASK_MILLIS = 5_000

const bodyOf = async (request: IncomingMessage) => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return parts.length === 0 ? undefined : Buffer.concat(parts)
}

/** @param cells origins of all cells, as they are now */
export const directory = (cells: () => ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Directory & { readonly stop: () => void }>((resolve) => {
          const cellByOrg = new Map<number, string | null>()
          const tokens = new Map<string, number>()

          /** The organization of a token; the cell that knows it says so. */
          const organizationOf = async (authorization: string): Promise<number | undefined> => {
            const key = createHash("sha256").update(authorization).digest("hex")
            if (tokens.has(key)) return tokens.get(key)
            for (const cell of cells()) {
              const init = { headers: { authorization }, signal: AbortSignal.timeout(ASK_MILLIS) }
              const answer = await fetch(`${cell}/v1/user`, init).catch(() => undefined)
              if (answer?.ok !== true) continue
              const { org_id } = (await answer.json()) as { org_id: number }
              tokens.set(key, org_id)
              if (!cellByOrg.has(org_id)) cellByOrg.set(org_id, cell)
              return org_id
            }
            return undefined
          }

          const answerAway = (response: ServerResponse) => response.writeHead(503, { "retry-after": "1" }).end()

          const pass = async (request: IncomingMessage, response: ServerResponse) => {
            const body = await bodyOf(request)
            const org = await organizationOf(request.headers.authorization ?? "")
            if (org === undefined) return response.writeHead(401).end()
            const cell = cellByOrg.get(org)
            if (cell === null || cell === undefined) return answerAway(response)
            const headers = KEPT.flatMap((name) => {
              const value = request.headers[name]
              return typeof value === "string" ? [[name, value] as [string, string]] : []
            })
            const init = { method: request.method ?? "GET", headers, ...(body === undefined ? {} : { body }) }
            const answer = await fetch(`${cell}${request.url}`, init)
            const text = await answer.text()
            return response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
          }

          const server = createServer((request, response) => {
            pass(request, response).catch(() => (response.headersSent ? response.destroy() : answerAway(response)))
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({
              origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
              place: (orgId, cell) => cellByOrg.set(orgId, cell),
              hold: (orgId) => cellByOrg.set(orgId, null),
              stop: () => {
                server.close()
                server.closeAllConnections()
              }
            })
          )
        })
    ),
    ({ stop }) => Effect.sync(stop)
  )
