// Plain runs: every record that is created is stamped and copied into another app. One run, one stamp and one copy each, however
// often the process dies in between (decisions A1).
import { Effect } from "effect"
import { listed } from "../../../demo/client.ts"
import { type Load, some } from "../Load.ts"
import { assign, makeApp, valueOf } from "./shared.ts"

export const stamps: Load = {
  name: "stamps",
  about: "records stamped and copied by an automation; one run and one copy each",
  begin: Effect.fnUntraced(function* (context) {
    const { client } = context
    const source = yield* makeApp(context, "Disturbed automations")
    const copies = yield* makeApp(context, "Copies")
    const { automation } = yield* client.get("POST", `/v1/automation/app/${source.appId}`, {
      body: {
        name: "Stamp and copy",
        trigger: { type: "record_created", config: {} },
        filter: null,
        actions: [
          {
            type: "record_create",
            config: { app_id: copies.appId, field_assignments: [assign(copies.fields["name"]!, "copy")] }
          },
          { type: "current_record_update", config: { field_assignments: [assign(source.fields["name"]!, "stamped")] } }
        ]
      }
    })
    yield* client.get("POST", `/v1/automation/${automation.id}/activate`)
    const created = new Set<number>()
    const step = Effect.fnUntraced(function* (worker: number, n: number) {
      const key = `automated-${source.appId}-${worker}-${n}`
      const body = { fields: { name: "new", count: n } }
      const { record_id } = yield* client.get("POST", `/v1/record/app/${source.appId}`, { body, key })
      created.add(record_id)
    })
    const runs = (status?: string) =>
      client.get("POST", "/v1/automation-run", {
        body: { automation_ids: [automation.id], limit: 1, ...(status === undefined ? {} : { status }) }
      })
    const differences = Effect.gen(function* () {
      const sourceRecords = yield* listed(client, source.appId)
      const copyRecords = yield* listed(client, copies.appId)
      const totalRuns = (yield* runs()).total as number
      const completed = (yield* runs("completed")).total as number
      const wrong = sourceRecords.filter((record) => record.revision !== 1 || valueOf(record, "name") !== "stamped")
      const unequal = (what: string, count: number) =>
        count === created.size ? [] : [`${count} ${what} of ${created.size} records`]
      return [
        ...unequal("records", sourceRecords.length),
        ...unequal("runs", totalRuns),
        ...unequal("completed runs", completed),
        ...unequal("copies", copyRecords.length),
        ...some(
          wrong.map((record) => `${record.record_id} at revision ${record.revision}`),
          "record(s) not stamped once"
        )
      ]
    })
    return {
      step,
      settled: Effect.map(runs("completed"), ({ total }) => ({ done: total as number, total: created.size })),
      differences,
      counts: () => ({ records: created.size })
    }
  })
}
