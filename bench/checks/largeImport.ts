// Imports a long CSV file as a job (developer-api.md 4.2, 7.11) into an app with a unique field, on a service that is killed in the middle:
// no row is lost or doubled. Tells rows a second, memory, and processor time of a row.
import { Clock, Effect } from "effect"
import { makeBed } from "../support/bed.ts"
import type { Check, Reading } from "../support/Check.ts"
import { processorOf } from "../support/processor.ts"
import { BenchFailed, benchFailed } from "../support/Row.ts"
import { residentOf } from "../support/resident.ts"

const ROWS = 200_000
/** Rows among which one has a number that its field does not take. */
const BAD_EVERY = 1_000
const LOOK_MILLIS = 1_000
const MEMORY_MIB = 700

const fileOf = (rows: number) => {
  const lines = ["Reference,Weight,Remark"]
  for (let n = 1; n <= rows; n++)
    lines.push(`R-${n},${n % BAD_EVERY === 0 ? "heavy" : n % 977},To be delivered by lorry ${n % 50}`)
  return new Blob([lines.join("\n")], { type: "text/csv" })
}

export const largeImport: Check = {
  name: "large-import",
  work: `a CSV file of --records rows (${ROWS}) as a job; the service is killed in the middle`,
  seconds: 600,
  run: Effect.fnUntraced(function* (_seconds, say, { records: rows = ROWS }) {
    const bed = yield* makeBed("bench-import")
    const { client, machine, sql, workspaceId } = bed
    const call = (...args: Parameters<typeof client.get>) => Effect.mapError(client.get(...args), benchFailed)
    const app = yield* call("POST", "/v1/app", {
      body: {
        workspace_id: workspaceId,
        name: "Orders",
        fields: [
          { field_type: "single_text", config: { label: "Reference", unique: true } },
          { field_type: "number", config: { label: "Weight" } },
          { field_type: "single_text", config: { label: "Remark" } }
        ]
      }
    })
    const form = new FormData()
    form.set("file", fileOf(rows), "orders.csv")
    const file = yield* Effect.tryPromise({
      try: async () => {
        const headers = { authorization: `Bearer ${bed.token}` }
        return (await fetch(`${machine.baseUrl}/v1/file/upload`, { method: "POST", headers, body: form })).json()
      },
      catch: benchFailed
    })
    const { job_id } = yield* call("POST", `/v1/record/app/${app.app_id}/import`, {
      body: { file_id: (file as any).file_id ?? (file as any).id }
    })
    const began = yield* Clock.currentTimeMillis
    const seconds = Effect.map(Clock.currentTimeMillis, (now) => (now - began) / 1_000)
    let [killed, resident, before] = [false, 0, processorOf(machine)]
    let [service, postgres, doneBefore] = [0, 0, 0]
    const count = (done: number) => {
      const usage = processorOf(machine)
      service += usage.main + usage.threads - before.main - before.threads
      postgres += usage.postgres - before.postgres
      doneBefore = done
    }
    for (;;) {
      const job = yield* call("GET", `/v1/job/${job_id}`)
      const pid = machine.servicePid()
      if (pid !== undefined) resident = Math.max(resident, residentOf(pid))
      if (!killed && job.progress.done > rows / 2) {
        count(job.progress.done)
        say(`${job.progress.done} rows after ${(yield* seconds).toFixed(0)} s; the service is killed`)
        yield* machine.parts.service.kill
        yield* machine.parts.service.start
        yield* machine.ready
        killed = true
        before = processorOf(machine)
      }
      if (!["pending", "running"].includes(job.status)) {
        say(`${job.status} after ${(yield* seconds).toFixed(0)} s: ${JSON.stringify(job.counts)}`)
        if (job.status !== "completed") return yield* new BenchFailed({ message: `the job ${job.status}` })
        count(job.progress.done)
        const [kept] = yield* Effect.mapError(
          sql<{ records: number; references: number; weights: number }>`
            SELECT count(*)::int AS records, count(DISTINCT cells->${String(app.fields[0].field_id)}::text)::int AS references,
              count(*) FILTER (WHERE cells ? ${String(app.fields[1].field_id)}::text)::int AS weights
            FROM records WHERE app_id = ${app.app_id}`,
          benchFailed
        )
        const bad = Math.floor(rows / BAD_EVERY)
        const exactly = (what: string, value: number, wanted: number): Reading => ({
          ...{ what, value, unit: "", atLeast: wanted, atMost: wanted }
        })
        return [
          exactly("records", kept!.records, rows),
          exactly("distinct references", kept!.references, rows),
          exactly("records with a weight", kept!.weights, rows - bad),
          exactly("rows done", job.progress.done, rows),
          exactly("records created, as the job tells", job.counts.created, rows),
          exactly("cells left empty, as the job tells", job.counts.cells_left_empty ?? 0, bad),
          { what: "rows", value: rows / (yield* seconds), unit: "a second" },
          { what: "processor time of the service", value: (service / doneBefore) * 1_000, unit: "ms a row" },
          { what: "processor time of Postgres", value: (postgres / doneBefore) * 1_000, unit: "ms a row" },
          { what: "memory of the service, at most", value: resident, unit: "MiB", atMost: MEMORY_MIB }
        ] satisfies ReadonlyArray<Reading>
      }
      yield* Effect.sleep(LOOK_MILLIS)
    }
  }, Effect.scoped)
}
