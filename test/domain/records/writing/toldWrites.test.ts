// docs/architecture.md, "One flow": what a write tells the relay of its events is what stands in the outbox.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { toldIn } from "../../../../src/engine/outbox/notice.ts"
import { OutboxRow } from "../../../../src/engine/outbox/OutboxRow.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { rowsOf } from "../../../../src/ground/sql/rows.ts"
import { Sql } from "../../../../src/ground/sql/Sql.ts"
import { App, appLayer } from "../../../support/app.ts"
import { createApp, field, seedWorkspace } from "../../../support/records.ts"

/** What the relay hears of a request while it waits. */
const toldBy = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const wake = yield* RelayWake
    const heard = yield* Effect.forkChild(wake.next, { startImmediately: true })
    const answer = yield* request
    return { answer, told: toldIn(yield* Fiber.join(heard)) }
  })

layer(appLayer(), { excludeTestServices: true })("what writes tell", (it) => {
  it.effect("of creates, updates and comments is what the outbox has", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* Sql
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Name"), field("number", "N")])
      const untitled = yield* createApp(owner, workspaceId, [field("number", "N")])
      const checked = Effect.fnUntraced(function* (type: string, method: string, path: string, body: object) {
        const { answer, told } = yield* toldBy(app.call(method, path, { token: owner.key, body }))
        assert.strictEqual(answer.status, 200)
        const ids = told!.map(({ event_id }) => String(event_id))
        const found = yield* rowsOf(OutboxRow)(sql`
          SELECT *, 0 AS shard FROM outbox WHERE event_id = ANY(${ids}::bigint[]) ORDER BY event_id`)
        assert.deepStrictEqual(
          told!.map((event) => ({ ...event, attempts: 0, shard: 0 })),
          found
        )
        assert.deepStrictEqual(
          found.map((event) => event.type),
          [type]
        )
        return answer.json
      })
      const path = `/v1/record/app/${app_id}`
      const { record_id } = yield* checked("record.create", "POST", path, { fields: { name: "é“", n: 1.5e20 } })
      yield* checked("record.create", "POST", `${path}?hook=false&silent=true`, { fields: {} })
      yield* checked("record.create", "POST", `/v1/record/app/${untitled.app_id}`, { fields: { n: 0 } })
      yield* checked("record.update", "PUT", `/v1/record/${record_id}`, { fields: { n: -0.25, name: "b" } })
      yield* checked("record.update", "PUT", `/v1/record/${record_id}?workflow=false`, { fields: { n: null } })
      yield* checked("comment.create", "POST", `/v1/comment/record/${record_id}`, { value: "seen" })
    })
  )
})
