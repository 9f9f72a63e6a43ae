// developer-api.md 11.3: recalculation of all records after a change of the definition, and once a day; errors of single records.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { JobBatches } from "../../../../src/domain/jobs/JobBatches.ts"
import { planCalculations } from "../../../../src/domain/records/calculations/calculationPlan.ts"
import { recalculateDaily } from "../../../../src/domain/records/recalculation/dailyRecalculation.ts"
import { dependencyDigests } from "../../../../src/domain/records/recalculation/recalculations.ts"
import * as jobKinds from "../../../../src/jobKinds.ts"
import { appLayer } from "../../../support/app.ts"
import { as, createApp, eventsOf, field, seedWorkspace } from "../../../support/records.ts"

const jobsLayer = JobBatches.layer.pipe(Layer.provide(jobKinds.layer), Layer.provideMerge(appLayer()))
const calculation = (label: string, expression: string, result: string, more: object = {}) => ({
  field_type: "calculation",
  config: { label, expression, result, ...more }
})

layer(jobsLayer, { excludeTestServices: true })("developer-api.md 11.3: recalculation", (it) => {
  const setup = (fields: ReadonlyArray<any>) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const batches = yield* JobBatches
      const { owner, workspaceId } = yield* seedWorkspace
      const app = yield* createApp(owner, workspaceId, [
        field("number", "Price"),
        field("single_text", "Name"),
        ...fields
      ])
      const call = as(owner)
      const path = `/v1/app/${app.app_id}`
      const create = (values: object) =>
        Effect.map(
          call("POST", `/v1/record/app/${app.app_id}`, { fields: values }),
          ({ json }) => json.record_id as number
        )
      const state = Effect.map(call("GET", path), ({ json }) => [json.calculations_pending, json.calculations_job_id])
      const valuesOf = (slug: string) =>
        Effect.map(call("GET", `/v1/record/app/${app.app_id}?sort_by=app_record_id`), ({ json }) =>
          json.records.map(
            (one: any) => one.fields.find((other: any) => other.external_id === slug)?.values[0].value ?? null
          )
        )
      return { app, batches, call, create, path, sql, state, valuesOf }
    })

  it.effect("a new calculation, a changed one and a changed field begin a job that calculates all records", () =>
    Effect.gen(function* () {
      const { batches, call, create, path, state, valuesOf } = yield* setup([])
      const ids = [yield* create({ price: 1 }), yield* create({ price: 2 }), yield* create({})]
      assert.deepStrictEqual(yield* state, [undefined, undefined])
      const added = yield* call("PUT", path, { fields: [calculation("Double", "price * 2", "number")] })
      const fieldId = added.json.fields.at(-1).field_id
      const [pending, jobId] = (yield* state) as [number, number]
      assert.strictEqual(pending, 3)
      assert.deepStrictEqual(yield* valuesOf("double"), [null, null, null])
      yield* batches.carryOut(jobId, 1)
      const { json: job } = yield* call("GET", `/v1/job/${jobId}`)
      assert.deepInclude(job, {
        kind: "field_recalculate",
        status: "completed",
        progress: { done: 3, total: 3 },
        counts: { calculated: 3, unchanged: 0 }
      })
      assert.deepStrictEqual(yield* valuesOf("double"), [2, 4, 0])
      assert.deepStrictEqual(yield* state, [0, null])
      // The record did not change.
      const { json: record } = yield* call("GET", `/v1/record/${ids[0]}`)
      assert.deepInclude(record, { revision: 0, last_modified_on: null })
      assert.deepStrictEqual(
        (yield* eventsOf("record_id", ids[0]!)).map(({ type }) => type),
        ["record.create"]
      )
      // A label changes nothing; an expression does, and a later change takes over.
      yield* call("PUT", path, { fields: [{ field_id: fieldId, config: { label: "Twice" } }] })
      assert.deepStrictEqual(yield* state, [0, null])
      const change = (expression: string) =>
        call("PUT", path, { fields: [{ field_id: fieldId, config: { label: "Twice", expression } }] })
      yield* change("price * 20")
      const [, overtaken] = yield* state
      yield* change("price * 3 + 1")
      const [, newest] = yield* state
      assert.isAbove(newest, overtaken)
      yield* batches.carryOut(overtaken, 1)
      assert.deepStrictEqual(yield* valuesOf("double"), [2, 4, 0])
      yield* batches.carryOut(newest, 1)
      assert.deepStrictEqual(yield* valuesOf("double"), [4, 7, 1])
    })
  )

  it.effect("a chain of 150 calculations is defined, and costs each the same", () =>
    Effect.gen(function* () {
      const chain = Array.from({ length: 150 }, (_, at) =>
        calculation(
          `Link ${at}`,
          at === 0 ? "price + '\"'" : `link_${at - 1} + link_${Math.max(0, at - 2)}.slice(0, 0)`,
          "text"
        )
      )
      const { call, create, path, state } = yield* setup(chain)
      const id = yield* create({ price: 1 })
      const renamed = yield* call("PUT", path, { name: "Chain" })
      assert.deepStrictEqual([renamed.status, renamed.json.name], [200, "Chain"])
      assert.deepStrictEqual(yield* state, [0, null])
      const { json } = yield* call("GET", `/v1/record/${id}`)
      assert.deepStrictEqual(json.fields.at(-1).values, [{ value: '1"' }])
      const fields = chain.map(({ config: { expression, result }, field_type }, at) => ({
        field_id: at + 1,
        slug: `link_${at}`,
        field_type,
        settings: { expression, result, decimals: null }
      }))
      const price = { field_id: 151, slug: "price", field_type: "number", settings: {} }
      const plan = Result.getOrThrow(planCalculations([...fields, price]))
      const digests = [...dependencyDigests(plan).values()]
      assert.deepStrictEqual([digests.length, new Set(digests).size], [151, 151])
      assert.isTrue(digests.every(({ length }) => length === 64))
    })
  )

  it.effect("options that change are calculated anew, through the calculations between; titles follow", () =>
    Effect.gen(function* () {
      const kind = field("single_category", "Kind", { options: [{ text: "Small" }] })
      const { app, batches, call, create, path, state } = yield* setup([kind])
      const option = app.fields[2].config.settings.options[0]
      yield* call("PUT", path, {
        fields: [calculation("Upper", "kind.toUpperCase()", "text"), calculation("Heading", "upper + '!'", "text")]
      })
      const id = yield* create({ kind: option.id })
      const heading = app.fields.length + 1
      const reordered = yield* call("GET", path)
      yield* call("PUT", `${path}/fields/order`, { fields: [{ field_id: reordered.json.fields[heading].field_id }] })
      assert.strictEqual((yield* call("GET", `/v1/record/${id}`)).json.title, "SMALL!")
      yield* call("PUT", path, {
        fields: [
          {
            field_id: app.fields[2].field_id,
            config: { label: "Kind", settings: { options: [{ id: option.id, text: "Large" }] } }
          }
        ]
      })
      const [, jobId] = yield* state
      yield* batches.carryOut(jobId, 1)
      assert.strictEqual((yield* call("GET", `/v1/record/${id}`)).json.title, "LARGE!")
    })
  )

  it.effect("an expression that fails leaves the field empty, and the record says why", () =>
    Effect.gen(function* () {
      const { app, create, call } = yield* setup([
        calculation("Share", "100 / price", "number", { decimals: 1 }),
        calculation("Shown", "share + ' %'", "text")
      ])
      const id = yield* create({ price: 0 })
      const { json } = yield* call("GET", `/v1/record/${id}`)
      const [, , share, shown] = app.fields
      assert.deepStrictEqual(json.calculation_errors, [
        { field_id: share.field_id, external_id: "share", message: "division by zero" },
        { field_id: shown.field_id, external_id: "shown", message: "share: division by zero" }
      ])
      assert.deepStrictEqual(
        json.fields.map((one: any) => one.external_id),
        ["price"]
      )
      yield* call("PUT", `/v1/record/${id}`, { fields: { price: 3 } })
      const mended = yield* call("GET", `/v1/record/${id}`)
      assert.notProperty(mended.json, "calculation_errors")
      assert.deepStrictEqual(mended.json.fields.at(-1).values, [{ value: "33.3 %" }])
    })
  )

  it.effect("calculations that read today's date are begun once a day", () =>
    Effect.gen(function* () {
      const { app, batches, create, sql, state, valuesOf } = yield* setup([
        calculation("Year", "year(today())", "number"),
        calculation("Word", "'today'", "text")
      ])
      const plainApp = yield* setup([calculation("Word", "name + ' today'", "text")])
      yield* plainApp.create({ name: "x" })
      const id = yield* create({ price: 1 })
      yield* sql`UPDATE records SET cells = '{}' WHERE record_id = ${id}`
      yield* recalculateDaily
      const [pending, jobId] = yield* state
      assert.deepStrictEqual([pending, yield* plainApp.state], [1, [0, null]])
      yield* recalculateDaily
      assert.deepStrictEqual(yield* state, [1, jobId])
      yield* batches.carryOut(jobId, 1)
      assert.isAbove((yield* valuesOf("year"))[0], 2000)
      yield* sql`UPDATE calculation_days SET day = day - 1 WHERE app_id = ${app.app_id}`
      yield* recalculateDaily
      assert.isAbove((yield* state)[1], jobId)
    })
  )

  it.effect("records of several batches are calculated once each", () =>
    Effect.gen(function* () {
      const { app, batches, call, path, sql, state } = yield* setup([])
      yield* sql`
        INSERT INTO records (app_id, org_id, app_record_id, cells, created_on, created_by)
        SELECT ${app.app_id}, org_id, n, jsonb_build_object(${String(app.fields[0].field_id)}::text, jsonb_build_array(n)), now(),
          '{"type":"user","user_id":1}'
        FROM apps, generate_series(1, 450) n WHERE app_id = ${app.app_id}`
      const added = yield* call("PUT", path, { fields: [calculation("Double", "price * 2", "number")] })
      const [, jobId] = yield* state
      yield* batches.carryOut(jobId, 1)
      const key = String(added.json.fields.at(-1).field_id)
      const [wrong] = yield* sql<{ n: number }>`
        SELECT count(*)::int AS n FROM records
        WHERE app_id = ${app.app_id} AND (cells->${key}::text->>0)::int IS DISTINCT FROM app_record_id * 2`
      assert.strictEqual(wrong!.n, 0)
      const { json } = yield* call("GET", `/v1/job/${jobId}`)
      assert.deepStrictEqual(json.counts, { calculated: 450, unchanged: 0 })
    })
  )
})
