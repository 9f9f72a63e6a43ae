// Runs that call the outside before and after a delay, and mark their record in the end. A call that was cut off is made again with its
// key (decisions A19), so a key for each step and run is all there may be; the mark is there once (A1).
import { Effect } from "effect"
import { listed } from "../../../demo/client.ts"
import { type Load, some } from "../Load.ts"
import { makeApp, valueOf } from "./shared.ts"

const DELAY_MILLIS = 1000

export const outside: Load = {
  name: "outside",
  about: "runs with outside steps around a delay; every step with one key, every record marked once",
  begin: Effect.fnUntraced(function* (context) {
    const { client } = context
    const called = context.called!
    const { appId, fields } = yield* makeApp(context, "Calls")
    const call = (path: string) => ({
      type: "http_call",
      config: { http_call_type: "post", http_call_url: [`http://127.0.0.1:${called.port}${path}`] },
      retry: { attempts: 5, first_ms: 200, factor: 2, at_most_ms: 2000 }
    })
    const paths = [`/before-${appId}`, `/after-${appId}`] as const
    const mark = {
      type: "current_record_update",
      config: {
        field_assignments: [
          {
            field_type: "number",
            variable_def: { kind: "variable", source: "field", field_id: fields["count"], field_type: "number" },
            assignment_type: "set",
            field_value: ["1"]
          }
        ]
      }
    }
    const { automation } = yield* client.get("POST", `/v1/automation/app/${appId}`, {
      body: {
        name: "Calls",
        trigger: { type: "record_created", config: {} },
        filter: null,
        actions: [call(paths[0]), { type: "delay", config: { delay_ms: DELAY_MILLIS } }, call(paths[1]), mark]
      }
    })
    yield* client.get("POST", `/v1/automation/${automation.id}/activate`)
    const created = new Set<number>()
    const step = Effect.fnUntraced(function* (worker: number, n: number) {
      const body = { fields: { name: `${worker}-${n}`, count: 0 } }
      const key = `outside-${appId}-${worker}-${n}`
      const { record_id } = yield* client.get("POST", `/v1/record/app/${appId}`, { body, key })
      created.add(record_id)
    })
    const runs = (status?: string) =>
      client
        .get("POST", "/v1/automation-run", {
          body: { automation_ids: [automation.id], limit: 1, ...(status === undefined ? {} : { status }) }
        })
        .pipe(Effect.map(({ total }) => total as number))
    const keys = (path: string) => [...(called.keys.get(path) ?? new Map<string, number>())]
    const differences = Effect.gen(function* () {
      const appRecords = yield* listed(client, appId)
      const wrong = appRecords.filter((record) => record.revision !== 1 || valueOf(record, "count") !== 1)
      const unequal = (what: string, count: number) =>
        count === created.size ? [] : [`${count} ${what} of ${created.size} records`]
      return [
        ...unequal("records", appRecords.length),
        ...unequal("runs", yield* runs()),
        ...unequal("completed runs", yield* runs("completed")),
        ...paths.flatMap((path) => unequal(`keys of calls to ${path}`, keys(path).length)),
        ...some(
          wrong.map((record) => `${record.record_id} at revision ${record.revision}`),
          "record(s) not marked once"
        )
      ]
    })
    return {
      step,
      settled: Effect.map(runs("completed"), (done) => ({ done, total: created.size })),
      differences,
      counts: () => ({
        runs: created.size,
        "calls made again": paths.flatMap(keys).reduce((sum, [, count]) => sum + count - 1, 0)
      })
    }
  })
}
