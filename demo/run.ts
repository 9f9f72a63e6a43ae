// The demo: a real data set through the public API into an app with two hooks and an automation, then the accounts: every event
// that was made must have reached the receiver, every record must have been written and stamped once.
import { Clock, Data, Effect } from "effect"
import { type Client, type GaveUp, listed, makeClient, type Refused } from "./client.ts"
import { importRows, type Refusal } from "./importer.ts"
import { appDefinition, type Row, STAMP } from "./movies.ts"
import type { Tenant } from "./operator.ts"
import { Progress } from "./Progress.ts"
import type { Receiver } from "./receiver.ts"
import type { Line } from "./report.ts"

export class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly message: string }> {}

export interface DemoOptions {
  readonly baseUrl: string
  readonly tenant: Tenant
  readonly receiver: Receiver & { readonly port: number }
  readonly rows: ReadonlyArray<Row>
  /** Milliseconds without any progress after which waiting ends. */
  readonly patienceMillis: number
  /** Also called for whoever disturbs the import. */
  readonly onWritten?: (written: number) => void
}

export interface DemoResult {
  readonly lines: ReadonlyArray<Line>
  readonly refusals: ReadonlyArray<Refusal>
  /** Reasons why this run fails; empty if it succeeds. */
  readonly faults: ReadonlyArray<string>
  readonly repeats: Readonly<Record<string, number>>
}

type Failure = GaveUp | Refused | DemoFailed

const seconds = (from: number, to: number) => Math.max(0, (to - from) / 1000)

const hook = Effect.fnUntraced(function* (client: Client, { receiver }: DemoOptions, appId: number, type: string) {
  const url = `http://127.0.0.1:${receiver.port}/hooks/${type}`
  const { hook_id } = yield* client.get("POST", `/v1/hook/app/${appId}`, { body: { type, url } })
  const { secret } = yield* client.get("GET", `/v1/hook/${hook_id}/secret`)
  receiver.trust(hook_id, secret)
  yield* client.get("POST", `/v1/hook/${hook_id}/verify/request`)
  const code = yield* Effect.promise(() => receiver.code(hook_id)).pipe(
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () => Effect.fail(new DemoFailed({ message: `no verification code came for hook ${hook_id}` }))
    })
  )
  yield* client.get("POST", `/v1/hook/${hook_id}/verify/validate`, { body: { code } })
  return hook_id as number
})

const automate = Effect.fnUntraced(function* (client: Client, app: any) {
  const field = app.fields.find((one: any) => one.slug === STAMP)
  const variable = { kind: "variable", source: "field", field_id: field.field_id, field_type: "single_text" }
  const assignment = {
    field_type: "single_text",
    variable_def: variable,
    assignment_type: "set",
    field_value: ["arrived"]
  }
  const body = {
    name: "Stamp what arrives",
    trigger: { type: "record_created", config: {} },
    filter: null,
    actions: [{ type: "current_record_update", config: { field_assignments: [assignment] } }]
  }
  const { automation } = yield* client.get("POST", `/v1/automation/app/${app.app_id}`, { body })
  yield* client.get("POST", `/v1/automation/${automation.id}/activate`)
  return automation.id as number
})

const runsWith = (client: Client, automationId: number, status?: string) =>
  Effect.map(
    client.get("POST", "/v1/automation-run", {
      body: { automation_ids: [automationId], limit: 1, ...(status === undefined ? {} : { status }) }
    }),
    (page) => page.total as number
  )

/** Polls until `done` reaches `total` or nothing has moved for the patience. */
const waitFor = <E>(
  label: string,
  total: number,
  patienceMillis: number,
  look: Effect.Effect<number, E>,
  every: string
) =>
  Effect.gen(function* () {
    const progress = new Progress(label, total)
    let doneCount = -1
    let movedAt = yield* Clock.currentTimeMillis
    for (;;) {
      const currentCount = yield* look
      const nowMillis = yield* Clock.currentTimeMillis
      if (currentCount !== doneCount) movedAt = nowMillis
      doneCount = currentCount
      progress.set(doneCount)
      if (doneCount >= total || nowMillis - movedAt > patienceMillis) break
      yield* Effect.sleep(every as "1 second")
    }
    progress.end()
    return { done: doneCount, at: movedAt }
  })

/** The revision that creates a record; the stamp is the next one. */
const CREATED = 0
const keyOf = (type: string, recordId: number, revision: number) =>
  `${type} of record ${recordId}, revision ${revision}`
const some = (items: ReadonlyArray<string>) => `${items.slice(0, 5).join("; ")}${items.length > 5 ? "; …" : ""}`

