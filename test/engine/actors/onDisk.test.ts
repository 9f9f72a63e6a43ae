// An activation goes to work while its fence is on its way to the disk (docs/architecture/actors.md, "Who may commit"): where the fence turns out to be
// somebody else's, nothing but its claim has been committed.
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Actors } from "../../../src/engine/actors/Actors.ts"
import { ddl } from "../../support/database.ts"
import { behaviour } from "./support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { freshSetting, layerTestPool } from "./support/setting.ts"
import { append, makeTestKind } from "./support/testKind.ts"

const kind = makeTestKind(behaviour)

/** As if the database had forgotten the first fence, and another process had raised it as far a second before. */
const raisedByAnother = ddl(
  `CREATE FUNCTION raised_by_another() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.seen_at := NEW.seen_at - interval '1 second'; RETURN NEW; END $$`,
  `CREATE TRIGGER raised_by_another BEFORE UPDATE ON actors FOR EACH ROW
    WHEN (NEW.fence = 1 AND OLD.fence = 0) EXECUTE FUNCTION raised_by_another()`
)

describe("a commit behind the fence", () => {
  it.live("waits for the disk, unless its work is repeated if it is lost", () =>
    Effect.gen(function* () {
      const { databaseUrl } = yield* freshSetting()
      yield* Effect.gen(function* () {
        const actors = yield* Actors
        const sql = yield* SqlClient.SqlClient
        const { fence } = yield* actors.begin("webhooks/app", "1")
        const flushOf = (flushes: boolean) =>
          Effect.gen(function* () {
            yield* sql`SET LOCAL synchronous_commit = on`
            yield* actors.hold("webhooks/app/1", fence, flushes)
            const [setting] = yield* sql<{ flush: string }>`SELECT current_setting('synchronous_commit') AS flush`
            return setting!.flush
          }).pipe(sql.withTransaction)
        assert.deepStrictEqual([yield* flushOf(true), yield* flushOf(false)], ["on", "off"])
      }).pipe(Effect.provide(Actors.layer.pipe(Layer.provideMerge(layerTestPool(databaseUrl)))))
    }).pipe(Effect.scoped)
  )
})

describe("a fence on its way to the disk", () => {
  it.live("is believed in once it is there", () =>
    Effect.gen(function* () {
      const { databaseUrl } = yield* freshSetting()
      yield* Effect.gen(function* () {
        const actors = yield* Actors
        const activation = yield* actors.begin("webhooks/app", "1")
        assert.deepInclude(activation, { fence: 1, orderly: true })
        yield* activation.onDisk
        yield* raisedByAnother
        const other = yield* actors.begin("webhooks/app", "2")
        const exit = yield* Effect.exit(other.onDisk)
        assert.strictEqual(Exit.isFailure(exit) && (Cause.squash(exit.cause) as { _tag: string })._tag, "Fenced")
      }).pipe(Effect.provide(Actors.layer.pipe(Layer.provideMerge(layerTestPool(databaseUrl)))))
    }).pipe(Effect.scoped)
  )

  it.live("that is not its own: the row it has claimed is worked on by the next activation", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* raisedByAnother
        yield* Effect.gen(function* () {
          yield* append([{ app: 1, record: 1 }])
          yield* eventually("done", countWhere("test_done", "true"), (n) => n === 1)
        }).pipe(Effect.provide(layerWorker(setting, kind)))
        assert.deepStrictEqual(yield* sql`SELECT row_id::int, fence::int FROM test_done`, [{ row_id: 1, fence: 2 }])
      }).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
    }).pipe(Effect.scoped)
  )
})
