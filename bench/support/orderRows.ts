// Rows of everyday work with orders beside a product of its own: a page by filter and sort, a record, a create and an update.
import { Effect, type Scope } from "effect"
import type { Machine } from "./machine.ts"
import { buildPageIndexes, jsonHeaders, ORDERS, onDatabase, pageRequests, seedOrders, WEIGHTS } from "./orders.ts"
import { loader, perRequest, type Request } from "./processes.ts"
import type { BenchFailed, ProductMissing, Row } from "./Row.ts"
import { seeded } from "./servers.ts"

const PAGE_CONNECTIONS = 4
const CONNECTIONS = 16
const REQUESTS = 1000

type BareRequest = Omit<Request, "headers">

/** A product that serves `ORDERS` orders whose weight is their number modulo `WEIGHTS`. */
export interface Product {
  readonly name: string
  /** Begins the names of its rows. */
  readonly prefix: string
  readonly start: (
    machine: Machine
  ) => Effect.Effect<
    { readonly url: string; readonly authorization: string; readonly pid: number },
    BenchFailed | ProductMissing,
    Scope.Scope
  >
  readonly page: (weight: number) => BareRequest
  readonly read: (n: number) => BareRequest
  readonly create: (order: object) => BareRequest
  readonly update: (n: number, order: object) => BareRequest
  readonly aims: Readonly<Record<"page" | "read" | "create" | "update", number>>
}

const numbered = (requestOf: (n: number) => BareRequest) => Array.from({ length: REQUESTS }, (_, n) => requestOf(n))
const order = (n: number) => ({ reference: `New order ${n}`, weight: n % WEIGHTS })
/** Differs with every request, as the generator sends it: a write of what is there already changes nothing, and costs less. */
const changedOrder = (n: number) => ({ reference: `Changed order ${n} [<id>]`, weight: n % WEIGHTS })

type Service = Effect.Success<ReturnType<typeof seeded>>

/** Requests of both sides for the same work. */
interface Work {
  readonly connections: number
  readonly ours: (service: Service, recordIds: ReadonlyArray<number>) => ReadonlyArray<BareRequest>
  readonly peer: ReadonlyArray<BareRequest>
}

const sidesOf = (product: Product, { connections, ours, peer }: Work) =>
  Effect.gen(function* () {
    const service = yield* seeded(1)
    const { machine, tokens } = service
    yield* seedOrders(service)
    const { authorization, pid, url } = yield* product.start(machine)
    yield* buildPageIndexes(machine, loader(machine, machine.baseUrl, PAGE_CONNECTIONS, pageRequests(service)))
    const rows = yield* onDatabase(
      machine,
      (sql) => sql<{ record_id: number }>`SELECT record_id FROM records ORDER BY record_id LIMIT ${REQUESTS}::int`
    )
    const ids = rows.map(({ record_id }) => record_id)
    const withToken = (request: BareRequest, i: number) => ({
      ...request,
      headers: jsonHeaders(tokens[i % tokens.length]!)
    })
    const ownRequests = ours(service, ids).map(withToken)
    const peerHeaders = { authorization, "content-type": "application/json" }
    const peerRequests = peer.map((request) => ({ ...request, headers: peerHeaders }))
    return {
      ours: perRequest(
        machine,
        machine.pidOf("service") ?? 0,
        loader(machine, machine.baseUrl, connections, ownRequests)
      ),
      peer: perRequest(machine, pid, loader(machine, url, connections, peerRequests))
    }
  })

export const orderRows = (product: Product): ReadonlyArray<Row> => {
  const { aims, create, name: peer, page, prefix, read, update } = product
  const rate = { peer, measure: "rate", unit: "requests/s", more: true } as const
  return [
    {
      ...rate,
      name: `${prefix}-listing`,
      work: `a page of ${ORDERS} records by one field, sorted by another, with its total, ${PAGE_CONNECTIONS} connections`,
      unit: "pages/s",
      aim: aims.page,
      prepare: sidesOf(product, {
        connections: PAGE_CONNECTIONS,
        ours: pageRequests,
        peer: numbered((n) => page(n % WEIGHTS))
      })
    },
    {
      ...rate,
      name: `${prefix}-read`,
      work: `a record, ${CONNECTIONS} connections`,
      aim: aims.read,
      prepare: sidesOf(product, {
        connections: CONNECTIONS,
        ours: (_, ids) => ids.map((id) => ({ method: "GET", path: `/v1/record/${id}` })),
        peer: numbered(read)
      })
    },
    {
      ...rate,
      name: `${prefix}-create`,
      work: `a new record, with its revision and event on our side, ${CONNECTIONS} connections`,
      aim: aims.create,
      prepare: sidesOf(product, {
        connections: CONNECTIONS,
        ours: ({ appId }) =>
          numbered((n) => ({
            method: "POST",
            path: `/v1/record/app/${appId}`,
            body: JSON.stringify({ fields: order(n) })
          })),
        peer: numbered((n) => create(order(n)))
      })
    },
    {
      ...rate,
      name: `${prefix}-update`,
      work: `a change of a record and its title, with its revision and event on our side, ${CONNECTIONS} connections`,
      aim: aims.update,
      prepare: sidesOf(product, {
        connections: CONNECTIONS,
        ours: (_, ids) =>
          ids.map((id, n) => ({
            method: "PUT",
            path: `/v1/record/${id}`,
            body: JSON.stringify({ fields: changedOrder(n) })
          })),
        peer: numbered((n) => update(n, changedOrder(n)))
      })
    }
  ]
}
