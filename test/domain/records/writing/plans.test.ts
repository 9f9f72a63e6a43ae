// A statement about records that are named comes by these and no others: its plan is kept, made for as many rows as it is given
// (src/platform/sql/listParameters.ts).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import { appLayer } from "../../../support/app.ts"
import { callerOf, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { askedBy } from "../../../support/statements.ts"

/** Pages enough that a hundred ways through an index look dearer than all of them. */
const RECORDS = 1_500
/** Rows of the table that a statement about one of them may come by. */
const FEW = 5

layer(appLayer(), { excludeTestServices: true })("a statement about one record among many", (it) => {
  const setting = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const writer = yield* RecordWriter
    const { owner, workspaceId } = yield* seedWorkspace
    const otherApp = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Others")
    const relation = field("single_relation", "Other", { referenced_apps: [{ app_id: otherApp.app_id }] })
    const { app_id: appId } = yield* createApp(owner, workspaceId, [field("single_text", "Name"), relation], "Many")
    const write = ownWrite(callerOf(owner), defaultSwitches)
    const names = Array.from({ length: RECORDS }, (_, i) => ({ name: `Record ${i}` }))
    const [first] = yield* writer.create(write, appId, names)
    const [otherRecord] = yield* writer.create(write, otherApp.app_id, [{ name: "Other" }])
    yield* sql`ANALYZE records`
    const rowsRead = Effect.map(
      sql<{ rows: number }>`
        SELECT (pg_stat_get_xact_tuples_returned('records'::regclass) + pg_stat_get_xact_tuples_fetched('records'::regclass))::int AS rows`,
      ([row]) => row!.rows
    )
    /** Rows of `records` that its connection comes by meanwhile. */
    const read = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const rowsBefore = yield* rowsRead
          yield* work
          return (yield* rowsRead) - rowsBefore
        })
      )
    return { appId, id: first!.record_id, otherId: otherRecord!.record_id, read, write, writer }
  })

  it.effect("changes it, and comes by no others", () =>
    Effect.gen(function* () {
      const { appId, id, read, write, writer } = yield* setting
      assert.isAtMost(yield* read(writer.update(write, appId, [{ record_id: id, fields: { name: "Another" } }])), FEW)
    })
  )

  it.effect("changes links and words only where some differ", () =>
    Effect.gen(function* () {
      const { appId, id, otherId, write, writer } = yield* setting
      const changing = (fields: Readonly<Record<string, unknown>>) =>
        Effect.map(askedBy(writer.update(write, appId, [{ record_id: id, fields }])), ({ asked }) =>
          asked.flatMap(({ statement }) => (statement.includes("UPDATE records") ? [statement] : []))
        )
      const tables = ["record_links", "file_links", "search_entries"]
      const namedIn = ([statement]: ReadonlyArray<string>) => tables.filter((table) => statement!.includes(table))
      assert.deepStrictEqual(namedIn(yield* changing({ name: "Third" })), ["search_entries"])
      assert.deepStrictEqual(namedIn(yield* changing({ other: otherId })), ["record_links"])
      assert.deepStrictEqual(namedIn(yield* changing({ other: null })), ["record_links"])
    })
  )
})
