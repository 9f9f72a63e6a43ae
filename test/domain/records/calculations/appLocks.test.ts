// developer-api.md 11.3: changes of definitions and writes of records in apps whose calculations read one another never wait for one another
// in a circle.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Access } from "../../../../src/domain/accounts/Access.ts"
import { Apps } from "../../../../src/domain/records/apps/Apps.ts"
import { ownWrite } from "../../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../../src/engine/outbox/Event.ts"
import { appLayer } from "../../../support/app.ts"
import { callerOf, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { calculation, relation } from "../../../support/relatedCalculations.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 11.3: locks of apps that read one another", (it) => {
  const setup = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const access = yield* Access
    const apps = yield* Apps
    const writer = yield* RecordWriter
    const { owner, workspaceId } = yield* seedWorkspace
    const caller = callerOf(owner)
    const write = ownWrite(caller, defaultSwitches)
    const firstApp = yield* createApp(owner, workspaceId, [field("number", "Price")])
    const second = yield* createApp(owner, workspaceId, [field("number", "Count"), relation("Others", firstApp.app_id)])
    const change = Effect.fnUntraced(function* (app: any, ...fields: ReadonlyArray<any>) {
      return yield* apps.update(yield* access.check(caller, "app", app.app_id, 5), { fields })
    })
    yield* change(firstApp, relation("Others", second.app_id))
    /** In a transaction that is around it nothing is tried again: a deadlock is a failure. */
    const transacted = <A, E, R>(effect: Effect.Effect<A, E, R>) => sql.withTransaction(effect)
    const create = (app: any, fields: object) =>
      Effect.map(writer.create(write, app.app_id, [fields as any]), ([record]) => record!.record_id)
    const update = (app: any, id: number, fields: object) =>
      writer.update(write, app.app_id, [{ record_id: id, fields: fields as any }])
    return { change, create, first: firstApp, once: transacted, second, update }
  })

  it.effect("two apps begin to read one another at the same time", () =>
    Effect.gen(function* () {
      const { change, first, once, second } = yield* setup
      for (let round = 0; round < 5; round++) {
        const [one, other] = yield* Effect.all(
          [
            once(change(first, calculation(`Sum ${round}`, "sum(related(others).count)", "number"))),
            once(change(second, calculation(`Sum ${round}`, "sum(related(others).price)", "number")))
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          [one, other].map(({ fields }) => fields.at(-1)!.label),
          [`Sum ${round}`, `Sum ${round}`]
        )
        // The next round begins anew: a calculation that is there needs no locks of others.
        yield* Effect.forEach([one, other], (app) =>
          change(app, { field_id: app.fields.at(-1)!.field_id, config: { label: "Sum", expression: "1" } })
        )
      }
    })
  )

  it.effect("an app begins to read another, whose records begin to point to its own", () =>
    Effect.gen(function* () {
      const { change, create, first, once, second, update } = yield* setup
      const target = yield* create(first, { price: 1 })
      const pointing = yield* create(second, { count: 1 })
      for (let round = 0; round < 10; round++) {
        const read = calculation(`Sum ${round}`, "sum(related(others).count)", "number")
        const [changed] = yield* Effect.all(
          [once(change(first, read)), once(update(second, pointing, { others: round % 2 === 0 ? [target] : [] }))],
          { concurrency: "unbounded" }
        )
        yield* change(changed, { field_id: changed.fields.at(-1)!.field_id, config: { label: "Sum", expression: "1" } })
      }
    })
  )
})
