// Rows beside PocketBase (bench/products/pocketbase): the same orders in its SQLite, whose commits reach the disk as those of Postgres do.
import { join } from "node:path"
import { Effect } from "effect"
import { freePort } from "../../bin/parts/os.js"
import type { Machine } from "../support/machine.ts"
import {
  buildPageIndexes,
  jsonHeaders,
  ORDERS,
  onDatabase,
  pageRequests,
  seedOrders,
  WEIGHTS
} from "../support/orders.ts"
import { loader, type Request } from "../support/processes.ts"
import { askUntilGood, buildProduct, startProgram } from "../support/products.ts"
import type { Row } from "../support/Row.ts"
import { seeded } from "../support/servers.ts"

const PAGE_CONNECTIONS = 4
const CONNECTIONS = 16
const REQUESTS = 1000

const startPocketBase = Effect.fnUntraced(function* (machine: Machine) {
  const program = yield* buildProduct("pocketbase", machine.dir)
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  const args = ["serve", `--http=127.0.0.1:${port}`, `--dir=${join(machine.dir, "pocketbase-data")}`]
  const env = { ORDERS: String(ORDERS), WEIGHTS: String(WEIGHTS) }
  yield* startProgram(program, args, env, join(machine.dir, "logs", "pocketbase.log"))
  const url = `http://127.0.0.1:${port}`
  const answer = yield* askUntilGood("PocketBase", `${url}/bench`)
  return { url, token: yield* Effect.promise(() => answer.text()) }
})

const RECORDS = "/api/collections/orders/records"
const orderId = (n: number) => `order${String(n + 1).padStart(10, "0")}`
const numbered = (requestOf: (n: number) => Omit<Request, "headers">) =>
  Array.from({ length: REQUESTS }, (_, n) => requestOf(n))
const order = (n: number) => ({ reference: `New order ${n}`, weight: n % WEIGHTS })

type Service = Effect.Success<ReturnType<typeof seeded>>

/** Requests of both sides for the same work. */
interface Work {
  readonly connections: number
  readonly ours: (service: Service, recordIds: ReadonlyArray<number>) => ReadonlyArray<Omit<Request, "headers">>
  readonly peer: ReadonlyArray<Omit<Request, "headers">>
}

const sidesOf = ({ connections, ours, peer }: Work) =>
  Effect.gen(function* () {
    const service = yield* seeded(1)
    const { machine, tokens } = service
    yield* seedOrders(service)
    const { token, url } = yield* startPocketBase(machine)
    yield* buildPageIndexes(machine, loader(machine, machine.baseUrl, PAGE_CONNECTIONS, pageRequests(service)))
    const rows = yield* onDatabase(
      machine,
      (sql) => sql<{ record_id: number }>`SELECT record_id FROM records ORDER BY record_id LIMIT ${REQUESTS}::int`
    )
    const ids = rows.map(({ record_id }) => record_id)
    const withToken = (request: Omit<Request, "headers">, i: number) => ({
      ...request,
      headers: jsonHeaders(tokens[i % tokens.length]!)
    })
    const ownRequests = ours(service, ids).map(withToken)
    const peerHeaders = { authorization: token, "content-type": "application/json" }
    const peerRequests = peer.map((request) => ({ ...request, headers: peerHeaders }))
    return {
      ours: loader(machine, machine.baseUrl, connections, ownRequests),
      peer: loader(machine, url, connections, peerRequests)
    }
  })

const rate = { peer: "PocketBase", measure: "rate", unit: "requests/s", more: true } as const

export const pocketBaseRows: ReadonlyArray<Row> = [
  {
    ...rate,
    name: "pocketbase-listing",
    work: `a page of ${ORDERS} records by one field, sorted by another, with its total, ${PAGE_CONNECTIONS} connections`,
    aim: 1.5,
    prepare: sidesOf({
      connections: PAGE_CONNECTIONS,
      ours: pageRequests,
      peer: numbered((n) => ({
        method: "GET",
        path: `${RECORDS}?filter=(weight=${n % WEIGHTS})&sort=reference&perPage=50`
      }))
    })
  },
  {
    ...rate,
    name: "pocketbase-read",
    work: `a record, ${CONNECTIONS} connections`,
    aim: 0.9,
    prepare: sidesOf({
      connections: CONNECTIONS,
      ours: (_, ids) => ids.map((id) => ({ method: "GET", path: `/v1/record/${id}` })),
      peer: numbered((n) => ({ method: "GET", path: `${RECORDS}/${orderId(n)}` }))
    })
  },
  {
    ...rate,
    name: "pocketbase-create",
    work: `a new record, with its revision and event on our side, ${CONNECTIONS} connections`,
    aim: 0.8,
    prepare: sidesOf({
      connections: CONNECTIONS,
      ours: ({ appId }) =>
        numbered((n) => ({
          method: "POST",
          path: `/v1/record/app/${appId}`,
          body: JSON.stringify({ fields: order(n) })
        })),
      peer: numbered((n) => ({ method: "POST", path: RECORDS, body: JSON.stringify(order(n)) }))
    })
  },
  {
    ...rate,
    name: "pocketbase-update",
    work: `a change of a record, with its revision and event on our side, ${CONNECTIONS} connections`,
    aim: 1,
    prepare: sidesOf({
      connections: CONNECTIONS,
      ours: (_, ids) =>
        ids.map((id, n) => ({ method: "PUT", path: `/v1/record/${id}`, body: JSON.stringify({ fields: order(n) }) })),
      peer: numbered((n) => ({ method: "PATCH", path: `${RECORDS}/${orderId(n)}`, body: JSON.stringify(order(n)) }))
    })
  }
]
