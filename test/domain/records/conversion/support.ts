// Apps with values of one field, and their conversion over HTTP, carried out when a test says so.
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { DryRunAtOnce } from "../../../../src/domain/conversion/FieldConversions.ts"
import { JobBatches } from "../../../../src/domain/jobs/JobBatches.ts"
import * as jobKinds from "../../../../src/jobKinds.ts"
import { appLayer } from "../../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../../support/records.ts"

/** The service without a worker, and what carries out jobs; a dry run of more than fifty records is a job. */
export const conversionLayer = JobBatches.layer.pipe(
  Layer.provide(jobKinds.layer),
  Layer.provideMerge(appLayer()),
  Layer.provide(Layer.succeed(DryRunAtOnce, 50))
)

export const carryOut = (jobId: number) => JobBatches.use((batches) => batches.carryOut(jobId, 1))

/** An app with a note and the field under test, `Value`, and one record for each value. */
export const valued = Effect.fnUntraced(function* (
  type: string,
  settings: object | undefined,
  values: ReadonlyArray<unknown>,
  extra: object = {}
) {
  const seeded = yield* seedWorkspace
  const app = yield* createApp(seeded.owner, seeded.workspaceId, [
    field("single_text", "Note"),
    field(type, "Value", settings, extra)
  ])
  const call = as(seeded.owner)
  const recordIds: Array<number> = []
  for (const value of values) {
    const reply = yield* call("POST", `/v1/record/app/${app.app_id}`, {
      fields: value === null ? { note: "-" } : { note: "-", value }
    })
    assert.strictEqual(reply.status, 200, reply.text)
    recordIds.push(reply.json.record_id)
  }
  const fieldId = app.fields[1].field_id as number
  const convert = (body: object) => call("POST", `/v1/field/${fieldId}/convert`, body)
  const jobOf = (jobId: number) => Effect.map(call("GET", `/v1/job/${jobId}`), ({ json }) => json)
  /** Converts to the end; answers the job. */
  const converted = Effect.fnUntraced(function* (body: object) {
    const reply = yield* convert(body)
    assert.strictEqual(reply.status, 200, reply.text)
    yield* carryOut(reply.json.job_id)
    return yield* jobOf(reply.json.job_id)
  })
  /** Entries of the field in each record, as they read. */
  const shownValues = Effect.forEach(recordIds, (id) =>
    Effect.map(
      call("GET", `/v1/record/${id}`),
      ({ json }) => (json.fields.find((one: any) => one.field_id === fieldId)?.values ?? []) as ReadonlyArray<any>
    )
  )
  const sql = yield* SqlClient.SqlClient
  return {
    ...seeded,
    app,
    appId: app.app_id as number,
    call,
    convert,
    converted,
    fieldId,
    jobOf,
    recordIds,
    shown: shownValues,
    sql
  }
})
