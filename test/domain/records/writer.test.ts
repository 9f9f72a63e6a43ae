// decisions W10, A5 and developer-api.md 4.3: the writer inside a caller's transaction, batches, the purge.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import type { CallerShape } from "../../../src/domain/accounts/Caller.ts"
import type { Write } from "../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../src/engine/outbox/Event.ts"
import { appLayer } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"
import { createApp, eventsOf, field, seedWorkspace } from "../../support/records.ts"
import { askedBy } from "../../support/statements.ts"

layer(appLayer(), { excludeTestServices: true })("RecordWriter", (it) => {
  const setup = Effect.gen(function* () {
    const { owner, orgId, workspaceId } = yield* seedWorkspace
    const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "A"), field("number", "N")])
    const caller: CallerShape = {
      userId: owner.userId,
      orgId,
      personId: owner.personId,
      role: "owner",
      author: { type: "automation", automation_id: 77 },
      credential: { type: "automation", id: 77, clientId: null, expiresOn: null },
      scopes: "all",
      selection: "all"
    }
    const cause = { automation_id: 77, run_id: "1", root_run_id: "1", chain: [77] }
    const write: Write = { caller, author: caller.author, switches: defaultSwitches, depth: 2, cause }
    return { app_id, write, writer: yield* RecordWriter, sql: yield* SqlClient.SqlClient, owner }
  })

  it.effect("W10: data, revision and event go together with the caller's transaction", () =>
    Effect.gen(function* () {
      const { app_id, write, writer, sql } = yield* setup
      const rolledBack = yield* Effect.exit(
        sql.withTransaction(Effect.andThen(writer.create(write, app_id, [{ a: "x" }]), Effect.fail("no")))
      )
      assert.strictEqual(rolledBack._tag, "Failure")
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM records WHERE app_id = ${app_id}`, [])
      assert.deepStrictEqual(yield* eventsOf("app_id", app_id), [])
      const [record] = yield* sql.withTransaction(writer.create(write, app_id, [{ a: "x" }]))
      const [row] = yield* sql<{ depth: number; cause: unknown }>`
        SELECT depth, cause FROM outbox WHERE record_id = ${record!.record_id}`
      assert.deepStrictEqual(row, { depth: 2, cause: write.cause })
      // Nobody waits for what another transaction comes to: the number that it drew stays unused.
      assert.strictEqual(record!.app_record_id, 2)
      assert.strictEqual((yield* sql`SELECT 1 FROM revisions WHERE record_id = ${record!.record_id}`).length, 1)
    })
  )

  it.effect("4.1: no write waits for another's number: neither one that stays open nor one that is given up", () =>
    Effect.gen(function* () {
      const { app_id, write, writer, sql } = yield* setup
      const [made, end] = [yield* Deferred.make<number>(), yield* Deferred.make<void>()]
      const openCreation = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            const [record] = yield* writer.create(write, app_id, [{ a: "open" }])
            yield* Deferred.succeed(made, record!.app_record_id)
            yield* Deferred.await(end)
          })
        )
      )
      assert.strictEqual(yield* Deferred.await(made), 1)
      const otherCreations = yield* Effect.forEach([2, 3, 4], () => writer.create(write, app_id, [{ a: "beside" }]), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(otherCreations.map(([one]) => one!.app_record_id).sort(), [2, 3, 4])
      assert.strictEqual((yield* sql`SELECT 1 FROM records WHERE app_id = ${app_id}`).length, 3)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(openCreation)
      assert.strictEqual((yield* sql`SELECT 1 FROM records WHERE app_id = ${app_id}`).length, 4)
    })
  )

  it.effect("4.1: a counter that somebody holds is waited for, and numbers go on behind it", () =>
    Effect.gen(function* () {
      const { app_id, write, writer, sql } = yield* setup
      const [held, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE app_counters SET last_app_record_id = 7 WHERE app_id = ${app_id}`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(end)
          })
        )
      )
      yield* Deferred.await(held)
      const waitingFiber = yield* Effect.forkChild(sql.withTransaction(writer.create(write, app_id, [{ a: "x" }])))
      yield* eventually(
        "it waits as every statement does",
        sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'tests'
          AND datname = current_database()`,
        (rows) => rows.length === 1
      )
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(holder)
      assert.strictEqual((yield* Fiber.join(waitingFiber))[0]!.app_record_id, 8)
    })
  )

  it.effect("a batch is all or nothing, names the item at fault and keeps its order", () =>
    Effect.gen(function* () {
      const { app_id, write, writer } = yield* setup
      const pathOf = (index: number) => `inputs[${index}].`
      const bad = yield* Effect.flip(writer.create(write, app_id, [{ a: "x" }, { n: "y" }], pathOf))
      assert.strictEqual(bad.message, "inputs[1].fields.n: must be a number or the text of one")
      assert.deepStrictEqual(yield* eventsOf("app_id", app_id), [])
      const rows = yield* writer.create(write, app_id, [{ a: "1" }, { a: "2" }, { a: "3" }])
      assert.deepStrictEqual(
        rows.map((row) => [row.app_record_id, row.title]),
        [
          [1, "1"],
          [2, "2"],
          [3, "3"]
        ]
      )
      const ids = rows.map((row) => row.record_id)
      const updates = [...ids].reverse().map((record_id, i) => ({ record_id, fields: { n: i } }))
      const updated = yield* writer.update(write, app_id, updates)
      assert.deepStrictEqual(
        updated.map((row) => row.record_id),
        [...ids].reverse()
      )
      assert.isTrue(updated.every((row) => row.revision === 1))
      const twice = yield* Effect.flip(writer.update(write, app_id, [updates[0]!, updates[0]!]))
      assert.strictEqual(twice._tag, "ValidationError")
      const unknown = yield* Effect.flip(writer.update(write, app_id, [{ record_id: 9_999_999, fields: {} }]))
      assert.strictEqual(unknown._tag, "RecordNotFound")
      const removedRows = yield* writer.remove(write, app_id, ids, false)
      assert.isTrue(removedRows.every((row) => row.deleted_on !== null && row.revision === 2))
    })
  )

  it.effect(
    "4.3: an update is two statements in its transaction, and one more where its title may be shown elsewhere",
    () =>
      Effect.gen(function* () {
        const { app_id, write, writer } = yield* setup
        const [record] = yield* writer.create(write, app_id, [{ a: "old", n: 1 }])
        const statementsOf = (fields: Record<string, unknown>) =>
          Effect.map(askedBy(writer.update(write, app_id, [{ record_id: record!.record_id, fields }])), ({ asked }) =>
            asked.map(
              ({ statement }) => /FOR NO KEY UPDATE|INSERT INTO revisions|DISTINCT l.field_id/.exec(statement)?.[0]
            )
          )
        const steps = ["FOR NO KEY UPDATE", "INSERT INTO revisions"]
        assert.deepStrictEqual(yield* statementsOf({ n: 2 }), steps)
        assert.deepStrictEqual(yield* statementsOf({ a: "new" }), [...steps, "DISTINCT l.field_id"])
      })
  )

  it.effect("crossing batches neither lose an update nor wait in a ring", () =>
    Effect.gen(function* () {
      const { app_id, write, writer, sql } = yield* setup
      const rows = yield* writer.create(write, app_id, [{}, {}, {}, {}])
      const ids = rows.map((row) => row.record_id)
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => i),
        (i) =>
          writer.update(
            write,
            app_id,
            (i % 2 === 0 ? ids : [...ids].reverse()).map((record_id) => ({ record_id, fields: { n: i + 1 } }))
          ),
        { concurrency: 8 }
      )
      const recordRows = yield* sql<{ revision: number; n: number }>`
        SELECT revision, (SELECT count(*)::int FROM revisions v WHERE v.record_id = r.record_id) AS n
        FROM records r WHERE app_id = ${app_id}`
      assert.isTrue(recordRows.every((row) => row.revision === 20 && row.n === 21))
    })
  )

  it.effect("4.3 rule 6: the purge destroys what has lain in the trash long enough", () =>
    Effect.gen(function* () {
      const { app_id, write, writer, sql } = yield* setup
      const rows = yield* writer.create(write, app_id, [{ a: "old" }, { a: "new" }, { a: "live" }])
      const ids = rows.map((row) => row.record_id)
      yield* writer.remove(write, app_id, ids.slice(0, 2), false)
      yield* sql`UPDATE records SET deleted_on = '2020-01-01' WHERE record_id = ${ids[0]!}`
      assert.strictEqual(yield* writer.purge(new Date("2021-01-01"), 100), 1)
      const remainingRecords = yield* sql<{
        record_id: number
      }>`SELECT record_id FROM records WHERE app_id = ${app_id} ORDER BY 1`
      assert.deepStrictEqual(
        remainingRecords.map((row) => row.record_id),
        ids.slice(1)
      )
    })
  )
})
