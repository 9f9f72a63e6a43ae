// developer-api.md 11.3, 11.4: a field that a calculation reads keeps its type.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { field } from "../../../support/records.ts"
import { carryOut, conversionLayer, valued } from "./support.ts"

const doubled = { field_type: "calculation", config: { label: "Double", expression: "value * 2", result: "number" } }

layer(conversionLayer, { excludeTestServices: true })("conversion of a field that a calculation reads", (it) => {
  it.effect("is refused with the calculation's name, as is that of a calculation", () =>
    Effect.gen(function* () {
      const { appId, call, convert } = yield* valued("number", undefined, [3])
      const added = yield* call("PUT", `/v1/app/${appId}`, { fields: [doubled] })
      assert.strictEqual(added.status, 200, added.text)
      const refusal = yield* convert({ field_type: "single_text" })
      assert.strictEqual(refusal.status, 400)
      assert.include(refusal.json.error_message, "the calculation double reads the field")
      const { field_id } = added.json.fields.find(({ external_id }: any) => external_id === "double")
      const ofCalculation = yield* call("POST", `/v1/field/${field_id}/convert`, { field_type: "number" })
      assert.strictEqual(ofCalculation.status, 400)
      assert.include(ofCalculation.json.error_message, "converts to no other type")
    })
  )

  it.effect("ends without effect where the calculation came while the job was under way", () =>
    Effect.gen(function* () {
      const { appId, call, convert, jobOf, shown } = yield* valued("number", undefined, [3])
      const { json } = yield* convert({ field_type: "single_text" })
      const added = yield* call("PUT", `/v1/app/${appId}`, { fields: [doubled, field("single_text", "Other")] })
      assert.strictEqual(added.status, 200, added.text)
      yield* carryOut(json.job_id)
      const job = yield* jobOf(json.job_id)
      assert.strictEqual(job.status, "failed")
      assert.include(job.report[0].message, "A calculation reads the field by now.")
      assert.strictEqual((yield* shown)[0]![0].value, 3)
    })
  )
})
