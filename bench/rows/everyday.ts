// Measures everyday work of users: records in batches, a record and its revisions, a tool of the MCP server.
import { Effect } from "effect"
import { jsonHeaders } from "../support/orders.ts"
import { benchFailed, type Row } from "../support/Row.ts"
import { type Servers, servers, sidesOf } from "../support/servers.ts"

const BATCH = 50
const CHANGES = 20
const FEW = 4
const MANY = 16

const batches = Effect.map(servers, (made) => {
  const inputs = Array.from({ length: BATCH }, (_, i) => ({
    fields: { reference: `Order ${i}`, weight: i, remark: `<p>To be delivered by lorry ${i}</p>` }
  }))
  const body = JSON.stringify({ inputs })
  const path = `/v1/record/app/batch/${made.appId}`
  return sidesOf(
    made,
    FEW,
    made.tokens.map((token) => ({ method: "POST", path, headers: jsonHeaders(token), body }))
  )
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
    return sidesOf(
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
  return sidesOf(
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
