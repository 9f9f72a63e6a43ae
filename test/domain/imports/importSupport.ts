// An app, uploads of CSV files into it, and their imports, carried out when a test says so.
import { Effect } from "effect"
import { JobBatches } from "../../../src/domain/jobs/JobBatches.ts"
import { App } from "../../support/app.ts"
import { ORIGIN } from "../../support/oauth.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

export const upload = Effect.fnUntraced(function* (key: string, content: string | Uint8Array, name = "rows.csv") {
  const app = yield* App
  const body = new FormData()
  body.append("file", new Blob([content as string], { type: "text/csv" }), name)
  const request = new Request(`${ORIGIN}/v1/file/upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body
  })
  const response = yield* app.fetch(request)
  const answer = (yield* Effect.promise(() => response.json())) as { file_id: string }
  return answer.file_id
})

export const carryOut = (jobId: number, attempt = 1) => JobBatches.use((batches) => batches.carryOut(jobId, attempt))

const options = [
  { text: "Open", means_completed: false },
  { text: "Paid", means_completed: true }
]

/** An app of orders; the mail is unique. */
export const importSetting = Effect.gen(function* () {
  const { owner, workspaceId } = yield* seedWorkspace
  const app = yield* createApp(owner, workspaceId, [
    field("single_text", "Name", undefined, { required: true }),
    field("multi_email", "Mail", undefined, { unique: true }),
    field("number", "Amount", { decimals: 2 }),
    field("status", "Stage", { options }, { required: true }),
    field("single_category", "Kind", { options: [{ text: "Retail" }] }),
    field("single_date", "Due"),
    field("single_user", "Owner")
  ])
  const call = as(owner)
  const fieldIds = Object.fromEntries(app.fields.map((one: any) => [one.external_id, one.field_id])) as Record<
    string,
    number
  >
  const path = `/v1/record/app/${app.app_id}/import`
  const uploaded = (content: string | Uint8Array) => upload(owner.key, content)
  const begin = Effect.fnUntraced(function* (content: string | Uint8Array, body: object = {}) {
    return yield* call("POST", path, { file_id: yield* uploaded(content), ...body })
  })
  const preview = Effect.fnUntraced(function* (content: string | Uint8Array, body: object = {}) {
    return yield* call("POST", `${path}/preview`, { file_id: yield* uploaded(content), ...body })
  })
  const jobOf = (jobId: number) => Effect.map(call("GET", `/v1/job/${jobId}`), ({ json }) => json)
  /** Imports to the end; answers the job. */
  const imported = Effect.fnUntraced(function* (content: string | Uint8Array, body: object = {}) {
    const answer = yield* begin(content, body)
    if (answer.status !== 202) return yield* Effect.die(new Error(answer.text))
    yield* carryOut(answer.json.job_id)
    return yield* jobOf(answer.json.job_id)
  })
  /** Values of all records by external id, the oldest first. */
  const records = Effect.gen(function* () {
    const page = yield* call("GET", `/v1/record/app/${app.app_id}?limit=500&sort_by=app_record_id`)
    return page.json.records.map(({ fields }: any) =>
      Object.fromEntries(
        fields
          .filter(({ values }: any) => values.length > 0)
          .map(({ external_id, values: [entry] }: any) => [
            external_id,
            entry.start_date ?? entry.value?.text ?? entry.value?.name ?? entry.value
          ])
      )
    )
  })
  return { app, begin, call, fieldIds, imported, jobOf, owner, path, preview, records, uploaded, workspaceId }
})
