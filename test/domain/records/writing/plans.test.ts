// A statement about records that are named comes by these and no others: its plan is kept, made for as many rows as it is given
// (src/ground/sql/given.ts).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CallerShape } from "../../../../src/domain/accounts/Caller.ts"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import { appLayer } from "../../../support/app.ts"
import { createApp, field, seedWorkspace } from "../../../support/records.ts"

/** Pages enough that a hundred ways through an index look dearer than all of them. */
const RECORDS = 1_500
/** Rows of the table that a statement about one of them may come by. */
const FEW = 5

layer(appLayer(), { excludeTestServices: true })("a statement about one record among many", (it) => {
  const setting = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const writer = yield* RecordWriter
    const { orgId, owner, workspaceId } = yield* seedWorkspace
    const { app_id: appId } = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Many")
    const caller: CallerShape = {
      userId: owner.userId,
      orgId,
      personId: owner.personId,
      role: "owner",
      author: { type: "user", user_id: owner.userId },
      credential: { type: "user_api_key", id: 1, clientId: null, expiresOn: null },
      scopes: "all",
      selection: "all"
    }
    const write = ownWrite(caller, defaultSwitches)
    const ids = (count: number) =>
      Effect.map(
        writer.create(
          write,
          appId,
          Array.from({ length: count }, (_, i) => ({ name: `Record ${i}` }))
        ),
        (records) => records.map(({ record_id }) => record_id)
      )
    /** Rows of `records` that this transaction has come by while it did so. */
    const read = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const seen = sql<{ rows: number }>`
          SELECT (pg_stat_get_xact_tuples_returned('records'::regclass) + pg_stat_get_xact_tuples_fetched('records'::regclass))::int AS rows`
        const [before] = yield* seen
        yield* work
        return (yield* seen)[0]!.rows - before!.rows
      })
    return { appId, ids, read, sql, write, writer }
  })

  it.effect("changes it, and comes by no others", () =>
    Effect.gen(function* () {
      const { appId, ids, read, sql, write, writer } = yield* setting
      const [first] = yield* ids(RECORDS)
      yield* sql`ANALYZE records`
      const change = writer.update(write, appId, [{ record_id: first!, fields: { name: "Another" } }])
      assert.isAtMost(yield* sql.withTransaction(read(change)), FEW)
    })
  )
})
