// Webhooks: workers change records of their own one after another. The receiver must see every revision at least once, with one
// webhook-id each, and the first arrivals of a record in revision order (decisions W3, W10; issue: webhooks that never go missing).
import { Effect } from "effect"
import { type Load, some } from "../Load.ts"
import { makeApp, makeHook } from "./shared.ts"

const RECORDS_EACH = 5

export const webhooks: Load = {
  name: "webhooks",
  about: "records changed under hooks; every event arrives, in order per record",
  begin: Effect.fnUntraced(function* (context) {
    const { client, receiver, workers } = context
    const { appId } = yield* makeApp(context, "Disturbed hooks")
    const hooks = [yield* makeHook(context, appId, "record.create"), yield* makeHook(context, appId, "record.update")]
    /** Latest revision by record. */
    const revisions = new Map<number, number>()
    const recordIds: Array<ReadonlyArray<number>> = []
    for (let worker = 0; worker < workers; worker++) {
      const inputs = Array.from({ length: RECORDS_EACH }, (_, i) => ({ fields: { name: `${worker}-${i}`, count: 0 } }))
      const { records } = yield* client.get("POST", `/v1/record/app/batch/${appId}`, { body: { inputs } })
      recordIds.push(records.map((record: any) => record.record_id))
      for (const record of records) revisions.set(record.record_id, 0)
    }
    // A worker changes only records of its own, so a repeated PUT finds its value there and makes no revision.
    const step = Effect.fnUntraced(function* (worker: number, n: number) {
      const id = recordIds[worker]![n % RECORDS_EACH]!
      const { revision } = yield* client.get("PUT", `/v1/record/${id}`, { body: { fields: { count: n + 1 } } })
      revisions.set(id, revision)
      context.answered?.(id, revision)
    })
    const hookDeliveries = () => [...receiver.received.values()].filter(({ body }) => hooks.includes(body.hook_id))
    const total = () => [...revisions.values()].reduce((sum, revision) => sum + revision + 1, 0)
    const differences = Effect.sync(() => {
      const arrived = hookDeliveries()
      const revisionsById = new Map<number, Array<number>>()
      for (const { body } of arrived) {
        const revisionIds = revisionsById.get(body.record_id!) ?? []
        revisionIds.push(body.revision_id!)
        revisionsById.set(body.record_id!, revisionIds)
      }
      const missing: Array<string> = []
      const doubled: Array<string> = []
      const disordered: Array<string> = []
      for (const [id, last] of revisions) {
        const revisionIds = revisionsById.get(id) ?? []
        for (let revision = 0; revision <= last; revision++) {
          if (!revisionIds.includes(revision)) missing.push(`record ${id} revision ${revision}`)
        }
        if (new Set(revisionIds).size !== revisionIds.length) doubled.push(`record ${id}`)
        const updates = revisionIds.filter((revision) => revision > 0)
        const index = updates.findIndex((revision, i) => i > 0 && revision < updates[i - 1]!)
        if (index >= 0) disordered.push(`record ${id}: revision ${updates[index]} after ${updates[index - 1]}`)
      }
      return [
        ...some(missing, "event(s) that never arrived"),
        ...some(doubled, "record(s) with two webhook-ids for one event"),
        ...some(disordered, "record(s) whose first arrivals are out of order"),
        ...(receiver.forged() > 0 ? [`${receiver.forged()} request(s) with a signature that does not fit`] : [])
      ]
    })
    return {
      step,
      settled: Effect.sync(() => ({ done: hookDeliveries().length, total: total() })),
      differences,
      counts: () => ({ events: total(), repeats: hookDeliveries().reduce((sum, { count }) => sum + count - 1, 0) })
    }
  })
}
