// developer-api.md 4.1, 4.3: records that several callers make at the same moment share a statement, and are each caller's own.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ConstraintError, SqlError } from "effect/sql/SqlError"
import type { CallerShape } from "../../../src/domain/accounts/Caller.ts"
import type { AppDefinition } from "../../../src/domain/records/model/AppDefinition.ts"
import type { Write } from "../../../src/domain/records/model/RecordRow.ts"
import { type Making, makeRecordsTogether } from "../../../src/domain/records/writing/recordsTogether.ts"
import { defaultSwitches } from "../../../src/engine/outbox/Event.ts"
import { Sql } from "../../../src/ground/sql/Sql.ts"
import { App, appLayer, seedUser } from "../../support/app.ts"
import { createApp, eventsOf, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("records made together", (it) => {
  it.effect("each has its number, its author and its event, and a refusal is one caller's alone", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      const member = yield* seedUser(orgId, "member")
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Name"), field("number", "N")])
      const people = [owner, member]
      const answers = yield* Effect.all(
        Array.from({ length: 24 }, (_, i) =>
          app.call("POST", `/v1/record/app/${app_id}${i % 3 === 0 ? "?hook=false" : ""}`, {
            token: people[i % 2]!.key,
            body: { fields: i === 7 ? { name: "seven", n: "no number" } : { name: `record ${i}`, n: i } }
          })
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers[7]!.status, 400)
      const made = answers.filter((_, i) => i !== 7)
      assert.deepStrictEqual(new Set(made.map(({ status }) => status)), new Set([200]))
      assert.deepStrictEqual(
        made.map(({ json }) => json.app_record_id).sort((a, b) => a - b),
        Array.from({ length: 23 }, (_, i) => i + 1)
      )
      for (const [i, { json }] of answers.entries()) {
        if (i === 7) continue
        assert.strictEqual(json.title, `record ${i}`)
        assert.strictEqual(json.created_by.user_id, people[i % 2]!.userId)
      }
      const events = yield* eventsOf("app_id", app_id)
      assert.strictEqual(events.filter(({ type }) => type === "record.create").length, 23)
      const sql = yield* Sql
      const silent = yield* sql`SELECT 1 FROM outbox WHERE app_id = ${app_id} AND type = 'record.create' AND NOT hook`
      assert.strictEqual(silent.length, 8)
    })
  )

  it.effect("one that Postgres refuses takes none of the others with it, and no number is drawn twice", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const statements: Array<number> = []
      let last = 0
      const make = yield* makeRecordsTogether({
        sql,
        numbers: {
          draw: (_, count) =>
            Effect.sync(() => {
              last += count
              return last - count
            })
        },
        statements: {
          create: (_, records) => {
            statements.push(records.length)
            return records.some(({ title }) => title === "refused")
              ? Effect.fail(new SqlError({ reason: new ConstraintError({ cause: undefined }) }))
              : Effect.succeed(
                  records.map(({ app_record_id, title }) => ({ app_record_id, title, record_id: 1, org_id: 1 }))
                )
          }
        }
      })
      const write: Write = {
        caller: {} as CallerShape,
        author: { type: "user", user_id: 1 },
        switches: defaultSwitches,
        depth: 0,
        cause: null
      }
      const making = (title: string): Making => ({
        rows: [{ title, cells: {}, delta: {}, changed: [], links: [], files: [] }],
        write,
        at: new Date(0),
        numbers: {}
      })
      const definition = { app_id: 1 } as AppDefinition
      const results = yield* Effect.all(
        ["a", "refused", "b"].map((title) => Effect.result(make(definition, making(title)))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        results.map((result) => (result._tag === "Success" ? result.success[0]!.app_record_id : "refused")),
        [1, "refused", 3]
      )
      assert.strictEqual(last, 3)
      assert.deepStrictEqual(statements, [3, 1, 1, 1])
    })
  )
})