export const runDemo = Effect.fn("runDemo")(function* (options: DemoOptions) {
  const { baseUrl, tenant, receiver, rows, patienceMillis } = options
  const clients = tenant.tokens.map((token) => makeClient({ baseUrl, token, patienceMillis }))
  const client = clients[0]!
  const { workspaces } = yield* client.get("GET", "/v1/workspace/org")
  const app = yield* client.get("POST", "/v1/app", { body: appDefinition(workspaces[0].workspace_id) })
  const appId = app.app_id as number
  const hooks = [
    yield* hook(client, options, appId, "record.create"),
    yield* hook(client, options, appId, "record.update")
  ]
  const automationId = yield* automate(client, app)

  const began = yield* Clock.currentTimeMillis
  const bar = new Progress("records", rows.length)
  const { recordIds, refusals } = yield* importRows(clients, appId, `movies-${appId}`, rows, (written) => {
    bar.set(written, `(${receiver.received.size} deliveries)`)
    options.onWritten?.(written)
  })
  bar.end()
  const writtenAt = yield* Clock.currentTimeMillis

  const expected = new Set(
    recordIds.flatMap((id) => [keyOf("record.create", id, CREATED), keyOf("record.update", id, CREATED + 1)])
  )
  const arrivals = waitFor(
    "deliveries",
    expected.size,
    patienceMillis,
    Effect.sync(() => receiver.received.size),
    "200 millis"
  )
  const delivered = yield* arrivals
  const completedRuns = runsWith(client, automationId, "completed")
  const completed = yield* waitFor("runs", recordIds.length, patienceMillis, completedRuns, "2 seconds")
  const allRuns = yield* runsWith(client, automationId)
  const records = yield* listed(client, appId)
  for (const id of hooks) yield* client.get("DELETE", `/v1/hook/${id}`)

  const arrivedDeliveries = [...receiver.received.values()]
  const seenKeys = arrivedDeliveries.map(({ body }) => keyOf(body.type, body.record_id ?? 0, body.revision_id ?? 0))
  const missing = [...expected].filter((key) => !new Set(seenKeys).has(key))
  const extra = seenKeys.filter((key) => !expected.has(key))
  const twice = seenKeys.length - new Set(seenKeys).size
  const repeatCount = arrivedDeliveries.reduce((sum, { count }) => sum + count - 1, 0)
  const unstamped = records.filter((record) => !record.fields.some((field: any) => field.external_id === STAMP))
  const doubled = records.filter((record) => record.revision > CREATED + 1)

  const faults: Array<string> = []
  const fault = (count: number, what: string) => count > 0 && faults.push(`${count} ${what}`)
  fault(missing.length, `event(s) never arrived: ${some(missing)}`)
  fault(extra.length, `delivery(s) of events that nobody made: ${some(extra)}`)
  fault(twice, "event(s) came with more than one webhook-id")
  fault(receiver.forged(), "request(s) had a signature that does not fit")
  if (records.length !== recordIds.length)
    faults.push(`${recordIds.length} records written, but ${records.length} listed`)
  fault(unstamped.length, "record(s) without a stamp")
  fault(doubled.length, `record(s) changed more than once: ${some(doubled.map((record) => String(record.record_id)))}`)
  fault(allRuns - completed.done, "run(s) did not complete")
  fault(recordIds.length - completed.done, "record(s) without a completed run")

  const refusedRows = new Set(refusals.filter(({ field }) => field === undefined).map(({ row }) => row)).size
  const lastEvent = Math.max(receiver.lastAt(), began)
  const lines: ReadonlyArray<Line> = [
    { what: "rows in the data set", count: rows.length },
    { what: "records written", count: recordIds.length, seconds: seconds(began, writtenAt) },
    { what: "rows refused", count: refusedRows },
    { what: "values refused", count: refusals.length - refusedRows },
    { what: "events made", count: expected.size },
    {
      what: "deliveries received",
      count: arrivedDeliveries.length,
      seconds: seconds(began, lastEvent),
      note: `${repeatCount} of them more than once`
    },
    { what: "runs completed", count: completed.done, seconds: seconds(began, Math.max(lastEvent, delivered.at)) }
  ]
  const repeats: Record<string, number> = {}
  for (const client of clients) for (const [why, n] of client.repeats) repeats[why] = (repeats[why] ?? 0) + n
  return { lines, refusals, faults, repeats } satisfies DemoResult as DemoResult
}) satisfies (options: DemoOptions) => Effect.Effect<DemoResult, Failure>
