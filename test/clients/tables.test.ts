// Records with the types of their app's fields: `millrace types APP`, and what the client makes of it (developer-api.md 3, 4).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { tableOf } from "../../clients/typescript/src/index.ts"
import { Definitions } from "../../src/domain/records/model/Definitions.ts"
import { programOf } from "../../src/interfaces/cli/typesCommand.ts"
import { servedLayer } from "../support/served.ts"
import { promise, seeded } from "./support.ts"

layer(servedLayer(), { excludeTestServices: true })("typed records", (it) => {
  it.effect("come and go by the names of their fields, each in its plainest form", () =>
    Effect.gen(function* () {
      const { appId, client, owner } = yield* seeded
      const shape = {
        app_id: appId,
        fields: {
          reference: "single_text",
          weight: "number",
          due: "single_date",
          state: "status",
          driver: "single_user"
        }
      } as const
      const deliveries = tableOf(client, shape)
      yield* promise(async () => {
        const createdRow = await deliveries.create({ reference: "A 1", weight: 3, due: "2026-03-01", state: "Planned" })
        const { driver, due, reference, state, weight } = createdRow.values
        assert.deepStrictEqual([reference, weight, due?.start_date, driver], ["A 1", 3, "2026-03-01", null])
        assert.strictEqual(state?.text, "Planned")
        const changed = await deliveries.update(createdRow.record_id, {
          weight: null,
          driver: owner.userId,
          state: "Delivered"
        })
        assert.deepStrictEqual([changed.values.weight, changed.values.driver?.user_id], [null, owner.userId])
        // @ts-expect-error no field of the app
        await deliveries.update(createdRow.record_id, { colour: "red" }).catch(() => {})
        // @ts-expect-error a number takes no list
        await deliveries.update(createdRow.record_id, { weight: [1] }).catch(() => {})
        await deliveries.create({ reference: "B 2", state: "Planned" })
        const references: Array<string | null> = []
        for await (const { values } of deliveries.each({ sort_by: "reference" })) references.push(values.reference)
        assert.deepStrictEqual(references, ["A 1", "B 2"])
        await deliveries.remove(createdRow.record_id)
        assert.strictEqual(
          (await deliveries.get(createdRow.record_id).catch(({ code }) => code)) as unknown,
          "record_deleted"
        )
      })
    })
  )

  it.effect("the program of an app names each field once, whatever its people called it", () =>
    Effect.gen(function* () {
      const { appId } = yield* seeded
      const definition = yield* Definitions.use((definitions) => definitions.load(appId))
      const app = definition._tag === "Some" ? definition.value : undefined
      const text = programOf({
        ...app!,
        name: "*/ Été 2026",
        fields: app!.fields.map((f) => ({ ...f, label: "a */ b\nc" }))
      })
      assert.include(text, "export const Ete2026 = {")
      assert.notMatch(text, /\*\/ b/)
      assert.include(text, `"reference": "single_text"`)
      assert.include(programOf({ app_id: 7, name: "書籍", fields: [] }), "export const App7 = {")
    }).pipe(Effect.provide(Definitions.layer))
  )
})
