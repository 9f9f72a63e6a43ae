// Rows over HTTP: the service with the role api against Fastify and pg by hand, on the same tables.
import { Effect } from "effect"
import { makeClient } from "../../demo/client.ts"
import { makeTenant } from "../../demo/operator.ts"
import { makeMachine, operatorOf } from "../support/machine.ts"
import { seedPeople } from "../support/people.ts"
import { loader, type Request, startPeer } from "../support/processes.ts"
import { BenchFailed, type Row, type Sides } from "../support/Row.ts"

const PEOPLE = 1000
const CONNECTIONS = 16

/** Both servers, tokens of many users, and an app with a few fields. */
const servers = Effect.gen(function* () {
  const machine = yield* makeMachine({ name: "bench", temporal: false })
  const { tenant, tokens } = yield* Effect.gen(function* () {
    const tenant = yield* makeTenant("Bench", 1, 1000)
    return { tenant, tokens: yield* seedPeople(tenant.orgId, PEOPLE) }
  }).pipe(
    Effect.provide(operatorOf(machine)),
    Effect.mapError((error) => new BenchFailed({ message: String(error) }))
  )
  const client = makeClient({ baseUrl: machine.baseUrl, token: tenant.tokens[0]!, patienceMillis: 10_000 })
  const app = yield* Effect.gen(function* () {
    const { workspaces } = yield* client.get("GET", "/v1/workspace/org")
    return yield* client.get("POST", "/v1/app", {
      body: {
        workspace_id: workspaces[0].workspace_id,
        name: "Orders",
        fields: [
          { field_type: "single_text", config: { label: "Reference" } },
          { field_type: "number", config: { label: "Weight" } },
          { field_type: "multi_text", config: { label: "Remark" } }
        ]
      }
    })
  }).pipe(Effect.mapError(({ message }) => new BenchFailed({ message })))
  const peer = yield* startPeer(machine, "rest.js", {}, "/v1/user")
  return { machine, tokens, appId: app.app_id as number, peer }
})

const sidesOf = (
  connections: number,
  requestsOf: (tokens: ReadonlyArray<string>, appId: number) => ReadonlyArray<Request>
) =>
  Effect.map(servers, ({ appId, machine, peer, tokens }): Sides => {
    const requests = requestsOf(tokens, appId)
    return {
      ours: loader(machine, machine.baseUrl, connections, requests),
      peer: loader(machine, peer.url, connections, requests)
    }
  })

const reads = (tokens: ReadonlyArray<string>) =>
  tokens.map((token): Request => ({ method: "GET", path: "/v1/user", headers: { authorization: `Bearer ${token}` } }))

const creates = (tokens: ReadonlyArray<string>, appId: number) =>
  tokens.map(
    (token, i): Request => ({
      method: "POST",
      path: `/v1/record/app/${appId}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        fields: { reference: `Order ${i}`, weight: i, remark: `<p>To be delivered by lorry ${i}</p>` }
      })
    })
  )

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
    prepare: sidesOf(CONNECTIONS, reads)
  },
  {
    name: "record-create",
    work: `POST /v1/record/app/{app_id} with revision and outbox row, ${CONNECTIONS} connections`,
    peer,
    measure: "rate",
    unit: "requests/s",
    more: true,
    aim: 0.8,
    prepare: sidesOf(CONNECTIONS, creates)
  },
  {
    name: "record-create-one-client",
    work: "the same by one client, one request after another",
    peer,
    measure: "p50",
    unit: "ms, p50",
    more: false,
    aim: 1.25,
    prepare: sidesOf(1, creates)
  }
]
