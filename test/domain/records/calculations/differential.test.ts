// developer-api.md 11.3: after drawn changes of records and definitions, with jobs that are interrupted, every stored result is what a
// calculation from nothing gives.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { JobBatches } from "../../../../src/domain/jobs/JobBatches.ts"
import { Definitions } from "../../../../src/domain/records/model/Definitions.ts"
import * as jobKinds from "../../../../src/jobKinds.ts"
import { appLayer } from "../../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { DEPTH, seedOf } from "../../../support/seed.ts"

const jobsLayer = JobBatches.layer.pipe(Layer.provide(jobKinds.layer), Layer.provideMerge(appLayer()))
const CHANGES = 150 * DEPTH
const seed = seedOf("calculations")

const expressions = [
  "a + b * 2",
  "a * 0.1 + 0.2",
  "(a - b) % 7",
  "a > b ? a + 0 : b + 0",
  "10 / b",
  "round(a / 3, 2) + b"
] as const

/** The same results, by plain arithmetic on thousandths of whole numbers. */
const model: Readonly<Record<(typeof expressions)[number], (a: number, b: number) => number | null>> = {
  "a + b * 2": (a, b) => a + b * 2,
  "a * 0.1 + 0.2": (a, b) => (a + 2) / 10 + b * 0,
  "(a - b) % 7": (a, b) => (a - b) % 7 || 0,
  "a > b ? a + 0 : b + 0": (a, b) => Math.max(a, b),
  "10 / b": (_, b) => (b === 0 ? null : 10 / b),
  "round(a / 3, 2) + b": (a, b) => (Math.sign(a) * Math.round((Math.abs(a) * 100) / 3) + b * 100) / 100
}

const change = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("create" as const),
      a: fc.integer({ min: -50, max: 50 }),
      b: fc.integer({ min: 0, max: 9 })
    })
  },
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant("update" as const),
      at: fc.nat(),
      fields: fc.oneof(
        fc.record({ a: fc.option(fc.integer({ min: -50, max: 50 })) }),
        fc.record({ b: fc.option(fc.integer({ min: 0, max: 9 })) })
      )
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("define" as const), expression: fc.constantFrom(...expressions) })
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("work" as const), interrupted: fc.boolean() }) }
)

layer(jobsLayer, { excludeTestServices: true })("developer-api.md 11.3: calculations against recomputation", (it) => {
  it.effect("drawn changes leave what a calculation from nothing gives", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const batches = yield* JobBatches
      const { owner, workspaceId } = yield* seedWorkspace
      const call = as(owner)
      const app = yield* createApp(owner, workspaceId, [field("number", "A"), field("number", "B")])
      const path = `/v1/app/${app.app_id}`
      const define = (config: object, fieldId?: number) =>
        call("PUT", path, {
          fields: [fieldId === undefined ? { field_type: "calculation", config } : { field_id: fieldId, config }]
        })
      const firstReply = yield* define({ label: "One", expression: expressions[0], result: "number" })
      const firstFieldId = firstReply.json.fields.at(-1).field_id as number
      const second = yield* define({ label: "Two", expression: "one * 2", result: "number" })
      const two = second.json.fields.at(-1).field_id as number
      let expression: (typeof expressions)[number] = expressions[0]
      const records: Array<{ id: number; a: number | null; b: number | null }> = []
      const openJobs = sql<{ job_id: number }>`SELECT job_id::int FROM jobs WHERE completed_on IS NULL ORDER BY job_id`
      const finish = Effect.flatMap(openJobs, (jobs) =>
        Effect.forEach(jobs, ({ job_id }) => batches.carryOut(job_id, 1))
      )
      for (const drawn of fc.sample(change, { numRuns: CHANGES, seed })) {
        if (drawn.type === "create") {
          const { a, b } = drawn
          const { json } = yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { a, b } })
          records.push({ id: json.record_id, a, b })
        } else if (drawn.type === "update" && records.length > 0) {
          const record = records[drawn.at % records.length]!
          yield* call("PUT", `/v1/record/${record.id}`, { fields: drawn.fields })
          Object.assign(record, drawn.fields)
        } else if (drawn.type === "define") {
          expression = drawn.expression
          yield* define({ label: "One", expression }, firstFieldId)
        } else if (drawn.type === "work") {
          // Interrupted somewhere in its batch: what it has not noted is not there.
          yield* drawn.interrupted ? Effect.raceFirst(finish, Effect.yieldNow) : finish
        }
      }
      yield* finish
      const definitions = yield* Definitions
      assert.isTrue(Option.isSome(yield* definitions.load(app.app_id)))
      const rows = yield* sql<{ record_id: number; one: number | null; two: number | null }>`
        SELECT record_id::int, (cells->${String(firstFieldId)}::text->>0)::float8 AS one, (cells->${String(two)}::text->>0)::float8 AS two
        FROM records WHERE app_id = ${app.app_id} ORDER BY record_id`
      const expectedValues = records.map(({ a, b, id }) => {
        const result = model[expression](a ?? 0, b ?? 0)
        return { record_id: id, one: result, two: result === null ? null : result * 2 }
      })
      assert.deepStrictEqual(
        rows.map((row) => ({ ...row })),
        expectedValues,
        `seed ${seed}, ${expression}`
      )
    })
  )
})
