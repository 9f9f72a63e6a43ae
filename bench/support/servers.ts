// Sets up rows over HTTP: the service with the role api, tokens of many users, an app with a few fields, and a peer on the same tables.
import { Effect } from "effect"
import { type Client, makeClient } from "../../demo/client.ts"
import { makeTenant } from "../../demo/operator.ts"
import { makeMachine, operatorOf } from "./machine.ts"
import { seedPeople } from "./people.ts"
import { loader, perRequest, type Request, startPeer } from "./processes.ts"
import { benchFailed, type Sides } from "./Row.ts"

export const PEOPLE = 1000

/** Creates an app and answers it as the API does. */
export const makeApp = (client: Client, name: string, fields: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const { workspaces } = yield* client.get("GET", "/v1/workspace/org")
    return yield* client.get("POST", "/v1/app", {
      body: { workspace_id: workspaces[0].workspace_id, name, fields }
    })
  }).pipe(Effect.mapError(benchFailed))

const plainFields = [
  { field_type: "single_text", config: { label: "Reference" } },
  { field_type: "number", config: { label: "Weight" } },
  { field_type: "multi_text", config: { label: "Remark" } }
]

/** Fields of an app that has what the features of records cost: unique values and calculations. */
export const featureFields = [
  { field_type: "single_text", config: { label: "Reference", unique: true } },
  ...plainFields.slice(1),
  { field_type: "single_text", config: { label: "Barcode", unique: true } },
  { field_type: "calculation", config: { label: "Freight", expression: "round(weight * 1.19, 2)", result: "number" } },
  { field_type: "calculation", config: { label: "Summary", expression: "reference + ': ' + weight", result: "text" } }
]

/** The service, in so many processes, with people and an app. */
export const seeded = Effect.fnUntraced(function* (processes: number, fields: ReadonlyArray<object> = plainFields) {
  const machine = yield* makeMachine({ name: "bench", temporal: false, processes })
  const { tenant, tokens } = yield* Effect.gen(function* () {
    const tenant = yield* makeTenant("Bench", 1, 1000)
    return { tenant, tokens: yield* seedPeople(tenant.orgId, PEOPLE) }
  }).pipe(Effect.provide(operatorOf(machine)), Effect.mapError(benchFailed))
  const client = makeClient({ baseUrl: machine.baseUrl, token: tenant.tokens[0]!, patienceMillis: 10_000 })
  const app = yield* makeApp(client, "Orders", fields)
  const fieldIds: Readonly<Record<string, number>> = Object.fromEntries(
    app.fields.map(({ field_id, slug }: any) => [slug, field_id])
  )
  return { machine, client, tokens, appId: app.app_id as number, fieldIds }
})

/** The service with an app of these fields, and the peer. */
export const serversWith = Effect.fnUntraced(function* (fields: ReadonlyArray<object>) {
  const ours = yield* seeded(1, fields)
  return { ...ours, peer: yield* startPeer(ours.machine, "rest.js", {}, "/v1/user") }
})
export const servers = serversWith(plainFields)
export type Servers = Effect.Success<typeof servers>

/** Loads the service and the peer with the same work. @param peerRequests where the peer has other addresses */
export const sidesOf = (
  { machine, peer }: Servers,
  connections: number,
  requests: ReadonlyArray<Request>,
  peerRequests = requests
): Sides => ({
  ours: perRequest(machine, machine.pidOf("service") ?? 0, loader(machine, machine.baseUrl, connections, requests)),
  peer: perRequest(machine, peer.pid, loader(machine, peer.url, connections, peerRequests))
})
