// Rows over HTTP: the service with the role api against Fastify and pg by hand, on the same tables.
import { Effect } from "effect"
import { loader, oneClient, type Request } from "../support/processes.ts"
import type { Row, Sides } from "../support/Row.ts"
import { featureFields, PEOPLE, seeded, servers, serversWith, sidesOf } from "../support/servers.ts"

const CONNECTIONS = 16

const requested = (
  connections: number,
  requestsOf: (tokens: ReadonlyArray<string>, appId: number) => ReadonlyArray<Request>,
  prepared = servers
) => Effect.map(prepared, (made) => sidesOf(made, connections, requestsOf(made.tokens, made.appId)))

/** Measured in fractions of a millisecond, which is what it is about. */
const byOneClient = Effect.map(servers, ({ appId, machine, peer, tokens }): Sides => {
  const requests = creates(tokens, appId)
  return { ours: oneClient(machine, machine.baseUrl, requests), peer: oneClient(machine, peer.url, requests) }
})

/** Enough of them that the kernel deals out as many to each. */
const MANY = 64
const PROCESSES = 2

/** Several processes of the service beside one, each with a Postgres of its own. */
const besideOne = (requestsOf: (tokens: ReadonlyArray<string>, appId: number) => ReadonlyArray<Request>) =>
  Effect.gen(function* () {
    const load = ({ appId, machine, tokens }: Effect.Success<ReturnType<typeof seeded>>) =>
      loader(machine, machine.baseUrl, MANY, requestsOf(tokens, appId))
    return { ours: load(yield* seeded(PROCESSES)), peer: load(yield* seeded(1)) } satisfies Sides
  })

const reads = (tokens: ReadonlyArray<string>) =>
  tokens.map((token): Request => ({ method: "GET", path: "/v1/user", headers: { authorization: `Bearer ${token}` } }))

const createsOf = (fieldsOf: (index: number) => object) => (tokens: ReadonlyArray<string>, appId: number) =>
  tokens.map(
    (token, i): Request => ({
      method: "POST",
      path: `/v1/record/app/${appId}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ fields: { weight: i, remark: `<p>To be delivered by lorry ${i}</p>`, ...fieldsOf(i) } })
    })
  )
const creates = createsOf((index) => ({ reference: `Order ${index}` }))
const uniqueCreates = createsOf(() => ({ reference: "Order [<id>]", barcode: "B-[<id>]" }))

const peer = "Fastify + pg"

export const httpRows: ReadonlyArray<Row> = [
  {
    name: "authenticated-read",
    work: `GET /v1/user, token looked up in Postgres each time, ${PEOPLE} users, ${CONNECTIONS} connections`,
    peer,
    measure: "rate",
    unit: "requests/s",
    more: true,
    aim: 1,
    prepare: requested(CONNECTIONS, reads)
  },
  {
    name: "record-create",
    work: `POST /v1/record/app/{app_id} with revision and outbox row, ${CONNECTIONS} connections`,
    peer,
    measure: "rate",
    unit: "requests/s",
    more: true,
    aim: 1.5,
    prepare: requested(CONNECTIONS, creates)
  },
  {
    name: "record-create-features",
    work: "the same in an app with two unique fields and two calculations; the peer keeps the values alone",
    peer,
    measure: "rate",
    unit: "requests/s",
    more: true,
    aim: 1.5,
    prepare: requested(CONNECTIONS, uniqueCreates, serversWith(featureFields))
  },
  {
    name: "record-create-one-client",
    work: "the same by one client, one request after another",
    peer,
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 1.25,
    prepare: byOneClient
  },
  {
    name: "processes-read",
    work: `GET /v1/user from ${PROCESSES} processes on one port beside one, ${MANY} connections`,
    peer: "one process",
    measure: "rate",
    unit: "requests/s",
    more: true,
    aim: 1,
    prepare: besideOne(reads)
  },
  {
    name: "processes-create",
    work: `POST /v1/record/app/{app_id} to ${PROCESSES} processes on one port beside one, ${MANY} connections`,
    peer: "one process",
    measure: "rate",
    unit: "requests/s",
    more: true,
    aim: 1,
    prepare: besideOne(creates)
  }
]
