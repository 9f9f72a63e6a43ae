// docs/decisions.md, "Events": whatever happens in the instant in which somebody comes or comes back, what they have not heard is told as a loss.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ChangeFeed } from "../../../src/engine/changes/ChangeFeed.ts"
import { ddl, freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"

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
    yield* meanwhile("INSERT OR UPDATE OF until", "PERFORM pg_sleep(2)")
    yield* ddl(
      "ALTER TABLE change_listeners DISABLE TRIGGER meanwhile",
      "UPDATE change_listeners SET until = clock_timestamp() + interval '1 second'",
      "ALTER TABLE change_listeners ENABLE TRIGGER meanwhile"
    )
    const answerFiber = yield* Effect.forkChild(toldAt(cursor))
    yield* Effect.sleep("1500 millis")
    yield* change(2)
    assert.isUndefined(answerFiber.pollUnsafe())
    assert.strictEqual(yield* Fiber.join(answerFiber), "lost")
  }).pipe(Effect.provide(layer()))
)

it.live(
  "what was written while nobody was known to listen yet, and is committed by a transaction that takes long",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* meanwhile("INSERT", "PERFORM pg_sleep(1)")
      const commitGate = yield* Deferred.make<void>()
      const cursorFiber = yield* Effect.forkChild(Effect.scoped(Effect.map(listening(), ({ cursor }) => cursor())))
      yield* Effect.sleep("500 millis")
      const long = yield* Effect.forkChild(sql.withTransaction(Effect.andThen(change(3), Deferred.await(commitGate))))
      const cursor = yield* Fiber.join(cursorFiber)
      yield* Deferred.succeed(commitGate, undefined)
      yield* Fiber.join(long)
      assert.strictEqual(yield* toldAt(cursor), "lost")
    }).pipe(Effect.provide(layer()))
)
