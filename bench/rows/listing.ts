// Measures a page of records by filter and sort, beside a table of their own with typed columns: its four columns, and the whole answer.
import { Effect } from "effect"
import { buildPageIndexes, ORDERS, onDatabase, pageRequests, seedOrders, WEIGHTS } from "../support/orders.ts"
import type { Request } from "../support/processes.ts"
import { BenchFailed, benchFailed, type Row } from "../support/Row.ts"
import { featureFields, type Servers, servers, serversWith, sidesOf } from "../support/servers.ts"

const CONNECTIONS = 4

type PeerRequests = (requests: ReadonlyArray<Request>) => ReadonlyArray<Request>

/** The answer as it was sent, without its cursor, which each side signs with a key of its own. */
const answerTo = ({ body = "", headers, method, path }: Request, baseUrl: string) =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(`${baseUrl}${path}`, { method, headers, body })
      return (await response.text()).replace(/"cursor":"[^"]*"/, "")
    },
    catch: benchFailed
  })

const checkAnswers = Effect.fnUntraced(function* ({ machine, peer }: Servers, ours: Request, theirs: Request) {
  const [answer, peerAnswer] = [yield* answerTo(ours, machine.baseUrl), yield* answerTo(theirs, peer.url)]
  if (answer !== peerAnswer)
    return yield* new BenchFailed({
      message: `the peer answers otherwise: ${peerAnswer.slice(0, 1000)}\n${answer.slice(0, 1000)}`
    })
})

/** The records as ours keeps them, and as a table of their own with typed columns would. */
const filteredOf = Effect.fnUntraced(function* (prepared: typeof servers, peerRequests?: PeerRequests) {
  const serverSet = yield* prepared
  const { appId, machine } = serverSet
  yield* seedOrders(serverSet)
  yield* onDatabase(
    machine,
    (sql) => sql`
      CREATE TABLE bench_orders AS SELECT record_id, app_id, title AS reference, (app_record_id % ${WEIGHTS}::int)::int AS weight,
        NULL::text AS remark, org_id, app_record_id, revision, comment_count, created_on, last_modified_on,
        (created_by->>'user_id')::bigint AS created_by FROM records WHERE app_id = ${appId}`
  )
  yield* onDatabase(machine, (sql) => sql`CREATE INDEX ON bench_orders (app_id, weight, reference, record_id)`)
  const requests = pageRequests(serverSet)
  const theirs = peerRequests?.(requests) ?? requests
  const sides = sidesOf(serverSet, CONNECTIONS, requests, theirs)
  if (peerRequests !== undefined) yield* checkAnswers(serverSet, requests[1]!, theirs[1]!)
  yield* buildPageIndexes(machine, sides.ours)
  return sides
})

const wholeRecords: PeerRequests = (requests) =>
  requests.map((request) => ({ ...request, path: `/whole${request.path.split("?")[0]}` }))

const rate = { measure: "rate", unit: "pages/s", more: true, aim: 0.5 } as const

export const listingRows: ReadonlyArray<Row> = [
  {
    ...rate,
    name: "filtered-listing",
    work: `a page of ${ORDERS} records by one field, sorted by another, with its total, ${CONNECTIONS} connections`,
    peer: "Fastify + pg, four columns of a table with the index for it",
    prepare: filteredOf(servers)
  },
  {
    ...rate,
    name: "filtered-listing-features",
    work: "the same of an app with two unique fields and two calculations, which a page shows",
    peer: "Fastify + pg, four columns of a table with the index for it",
    prepare: filteredOf(serversWith(featureFields))
  },
  {
    ...rate,
    name: "filtered-listing-same-bytes",
    work: "filtered-listing, where the peer answers whole records with their authors, to the byte",
    peer: "Fastify + pg, the same table",
    prepare: filteredOf(servers, wholeRecords)
  }
]
