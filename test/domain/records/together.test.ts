// developer-api.md 4.1, 4.3: records that several callers make at the same moment share a statement, and are each caller's own.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ConstraintError, SqlError } from "effect/sql/SqlError"
import type { CallerShape } from "../../../src/domain/accounts/Caller.ts"
import type { AppDefinition } from "../../../src/domain/records/model/AppDefinition.ts"
import type { Write } from "../../../src/domain/records/model/RecordRow.ts"
import { makeBatchedCreation } from "../../../src/domain/records/writing/batchedCreation.ts"
import type { NewRow } from "../../../src/domain/records/writing/createStatement.ts"
import { defaultSwitches } from "../../../src/engine/outbox/Event.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
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
      const successes = answers.filter((_, i) => i !== 7)
      assert.deepStrictEqual(new Set(successes.map(({ status }) => status)), new Set([200]))
      assert.deepStrictEqual(
        successes.map(({ json }) => json.app_record_id).sort((a, b) => a - b),
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

  it.effect("who makes one alone leaves no number unused, whatever is refused in between", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Name"), field("number", "N")])
      const numbers: Array<number> = []
      for (const fields of [{ name: "a" }, { n: "no number" }, { name: "b" }, { name: "c" }]) {
        const { json, status } = yield* app.call("POST", `/v1/record/app/${app_id}`, {
          token: owner.key,
          body: { fields }
        })
        if (status !== 200) continue
        numbers.push(json.app_record_id)
        assert.deepStrictEqual(
          [json.created_by.user_id, json.created_by.mail.length, json.title],
          [owner.userId, 1, fields.name]
        )
      }
      assert.deepStrictEqual(numbers, [1, 2, 3])
    })
  )

  /** Statements that do not go to a database: how many records each had, and whether it drew their numbers. */
  const countingSetup = Effect.gen(function* () {
    const sql = yield* Sql
    const statements: Array<number | "draws"> = []
    let lastNumber = 0
    const make = yield* makeBatchedCreation({
      sql,
      numbers: {
        draw: (_, count) =>
          Effect.sync(() => {
            lastNumber += count
            return lastNumber - count
          })
      },
      statements: {
        create: (_, records, drawing) => {
          statements.push(drawing === true ? "draws" : records.length)
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
    const definition = { app_id: 1 } as AppDefinition
    return {
      statements,
      drawn: () => lastNumber,
      make: (title: string, links: NewRow["links"] = []) => {
        const row: NewRow = { title, cells: {}, delta: {}, changed: [], links, files: [], pointed: [], named: [] }
        return Effect.result(make(definition, { rows: [row], write, at: new Date(0), numbers: {} }))
      }
    }
  })

  it.effect("one that Postgres refuses takes none of the others with it, and no number is drawn twice", () =>
    Effect.gen(function* () {
      const { drawn, make, statements } = yield* countingSetup
      const results = yield* Effect.all(
        ["a", "refused", "b"].map((title) => make(title)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        results.map((result) => (result._tag === "Success" ? result.success[0]!.app_record_id : "refused")),
        [1, "refused", 3]
      )
      assert.strictEqual(drawn(), 3)
      assert.deepStrictEqual(statements, [3, 1, 1, 1])
    })
  )

  it.effect("one made alone is numbered by its own statement, unless it links to what it may have to wait for", () =>
    Effect.gen(function* () {
      const { drawn, make, statements } = yield* countingSetup
      yield* make("alone")
      yield* make("linked", [{ field_id: 1, target_id: 1 }])
      assert.deepStrictEqual([statements, drawn()], [["draws", 1], 1])
    })
  )
})
