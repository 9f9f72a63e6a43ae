// Organizations in two cells, each a service with a Postgres database and a Temporal namespace of its own, behind one address (docs/scaling.md,
// "Past one Postgres"): one cell is killed and the other's organization goes on; an organization moves and goes on with its ids.
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { YOUNG_MILLIS } from "../src/domain/automations/durable/reconcileRuns.ts"
import { layerPool } from "../src/platform/sql/Pool.ts"
import { automate, createRecord, setText } from "./domain/automations/runSupport.ts"
import { seedApp } from "./domain/automations/support.ts"
import { App } from "./support/app.ts"
import { remote, verifiedHook } from "./support/busyService.ts"
import { freshDatabaseUrl, layerOn, urlOf } from "./support/database.ts"
import { directory } from "./support/directory.ts"
import { eventually } from "./support/eventually.ts"
import { asCell, moveOrganization, underWay } from "./support/organizationMove.ts"
import { startService } from "./support/processes.ts"
import { type Receiver, receiver } from "./support/receiver.ts"
import { freshNamespace, TestConnection, temporalAddress } from "./support/temporal.ts"

const DELAY_MILLIS = 20_000

const makeCell = Effect.fnUntraced(function* (number: number, outside: Receiver) {
  const url = yield* freshDatabaseUrl
  const namespace = yield* freshNamespace.pipe(Effect.provide(TestConnection.layer))
  const owner = layerPool({
    url: Redacted.make(urlOf(inject("databaseUrl"), new URL(url).pathname.slice(1))),
    maxConnections: 2,
    applicationName: "owner"
  })
  const asOwner = yield* Effect.map(Layer.build(owner), (services) =>
    Effect.provideContext(SqlClient.SqlClient, services)
  )
  const sql = yield* asOwner
  yield* asCell(sql, number)
  const start = (port?: string) =>
    startService(url, {
      ROLE: "all",
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: namespace,
      OUTBOUND_ALLOW: outside.hostPort,
      RATE_BUDGET: "1000000",
      ACTOR_TUNING: JSON.stringify({ lingerMillis: 500, sweepEveryMillis: 500, relayPollMillis: 200 }),
      LOG_LEVEL: "info",
      ...(port === undefined ? {} : { PORT: port })
    })
  return { url, sql, start, service: yield* start() }
})

/** An app that has a hook and an automation, in an organization of its own; all but its first rows are made through the address. */
const makeWorld = Effect.fnUntraced(function* (outside: Receiver, path: string) {
  const world = yield* seedApp([
    { field_type: "single_text", config: { label: "Title" } },
    { field_type: "single_text", config: { label: "Seen" } }
  ])
  yield* verifiedHook(outside, world, path)
  const trigger = { type: "record_created", config: {} }
  yield* automate(world.token, world.appId, { trigger, actions: [setText(world.fields["seen"]!, "yes")] })
  return { ...world, path }
})

type World = Effect.Success<ReturnType<typeof makeWorld>>

const works = Effect.fnUntraced(function* (outside: Receiver, { appId, path, token }: World) {
  const app = yield* App
  const id = yield* createRecord(token, appId, { title: "new" })
  yield* eventually(
    `the delivery of ${id}`,
    Effect.sync(() => outside.of(path).filter(({ body }) => JSON.parse(body).record_id === id)),
    (requests) => requests.length === 1
  )
  yield* eventually(`the run of ${id}`, app.call("GET", `/v1/record/${id}`, { token }), ({ text }) =>
    text.includes('"yes"')
  )
  return id
})

