// developer-api.md 4.5: the record as it was. However long its history is, one row of it is read.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { AccessGrant } from "../../../../src/domain/accounts/Access.ts"
import { Revisions } from "../../../../src/domain/records/reading/Revisions.ts"
import { appLayer } from "../../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { askedBy } from "../../../support/statements.ts"

layer(appLayer(), { excludeTestServices: true })("a record as of a revision", (it) => {
  const long = Effect.gen(function* () {
    const { owner, workspaceId } = yield* seedWorkspace
    const call = as(owner)
    const app = yield* createApp(owner, workspaceId, [
      field("single_text", "Name"),
      field("number", "N", { decimals: 0 })
    ])
    const createdRecord = (yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: "a", n: 0 } })).json
    const path = `/v1/record/${createdRecord.record_id}`
    const revisions = [createdRecord]
    for (let n = 1; n <= 6; n++)
      revisions.push(
        (yield* call("PUT", path, { fields: n === 3 ? { name: null } : n === 5 ? { n: null, name: "b" } : { n } })).json
      )
    revisions.push((yield* call("DELETE", path)).json)
    revisions.push((yield* call("POST", `${path}/restore`)).json)
    revisions.push((yield* call("PUT", path, { fields: { n: 9 } })).json)
    return { app, call, path, recordId: createdRecord.record_id as number, shown: revisions }
  })

  it.effect("4.5: is what its write answered, with cleared fields, deletion and restore", () =>
    Effect.gen(function* () {
      const { call, path, shown } = yield* long
      for (const [revision, was] of shown.entries()) {
        assert.strictEqual(was.revision, revision)
        assert.deepStrictEqual((yield* call("GET", `${path}/revision/${revision}`)).json, was, `revision ${revision}`)
      }
      assert.strictEqual((yield* call("GET", `${path}/revision/${shown.length}`)).json.error_code, "not_found")
    })
  )

  it.effect("4.5: no statement brings more than a row of the history, that of the newest revision none", () =>
    Effect.gen(function* () {
      const { app, recordId, shown } = yield* long
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ org_id: number }>`SELECT org_id FROM records WHERE record_id = ${recordId}`
      const { at } = yield* Revisions
      const grant = { id: recordId, appId: app.app_id, orgId: row!.org_id } as AccessGrant
      const readFor = Effect.fnUntraced(function* (revision: number) {
        const { asked } = yield* askedBy(at(grant, revision))
        return asked.filter(({ statement }) => /\brevisions\b/.test(statement)).map(({ rows }) => rows.length)
      })
      assert.deepStrictEqual(yield* readFor(5), [1])
      assert.deepStrictEqual(yield* readFor(shown.length - 1), [])
    })
  )
})
