// Records: every worker creates a record and changes it twice. Nothing of what was answered may be lost or doubled.
import { Effect } from "effect"
import { listed } from "../../../demo/client.ts"
import { type Load, some } from "../Load.ts"
import { makeApp, valueOf } from "./shared.ts"

export const records: Load = {
  name: "records",
  about: "records created and changed; none lost, none doubled",
  begin: Effect.fnUntraced(function* (context) {
    const { client } = context
    const { appId } = yield* makeApp(context, "Disturbed records")
    const nameById = new Map<number, string>()
    const step = Effect.fnUntraced(function* (worker: number, n: number) {
      const name = `${worker}-${n}`
      const body = { fields: { name, count: 0 } }
      const key = `record-${appId}-${name}`
      const { record_id } = yield* client.get("POST", `/v1/record/app/${appId}`, { body, key })
      for (const count of [1, 2]) {
        yield* client.get("PUT", `/v1/record/${record_id}`, { body: { fields: { count } } })
      }
      nameById.set(record_id, name)
    })
    const differences = Effect.gen(function* () {
      const records = yield* listed(client, appId)
      const byId = new Map(records.map((record) => [record.record_id as number, record]))
      const lost = [...nameById.keys()].filter((id) => !byId.has(id))
      const wrong = records.filter(
        (record) =>
          nameById.has(record.record_id) &&
          (record.revision !== 2 ||
            valueOf(record, "count") !== 2 ||
            valueOf(record, "name") !== nameById.get(record.record_id))
      )
      const names = records.map((record) => valueOf(record, "name") as string)
      return [
        ...some(lost, "record(s) lost"),
        ...some(
          names.filter((name, i) => names.indexOf(name) !== i),
          "record(s) doubled"
        ),
        ...some(
          wrong.map((record) => `${record.record_id} at revision ${record.revision}`),
          "record(s) not as written"
        ),
        ...some(
          records.filter((record) => !nameById.has(record.record_id)).map((r) => r.record_id),
          "record(s) nobody was told of"
        )
      ]
    })
    return {
      step,
      settled: Effect.sync(() => ({ done: nameById.size, total: nameById.size })),
      differences,
      counts: () => ({ records: nameById.size, changes: nameById.size * 3 })
    }
  })
}
