// developer-api.md 11.4: every pair of the table. What the dry run tells is what the job does, and a value that goes there and back is the
// same, where nothing of it is lost on the way.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { targetsOf } from "../../../../src/domain/records/conversion/conversionTable.ts"
import { assignableTags } from "../../../../src/domain/records/fields/registry.ts"
import { conversionLayer, valued } from "./support.ts"

const options = { options: ["Red", "Blue"].map((text) => ({ text, color: "gray" })) }
const state = {
  options: [
    { text: "Open", means_completed: false },
    { text: "Done", means_completed: true }
  ]
}
const address = "Pier 4, Hamburg"

/** A pair, values of the first type as they are sent, and how many of them convert. */
interface Way {
  readonly from: string
  readonly to: string
  readonly values: ReadonlyArray<unknown>
  readonly converts: number
  readonly fromSettings?: object
  readonly toSettings?: object
  /** False: something of the values is lost on the way. */
  readonly returns?: false
}
const dated = { time: "enabled" }

const ways: ReadonlyArray<Way> = [
  { from: "single_text", to: "multi_text", values: ["a < b & c", "x\ny"], converts: 2 },
  {
    from: "single_text",
    to: "number",
    values: ["1.25", "-3.00", "1e2", "x"],
    toSettings: { decimals: 2 },
    converts: 3,
    returns: false
  },
  { from: "number", to: "single_text", values: [1.25, -3, 0], fromSettings: { decimals: 2 }, converts: 3 },
  { from: "number", to: "multi_text", values: [1.25, 7], fromSettings: { decimals: 2 }, converts: 2 },
  { from: "number", to: "single_category", values: [1.5, 2], fromSettings: { decimals: 1 }, converts: 2 },
  { from: "number", to: "multi_phone", values: [4711], converts: 1 },
  { from: "single_category", to: "multi_category", values: ["Red", "Blue"], fromSettings: options, converts: 2 },
  {
    from: "multi_category",
    to: "single_category",
    values: [["Red"], ["Red", "Blue"]],
    fromSettings: options,
    converts: 1
  },
  { from: "single_category", to: "single_text", values: ["Red"], fromSettings: options, converts: 1 },
  { from: "multi_category", to: "multi_text", values: [["Red", "Blue"]], fromSettings: options, converts: 1 },
  { from: "single_category", to: "status", values: ["Red"], fromSettings: options, toSettings: state, converts: 1 },
  { from: "status", to: "single_category", values: ["Open"], fromSettings: state, converts: 1, returns: false },
  { from: "status", to: "single_text", values: ["Open"], fromSettings: state, converts: 1, returns: false },
  { from: "single_text", to: "status", values: ["Open", "New"], toSettings: state, converts: 2 },
  { from: "single_date", to: "range_date", values: ["2026-04-01"], converts: 1 },
  {
    from: "range_date",
    to: "single_date",
    values: ["2026-04-01", "2026-04-01 - 2026-04-05"],
    converts: 1,
    returns: false
  },
  {
    from: "single_date",
    to: "single_text",
    values: ["2026-04-01", "2026-04-01 15:00"],
    fromSettings: dated,
    converts: 2
  },
  { from: "range_date", to: "multi_text", values: ["2026-04-01 - 2026-04-05"], converts: 1 },
  { from: "single_text", to: "single_date", values: ["2026-04-01", "2026-04-01 15:00", "April"], converts: 1 },
  { from: "multi_email", to: "single_text", values: [["a@example.com", "b@example.com"]], converts: 1 },
  { from: "single_text", to: "multi_email", values: ["a@example.com", "no address"], converts: 1 },
  { from: "multi_phone", to: "multi_text", values: [["1", "2"]], converts: 1 },
  { from: "multi_phone", to: "number", values: ["4711", ["1", "2"]], converts: 1 },
  {
    from: "multi_link",
    to: "single_text",
    values: [["https://example.com/a,b", "https://example.com/c"]],
    converts: 1
  },
  { from: "single_location", to: "single_text", values: [address], converts: 1 },
  { from: "single_text", to: "single_location", values: [address], converts: 1 },
  { from: "checklist", to: "multi_text", values: [["Load", "Sail"]], converts: 1 },
  { from: "multi_text", to: "checklist", values: ["<p>Load</p><p>Sail</p>"], converts: 1 },
  { from: "checklist", to: "multi_category", values: [["Load", "Sail"]], converts: 1, returns: false }
]

/** What a value says, without the ids that are new each time. */
const wordsOf = (entries: ReadonlyArray<any>) =>
  entries.map(({ embed_id: _, id: __, completed_at: ___, value, ...rest }) =>
    typeof value === "object" && value !== null && "text" in value ? { text: value.text } : { ...rest, value }
  )

describe("developer-api.md 11.4: the table of conversions", () => {
  it("names each type that can be written, and converts to none but these", () => {
    for (const tag of assignableTags) {
      const targets = targetsOf(tag)
      assert.isAbove(targets.length, 0, tag)
      assert.notInclude(targets, tag)
      for (const target of targets) assert.include(assignableTags, target)
    }
    for (const tag of ["unique_id", "calculation", "created_at", "constructor"])
      assert.deepStrictEqual(targetsOf(tag), [])
  })
})

layer(conversionLayer, { excludeTestServices: true })("developer-api.md 11.4: pairs", (it) => {
  for (const { converts, from, fromSettings, returns = true, to, toSettings, values } of ways)
    it.effect(
      `${from} to ${to}: the dry run tells what the job does${returns ? ", and back it is as it was" : ""}`,
      () =>
        Effect.gen(function* () {
          const required = from === "status" ? { required: true } : {}
          const { convert, converted, shown } = yield* valued(from, fromSettings, values, required)
          const valuesBefore = yield* shown
          const config = { ...(toSettings === undefined ? {} : { settings: toSettings }) }
          const dry = yield* convert({ field_type: to, config, dry_run: true })
          assert.strictEqual(dry.status, 200, dry.text)
          const { failures, samples, ...counts } = dry.json.outcome
          const job = yield* converted({ field_type: to, config })
          assert.strictEqual(job.status, "completed", JSON.stringify(job))
          assert.deepStrictEqual(job.counts, {
            converted: counts.converted,
            unconvertible: counts.unconvertible,
            empty: counts.empty
          })
          assert.strictEqual(counts.converted, converts, JSON.stringify(failures))
          assert.deepStrictEqual(
            job.report,
            failures.map(({ reason, record_id }: any) => ({ id: String(record_id), message: reason }))
          )
          const between = yield* shown
          assert.strictEqual(between.filter((one) => one.length > 0).length, converts)
          assert.strictEqual(samples.length, converts)
          if (!returns) return
          const reconversion = yield* converted({
            field_type: from,
            config: { required: from === "status", ...(fromSettings === undefined ? {} : { settings: fromSettings }) }
          })
          assert.strictEqual(reconversion.status, "completed", JSON.stringify(reconversion))
          const valuesAfter = yield* shown
          for (const [index, entries] of between.entries())
            if (entries.length > 0)
              assert.deepStrictEqual(wordsOf(valuesAfter[index]!), wordsOf(valuesBefore[index]!), `value ${index}`)
        })
    )
})
