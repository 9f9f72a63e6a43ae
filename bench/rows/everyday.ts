// Measures everyday work of users: records in batches, a page by filter and sort, a record and its revisions, a tool of the MCP server.
import { Effect } from "effect"
import {
  buildPageIndexes,
  jsonHeaders,
  ORDERS,
  onDatabase,
  pageRequests,
  seedOrders,
  WEIGHTS
} from "../support/orders.ts"
import { loader, perRequest, type Request } from "../support/processes.ts"
import { benchFailed, type Row, type Sides } from "../support/Row.ts"
import { featureFields, type Servers, servers, serversWith } from "../support/servers.ts"

const BATCH = 50
const CHANGES = 20
const FEW = 4
const MANY = 16

const both = ({ machine, peer }: Servers, connections: number, requests: ReadonlyArray<Request>): Sides => ({
  ours: perRequest(machine, machine.pidOf("service") ?? 0, loader(machine, machine.baseUrl, connections, requests)),
  peer: perRequest(machine, peer.pid, loader(machine, peer.url, connections, requests))
})

const batches = Effect.map(servers, (made) => {
  const inputs = Array.from({ length: BATCH }, (_, i) => ({
    fields: { reference: `Order ${i}`, weight: i, remark: `<p>To be delivered by lorry ${i}</p>` }
  }))
  const body = JSON.stringify({ inputs })
  const path = `/v1/record/app/batch/${made.appId}`
  return both(
    made,
    FEW,
    made.tokens.map((token) => ({ method: "POST", path, headers: jsonHeaders(token), body }))
  )
})

/** The records as ours keeps them, and as a table of their own with typed columns would. */
const filteredOf = Effect.fnUntraced(function* (prepared: typeof servers) {
  const serverSet = yield* prepared
  const { appId, machine } = serverSet
  yield* seedOrders(serverSet)
  yield* onDatabase(
    machine,
    (sql) => sql`
      CREATE TABLE bench_orders AS SELECT record_id, app_id, title AS reference, (app_record_id % ${WEIGHTS}::int)::int AS weight,
        NULL::text AS remark FROM records WHERE app_id = ${appId}`
  )
  yield* onDatabase(machine, (sql) => sql`CREATE INDEX ON bench_orders (app_id, weight, reference, record_id)`)
  const sides = both(serverSet, FEW, pageRequests(serverSet))
  yield* buildPageIndexes(machine, sides.ours)
  return sides
})

/** Records with so many changes behind them. */
const changed = Effect.fnUntraced(function* ({ appId, client }: Servers, count: number) {
  const createdBatch = yield* client.get("POST", `/v1/record/app/batch/${appId}`, {
    body: { inputs: Array.from({ length: count }, (_, i) => ({ fields: { reference: `Order ${i}`, weight: 0 } })) }
  })
  const ids: ReadonlyArray<number> = createdBatch.records.map(({ record_id }: any) => record_id)
  for (let change = 1; change <= CHANGES; change++)
    for (const id of ids) yield* client.get("PUT", `/v1/record/${id}`, { body: { fields: { weight: change } } })
  return ids
}, Effect.mapError(benchFailed))

/** Reads of some records in turn. @param below path below the record's */
const recordReads = (below: string) =>
  Effect.gen(function* () {
    const serverSet = yield* servers
    const ids = yield* changed(serverSet, 10)
    return both(
      serverSet,
      MANY,
      serverSet.tokens.map((token, i) => ({
        method: "GET",
        path: `/v1/record/${ids[i % ids.length]}${below}`,
        headers: { authorization: `Bearer ${token}` }
      }))
    )
  })

const PROTOCOL = "2025-11-25"

/** Reads a record by a tool. */
const tool = Effect.gen(function* () {
  const serverSet = yield* servers
  const ids = yield* changed(serverSet, 10)
  return both(
    serverSet,
    MANY,
    serverSet.tokens.map((token, i) => ({
      method: "POST",
      path: "/mcp",
      headers: {
        ...jsonHeaders(token),
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": PROTOCOL
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: i,
        method: "tools/call",
        params: { name: "read_record", arguments: { record_id: ids[i % ids.length] } }
      })
    }))
  )
})

const rate = { measure: "rate", unit: "requests/s", more: true } as const

export const everydayRows: ReadonlyArray<Row> = [
  {
    ...rate,
    name: "batch-create",
    work: `${BATCH} records in one POST with their revisions and outbox rows, ${FEW} connections`,
    peer: "Fastify + pg, four statements",
    aim: 1,
    prepare: batches
  },
  {
    ...rate,
    name: "filtered-listing",
    work: `a page of ${ORDERS} records by one field, sorted by another, with its total, ${FEW} connections`,
    peer: "Fastify + pg, a table with typed columns and the index for it",
    aim: 0.5,
    prepare: filteredOf(servers)
  },
  {
    ...rate,
    name: "filtered-listing-features",
    work: "the same of an app with two unique fields and two calculations, which a page shows",
    peer: "Fastify + pg, a table with typed columns and the index for it",
    aim: 0.5,
    prepare: filteredOf(serversWith(featureFields))
  },
  {
    ...rate,
    name: "record-read",
    work: `GET /v1/record/{record_id} with its authors, ${MANY} connections`,
    peer: "Fastify + pg",
    aim: 0.8,
    prepare: recordReads("")
  },
  {
    ...rate,
    name: "revision-read",
    work: `the ${CHANGES + 1} revisions of a record, ${MANY} connections`,
    peer: "Fastify + pg",
    aim: 0.8,
    prepare: recordReads("/revision")
  },
  {
    ...rate,
    name: "mcp-tool-call",
    work: `read_record by tools/call, ${MANY} connections`,
    peer: "a plain server on the same SDK, Fastify + pg",
    aim: 1,
    prepare: tool
  }
]