it.live("two cells behind one address: one is killed, and an organization moves with its ids", () =>
  Effect.gen(function* () {
    const outside = yield* receiver()
    const [a, b] = yield* Effect.all([makeCell(0, outside), makeCell(1, outside)])
    const { origin, place, hold } = yield* directory(() => [a.service.origin, b.service.origin])
    const through = Effect.provideService(App, remote(origin))
    const call = (token: string, method: string, path: string, body?: unknown) =>
      remote(origin).call(method, path, { token, ...(body === undefined ? {} : { body }) })

    const inCell = <A, E>(url: string, effect: Effect.Effect<A, E, App | SqlClient.SqlClient>) =>
      Effect.provide(effect, Layer.merge(layerOn(url), Layer.succeed(App, remote(origin))))
    const firstWorld = yield* inCell(a.url, makeWorld(outside, "/first"))
    const second = yield* inCell(b.url, makeWorld(outside, "/second"))
    const ofFirst = yield* through(works(outside, firstWorld))
    const ofSecond = yield* through(works(outside, second))
    assert.isBelow(ofFirst, 1_000_000_000_000)
    assert.isAbove(ofSecond, 1_000_000_000_000)

    // A run that waits while its organization moves.
    const delayed = yield* through(
      automate(firstWorld.token, firstWorld.appId, {
        trigger: { type: "record_updated", config: {} },
        actions: [
          { type: "delay", config: { delay_ms: DELAY_MILLIS } },
          setText(firstWorld.fields["seen"]!, "after the delay")
        ]
      })
    )

    // One cell is killed.
    const statuses: Array<number> = []
    const steady = yield* Effect.forkChild(
      Effect.gen(function* () {
        const body = { fields: { title: "steady" } }
        const createReply = yield* call(second.token, "POST", `/v1/record/app/${second.appId}`, body)
        statuses.push(createReply.status)
        yield* Effect.sleep("50 millis")
      }).pipe(Effect.forever)
    )
    a.service.child.kill("SIGKILL")
    yield* eventually("the first is away", call(firstWorld.token, "GET", "/v1/user"), ({ status }) => status === 503)
    const countBefore = statuses.length
    yield* eventually(
      "the second goes on",
      Effect.sync(() => statuses.length),
      (count) => count > countBefore + 20
    )
    yield* through(works(outside, second))
    yield* a.start(new URL(a.service.origin).port)
    yield* through(works(outside, firstWorld))

    // The organization moves.
    const recordBefore = yield* call(firstWorld.token, "GET", `/v1/record/${ofFirst}`)
    const changed = yield* call(firstWorld.token, "PUT", `/v1/record/${ofFirst}`, { fields: { title: "moved" } })
    assert.strictEqual(changed.status, 200, changed.text)
    yield* eventually(
      "the delay begins",
      a.sql<{
        n: number
      }>`SELECT count(*)::int AS n FROM runs WHERE automation_id = ${delayed} AND record_id = ${ofFirst} AND wait_until IS NOT NULL`,
      ([row]) => row?.n === 1
    )
    hold(firstWorld.orgId)
    assert.strictEqual((yield* call(firstWorld.token, "GET", "/v1/user")).status, 503)
    yield* eventually("its events are relayed", underWay(a.sql, firstWorld.orgId), (left) => left === 0)
    const rows = yield* moveOrganization(firstWorld.orgId, a.sql, b.sql)
    place(firstWorld.orgId, b.service.origin)
    assert.isAbove(rows["records"]!, 1)
    assert.isAbove(rows["webhook_deliveries"]!, 1)
    assert.isAbove(rows["runs"]!, 1)

    const recordAfter = yield* call(firstWorld.token, "GET", `/v1/record/${ofFirst}`)
    assert.strictEqual(recordAfter.status, 200, recordAfter.text)
    assert.strictEqual(recordAfter.json.record_id, recordBefore.json.record_id)
    const next = yield* through(works(outside, firstWorld))
    assert.isAbove(next, 1_000_000_000_000)
    assert.deepStrictEqual(yield* a.sql`SELECT org_id FROM records WHERE org_id = ${firstWorld.orgId}`, [])
    // What runs have no workflow is looked for every three minutes, and by a process that starts; not among the newest.
    yield* eventually(
      "the run is no new one",
      b.sql<{ old: boolean }>`
        SELECT max(created_on) < now() - ${YOUNG_MILLIS} * interval '1 millisecond' AS old
        FROM runs WHERE automation_id = ${delayed} AND record_id = ${ofFirst}`,
      ([row]) => row?.old === true
    )
    yield* b.start()
    yield* eventually("the run that waited", call(firstWorld.token, "GET", `/v1/record/${ofFirst}`), ({ text }) =>
      text.includes("after the delay")
    )

    yield* Fiber.interrupt(steady)
    assert.deepStrictEqual([...new Set(statuses)], [200])
    assert.isAbove(statuses.length, 50)
  })
)
