// developer-api.md 4.1, 4.3: single updates that several callers make at the same moment share a transaction, and are each caller's own.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { ownWrite } from "../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../src/engine/outbox/Event.ts"
import { besideTransaction } from "../../../src/platform/sql/besideTransaction.ts"
import { appLayer, seedUser } from "../../support/app.ts"
import { BOUND } from "../../support/eventually.ts"
import { as, callerOf, createApp, eventsOf, field, seedWorkspace } from "../../support/records.ts"

const RECORDS = 12

layer(appLayer(), { excludeTestServices: true })("records updated together", (it) => {
  const setup = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const writer = yield* RecordWriter
    const { orgId, owner, workspaceId } = yield* seedWorkspace
    const member = yield* seedUser(orgId, "member")
    const fields = [
      field("single_text", "Name"),
      field("number", "N"),
      field("single_text", "Code", undefined, { unique: true })
    ]
    const { app_id } = yield* createApp(owner, workspaceId, fields)
    const write = ownWrite(callerOf(owner), defaultSwitches)
    const rows = yield* writer.create(
      write,
      app_id,
      Array.from({ length: RECORDS }, (_, i) => ({ name: `record ${i}`, code: `code ${i}` }))
    )
    const ids = rows.map(({ record_id }) => record_id)
    /** The callers' updates, at the same moment. */
    const updateAll = <A, E, R>(updates: ReadonlyArray<Effect.Effect<A, E, R>>) =>
      Effect.all(updates.map(Effect.result), { concurrency: "unbounded" })
    const update = (record_id: number, values: object, by = write) =>
      Effect.map(writer.update(by, app_id, [{ record_id, fields: values as {} }]), ([record]) => record!)
    /** Transactions that have written revisions of the records. */
    const transactions = Effect.map(
      sql`SELECT DISTINCT v.xmin::text FROM revisions v JOIN records r USING (record_id) WHERE r.app_id = ${app_id} AND v.revision > 0`,
      (all) => all.length
    )
    return {
      appId: app_id as number,
      call: as(owner),
      ids,
      member,
      owner,
      sql,
      transactions,
      update,
      updateAll,
      write,
      writer
    }
  })

  it.effect("4.3: they take one transaction, and each has its author, its revision and its event", () =>
    Effect.gen(function* () {
      const { ids, member, owner, transactions, update, updateAll, write } = yield* setup
      const quietWrite = ownWrite(callerOf(member, "member"), { ...defaultSwitches, hook: false })
      const results = yield* updateAll(
        ids.map((id, i) => update(id, { name: `changed ${i}` }, i % 3 === 0 ? quietWrite : write))
      )
      assert.strictEqual(yield* transactions, 1)
      for (const [i, result] of results.entries()) {
        const { last_modified_by, revision, title } = Result.getOrThrow(result)
        const author = { type: "user", user_id: i % 3 === 0 ? member.userId : owner.userId }
        assert.deepStrictEqual([title, revision, last_modified_by], [`changed ${i}`, 1, author])
        const events = (yield* eventsOf("record_id", ids[i]!)).filter(({ type }) => type === "record.update")
        assert.deepStrictEqual(
          events.map(({ hook, payload }) => [hook, payload.title, payload.author]),
          [[i % 3 !== 0, `changed ${i}`, author]]
        )
      }
    })
  )

  it.effect("4.3: each is refused by itself, and the others stay in their transaction", () =>
    Effect.gen(function* () {
      const { appId, ids, transactions, update, updateAll, write, writer } = yield* setup
      yield* writer.remove(write, appId, [ids[3]!], false)
      const missing = 2_000_000_000
      const results = yield* updateAll([
        update(ids[0]!, { name: "first" }),
        update(ids[1]!, { n: "no number" }),
        update(ids[2]!, { name: "at another revision" }, { ...write, expectedRevision: 7 }),
        update(ids[3]!, { name: "in the trash" }),
        update(missing, { name: "nowhere" }),
        update(ids[4]!, { code: "code 5" }),
        update(ids[6]!, { name: "at its revision" }, { ...write, expectedRevision: 0 }),
        update(ids[7]!, { name: "record 7" })
      ])
      assert.deepStrictEqual(
        results.map((result) => (Result.isSuccess(result) ? result.success.revision : result.failure._tag)),
        [1, "ValidationError", "Conflict", "RecordDeleted", "RecordNotFound", "UniqueConflict", 1, 0]
      )
      assert.include(String(Result.isFailure(results[1]!) && results[1].failure.message), "fields.n: ")
      assert.include(String(Result.isFailure(results[2]!) && results[2].failure.message), "If-Match names revision 7")
      // That which has trashed one record, and that of the group.
      assert.strictEqual(yield* transactions, 2)
    })
  )

  it.effect("4.3: a problem names its input, and another revision than the record has is told of", () =>
    Effect.gen(function* () {
      const { appId, call, ids } = yield* setup
      const batch = (inputs: ReadonlyArray<object>) => call("PUT", `/v1/record/app/batch/${appId}`, { inputs })
      const replies = yield* Effect.all(
        [
          batch([{ record_id: ids[0], fields: { n: "no number" } }]),
          batch([{ record_id: ids[1], fields: {}, revision: 4 }])
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        replies.map(({ status }) => status),
        [400, 409]
      )
      assert.include(replies[0]!.json.error_message, "inputs[0].fields.n: ")
      assert.include(replies[1]!.json.error_message, `inputs[0].revision: record ${ids[1]} is at revision 0, not 4.`)
    })
  )

  it.effect("4.3: updates of one record follow one another", () =>
    Effect.gen(function* () {
      const { ids, sql, update, updateAll } = yield* setup
      const id = ids[0]!
      const results = yield* updateAll(Array.from({ length: 8 }, (_, i) => update(id, { n: i + 1 })))
      const revisions = results.map((result) => Result.getOrThrow(result).revision)
      assert.deepStrictEqual(revisions.toSorted(), [1, 2, 3, 4, 5, 6, 7, 8])
      const deltas = yield* sql<{ from: ReadonlyArray<number>; to: ReadonlyArray<number> }>`
        SELECT d.value->'from' AS "from", d.value->'to' AS "to" FROM revisions v, jsonb_each(v.delta) d
        WHERE v.record_id = ${id} AND v.revision > 0 ORDER BY v.revision`
      assert.deepStrictEqual(
        deltas.map(({ from }) => from),
        [[], ...deltas.slice(0, -1).map(({ to }) => to)]
      )
      const events = (yield* eventsOf("record_id", id)).filter(({ type }) => type === "record.update")
      assert.deepStrictEqual(
        events.map(({ payload }) => payload.revision),
        [1, 2, 3, 4, 5, 6, 7, 8]
      )
    })
  )

  /** Holds `locked` while `others` are made; then `waiting` is through as well. */
  const besideLock = <A, E>(
    locked: Effect.Effect<unknown, SqlError>,
    waiting: Effect.Effect<A, E>,
    others: Effect.Effect<unknown, E>
  ) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const runBeside = <B>(effect: Effect.Effect<B, E>) => Effect.forkDetach(besideTransaction(sql)(effect))
      const waitingFiber = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* locked
          const [waitingFiber, othersFiber] = [yield* runBeside(waiting), yield* runBeside(others)]
          yield* Effect.timeout(Fiber.join(othersFiber), BOUND)
          assert.isUndefined(waitingFiber.pollUnsafe())
          return waitingFiber
        })
      )
      return yield* Fiber.join(waitingFiber)
    })

  it.effect("an update of a record that is locked waits alone", () =>
    Effect.gen(function* () {
      const { ids, sql, update } = yield* setup
      const record = yield* besideLock(
        sql`SELECT 1 FROM records WHERE record_id = ${ids[0]!} FOR UPDATE`,
        update(ids[0]!, { name: "late" }),
        Effect.all(
          ids.slice(1).map((id) => update(id, { name: "in time" })),
          { concurrency: "unbounded" }
        )
      )
      assert.deepStrictEqual([record.title, record.revision], ["late", 1])
    })
  )

  it.effect("an update whose title is shown by a record that is locked waits alone, and the title is shown", () =>
    Effect.gen(function* () {
      const { appId, call, ids, owner, sql, update } = yield* setup
      const { workspace_id } = (yield* call("GET", `/v1/app/${appId}`)).json
      const ofField = field("single_relation", "Of", { referenced_apps: [{ app_id: appId }] })
      const orders = yield* createApp(owner, workspace_id, [ofField], "Orders")
      const orderId = (yield* call("POST", `/v1/record/app/${orders.app_id}`, { fields: { of: ids[0] } })).json
        .record_id
      yield* besideLock(
        sql`SELECT 1 FROM records WHERE record_id = ${orderId} FOR UPDATE`,
        update(ids[0]!, { name: "late" }),
        Effect.all(
          ids.slice(1).map((id) => update(id, { name: "in time" })),
          { concurrency: "unbounded" }
        )
      )
      assert.strictEqual((yield* call("GET", `/v1/record/${orderId}`)).json.title, "late")
    })
  )

  it.effect("an update whose title many records show does not hold up the others", () =>
    Effect.gen(function* () {
      const { appId, call, ids, owner, transactions, update, updateAll, write, writer } = yield* setup
      const { workspace_id } = (yield* call("GET", `/v1/app/${appId}`)).json
      const ofField = field("single_relation", "Of", { referenced_apps: [{ app_id: appId }] })
      const orders = yield* createApp(owner, workspace_id, [ofField], "Orders")
      const orderRows = Array.from({ length: 101 }, () => ({ of: ids[0] }))
      const [order] = yield* writer.create(write, orders.app_id, orderRows)
      const results = yield* updateAll(ids.map((id) => update(id, { name: "renamed" })))
      assert.deepStrictEqual(
        results.map((result) => Result.getOrThrow(result).revision),
        ids.map(() => 1)
      )
      assert.strictEqual(yield* transactions, ids.length)
      assert.strictEqual((yield* call("GET", `/v1/record/${order!.record_id}`)).json.title, "renamed")
    })
  )
})
