// developer-api.md 3.1, 6 rule 3: reads beside an app that is deleted, and of a file that hangs on many records.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Files } from "../../../../src/domain/records/files/Files.ts"
import { type App, appLayer, type Person, type Reply, seedUser } from "../../../support/app.ts"
import { asOwner } from "../../../support/database.ts"
import { crossing } from "../../../support/locks.ts"
import { as, callerOf, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { askedBy } from "../../../support/statements.ts"

layer(appLayer(), { excludeTestServices: true })("reads", (it) => {
  it.effect("3.1: a record whose app is deleted while it is read is not there", () =>
    Effect.gen(function* () {
      const { owner, workspaceId } = yield* seedWorkspace
      const sql = yield* SqlClient.SqlClient
      const call = as(owner)
      const app = yield* createApp(owner, workspaceId, [field("single_text", "Name")])
      const { json } = yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: "Ada" } })
      // This process has to read the definition anew.
      yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${app.app_id}`
      const run = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (owners) => owners.unsafe(statement))
      const read = yield* asOwner(
        crossing<Reply, SqlError, App | SqlClient.SqlClient>(
          run("LOCK TABLE fields IN ACCESS EXCLUSIVE MODE"),
          call("GET", `/v1/record/${json.record_id}`),
          run(`DELETE FROM apps WHERE app_id = ${app.app_id}`)
        )
      )
      assert.strictEqual(read.status, 404, read.text)
      assert.strictEqual(read.json.error_code, "record_not_exists")
    })
  )

  it.effect("6 rule 3: a file that hangs on many records is looked up once for each of their apps", () =>
    Effect.gen(function* () {
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const call = as(owner)
      yield* sql`UPDATE workspaces SET type = 'private' WHERE workspace_id = ${workspaceId}`
      yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${owner.userId}, 'admin')`
      const app = yield* createApp(owner, workspaceId, [field("multi_attachment", "Files")])
      yield* sql`
        INSERT INTO files (org_id, temporary_id, uploaded_by, name, size, mimetype, storage_key, created_on)
        VALUES (${orgId}, 'temporary-many', ${owner.userId}, 'a.png', 3, 'image/png', 'many', now())`
      const { json } = yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { files: ["temporary-many"] } })
      const id = json.fields[0].values[0].value.id as number
      const inputs = Array.from({ length: 30 }, () => ({ fields: { files: [id] } }))
      assert.strictEqual((yield* call("POST", `/v1/record/app/batch/${app.app_id}`, { inputs })).status, 200)
      const member = yield* seedUser(orgId, "member")
      const statementsOf = (person: Person, role: "owner" | "member") =>
        Effect.map(askedBy(Effect.exit(files.get(callerOf(person, role), id))), ({ answer, asked }) => [
          answer._tag,
          asked.length
        ])
      assert.deepStrictEqual(yield* statementsOf(member, "member"), ["Failure", 2])
      assert.deepStrictEqual(yield* statementsOf(owner, "owner"), ["Success", 2])
      const url = `/v1/file/${id}`
      assert.strictEqual((yield* call("GET", url)).json.name, "a.png")
      assert.strictEqual((yield* as(member)("GET", url)).status, 404)
    })
  )
})
