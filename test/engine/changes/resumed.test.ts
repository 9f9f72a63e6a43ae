// docs/decisions.md, "Events": whatever happens in the instant in which somebody comes or comes back, what they have not heard is told as a loss.
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ChangeFeed } from "../../../src/engine/changes/ChangeFeed.ts"
import { ddl, freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"
import { keepOpen } from "../../support/locks.ts"

const ORG = 7

const change = (record: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO outbox (type, org_id, app_id, record_id, hook, workflow, silent, depth, payload, created_on)
      VALUES ('record.update', ${ORG}, 1, ${record}, true, true, false, 0, '{"revision": 1}', now())`
  )

const listening = (after?: string) => Effect.flatMap(ChangeFeed, (feed) => feed.listen(ORG, after))

/** Where somebody left who had heard all that was open when they came. */
const settledCursor = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { cursor } = yield* listening()
  const settledListeners = Effect.suspend(
    () => sql`
      SELECT 1 FROM change_listeners
      WHERE org_id = ${ORG} AND since < pg_snapshot_xmin(nullif(${cursor()}::text, '')::pg_snapshot)`
  )
  yield* eventually("a settled place", settledListeners, ({ length }) => length > 0)
  return cursor()
}).pipe(Effect.scoped)

/** What who comes back there is told first. */
const toldAt = (cursor: string) =>
  Effect.map(listening(cursor), ({ first }) =>
    first.lost ? "lost" : first.changes.map(({ detail }) => detail["record_id"])
  ).pipe(Effect.scoped)

/** What happens in the transaction that says who listens. */
const meanwhile = (event: string, body: string) =>
  ddl(
    `CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF pg_trigger_depth() = 1 THEN ${body}; END IF; RETURN NULL; END $$`,
    `CREATE TRIGGER meanwhile AFTER ${event} ON change_listeners FOR EACH ROW EXECUTE FUNCTION meanwhile()`
  )

/** Stands for what takes long: it goes on when the gate opens. */
const GATE = 4711
const AT_GATE = `PERFORM pg_advisory_xact_lock_shared(${GATE})`
const closedGate = keepOpen((sql) => sql`SELECT pg_advisory_xact_lock(${GATE})`)
const standsAtGate = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
)

/** The feed on connections of its own: what it waits for holds up nobody here. */
const layer = () =>
  Layer.unwrap(
    Effect.map(freshDatabaseUrl, (url) => {
      const pool = () => Layer.fresh(layerOn(url))
      return Layer.merge(Layer.provide(Layer.fresh(ChangeFeed.layer), pool()), pool())
    })
  )

it.live("what is forgotten while somebody comes back", () =>
  Effect.gen(function* () {
    const cursor = yield* settledCursor
    yield* change(1)
    assert.deepStrictEqual(yield* toldAt(cursor), [1])
    yield* meanwhile(
      "UPDATE",
      `WITH gone AS (DELETE FROM changes RETURNING made_in)
        UPDATE change_listeners SET since = made_in FROM gone`
    )
    assert.strictEqual(yield* toldAt(cursor), "lost")
  }).pipe(Effect.provide(layer()))
)

it.live("what is written while the time is over for which somebody was listened to", () =>
  Effect.gen(function* () {
    const cursor = yield* settledCursor
    yield* meanwhile("INSERT OR UPDATE OF until", AT_GATE)
    yield* ddl(
      "ALTER TABLE change_listeners DISABLE TRIGGER meanwhile",
      "UPDATE change_listeners SET until = clock_timestamp() + interval '1 second'",
      "ALTER TABLE change_listeners ENABLE TRIGGER meanwhile"
    )
    const sql = yield* SqlClient.SqlClient
    const openGate = yield* closedGate
    const answerFiber = yield* Effect.forkChild(toldAt(cursor))
    yield* eventually("somebody is about to listen", standsAtGate, ({ length }) => length === 1)
    const listeners = sql`SELECT 1 FROM change_listeners WHERE until >= clock_timestamp()`
    yield* eventually("the time is over", listeners, ({ length }) => length === 0)
    yield* change(2)
    assert.isUndefined(answerFiber.pollUnsafe())
    yield* openGate
    assert.strictEqual(yield* Fiber.join(answerFiber), "lost")
  }).pipe(Effect.provide(layer()))
)

it.live(
  "what was written while nobody was known to listen yet, and is committed by a transaction that takes long",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* meanwhile("INSERT", AT_GATE)
      const openGate = yield* closedGate
      const cursorFiber = yield* Effect.forkChild(Effect.scoped(Effect.map(listening(), ({ cursor }) => cursor())))
      yield* eventually("somebody is about to listen", standsAtGate, ({ length }) => length === 1)
      const commit = yield* keepOpen(() => Effect.provideService(change(3), SqlClient.SqlClient, sql))
      yield* openGate
      const cursor = yield* Fiber.join(cursorFiber)
      yield* commit
      assert.strictEqual(yield* toldAt(cursor), "lost")
    }).pipe(Effect.provide(layer()))
)
