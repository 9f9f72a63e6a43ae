// Measures everyday work of users: records in batches, a page by filter and sort, a record and its revisions, a tool of the MCP server.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { buildFieldIndexes } from "../../src/domain/records/listing/buildFieldIndexes.ts"
import { buildPairIndexes } from "../../src/domain/records/listing/buildPairIndexes.ts"
import type { Machine } from "../support/machine.ts"
import { operatorOf } from "../support/machine.ts"
import { loader, perRequest, type Request } from "../support/processes.ts"
import { BenchFailed, type Row, type Sides } from "../support/Row.ts"
import { featureFields, type Servers, servers, serversWith } from "../support/servers.ts"

const BATCH = 50
const FILTERED = 100_000
/** Records of each weight, so that a page and its total are a thousandth of the app. */
const WEIGHTS = 1000
/** Longer than a process remembers what indexes there are. */
const ASKING_SECONDS = 8
const CHANGES = 20
const FEW = 4
const MANY = 16

const failed = (error: unknown) =>
  new BenchFailed({ message: String((error as { readonly message?: string }).message ?? error) })

const json = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" })

const both = ({ machine, peer }: Servers, connections: number, requests: ReadonlyArray<Request>): Sides => ({
  ours: perRequest(machine, machine.pidOf("service") ?? 0, loader(machine, machine.baseUrl, connections, requests)),
  peer: perRequest(machine, peer.pid, loader(machine, peer.url, connections, requests))
})

const onDatabase = <A, E>(machine: Machine, work: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, work).pipe(Effect.provide(operatorOf(machine)), Effect.mapError(failed))

const batches = Effect.map(servers, (made) => {
  const inputs = Array.from({ length: BATCH }, (_, i) => ({
    fields: { reference: `Order ${i}`, weight: i, remark: `<p>To be delivered by lorry ${i}</p>` }
  }))
  const body = JSON.stringify({ inputs })
  const path = `/v1/record/app/batch/${made.appId}`
  return both(
    made,
    FEW,
    made.tokens.map((token) => ({ method: "POST", path, headers: json(token), body }))
  )
})

/** The records as ours keeps them, and as a table of their own with typed columns would. */
const filteredOf = Effect.fnUntraced(function* (prepared: typeof servers) {
  const serverSet = yield* prepared
  const { appId, fieldIds, machine, tokens } = serverSet
  const [reference, weight] = [String(fieldIds["reference"]), String(fieldIds["weight"])]
  const [barcode, freight, summary] = ["barcode", "freight", "summary"].map((slug) => String(fieldIds[slug]))
  yield* onDatabase(machine, (sql) =>
    Effect.gen(function* () {
      yield* sql`
        INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
        SELECT ${appId}, (SELECT org_id FROM apps WHERE app_id = ${appId}), n, 'Order ' || n,
          jsonb_build_object(${reference}::text, jsonb_build_array('Order ' || n),
            ${weight}::text, jsonb_build_array(n % ${WEIGHTS}::int))
            || CASE WHEN ${fieldIds["barcode"] === undefined} THEN '{}' ELSE jsonb_build_object(
              ${barcode}::text, jsonb_build_array('B-' || n), ${freight}::text, jsonb_build_array(n % ${WEIGHTS}::int * 1.19),
              ${summary}::text, jsonb_build_array('Order ' || n || ': ' || n % ${WEIGHTS}::int)) END,
          now(), '{"type":"user","user_id":1}' FROM generate_series(1, ${FILTERED}::int) AS n`
      yield* sql`
        CREATE TABLE bench_orders AS SELECT record_id, app_id, title AS reference, (app_record_id % ${WEIGHTS}::int)::int AS weight,
          NULL::text AS remark FROM records WHERE app_id = ${appId}`
      yield* sql`CREATE INDEX ON bench_orders (app_id, weight, reference, record_id)`
      yield* sql`VACUUM ANALYZE`
    })
  )
  const path = `/v1/record/filter/app/${appId}?sort_by=${reference}`
  const filters = (value: number) => [
    { field_id: Number(weight), type: "number", match_type: "equal", values: [{ value }] }
  ]
  const sides = both(
    serverSet,
    FEW,
    tokens.map((token, i) => ({
      method: "POST",
      path,
      headers: json(token),
      body: JSON.stringify({ filters: filters(i % WEIGHTS) })
    }))
  )
  // Asks for the listing until the service has noted that it is asked for often; housekeeping then builds the indexes for it.
  yield* sides.ours(ASKING_SECONDS)
  const { pairs_indexed } = yield* Effect.mapError(
    Effect.provide(Effect.andThen(buildFieldIndexes, buildPairIndexes), operatorOf(machine)),
    failed
  )
  if (pairs_indexed === 0) return yield* new BenchFailed({ message: "the listing was not asked for often enough" })
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
}, Effect.mapError(failed))

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
      headers: { ...json(token), accept: "application/json, text/event-stream", "mcp-protocol-version": PROTOCOL },
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
    work: `a page of ${FILTERED} records by one field, sorted by another, with its total, ${FEW} connections`,
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
