// Hooks while releases take turns: replays that either release is asked for beside what is new, and a hook of a type that only the newer one
// knows, in the same app. What is delivered goes on in order whoever delivers (decisions W3, W7, W17).
import { Effect } from "effect"
import { type Load, some } from "../Load.ts"
import { makeApp, makeHook } from "./shared.ts"

const EVER = "2020-01-01 00:00:00"
/** Steps of one worker between two replays, and between two checks of the hooks. */
const REPLAY_EVERY = 10
const LOOK_EVERY = 5

export const turns: Load = {
  name: "turns",
  about: "records changed under a hook that is replayed again and again, beside a hook of a new type",
  begin: Effect.fnUntraced(function* (context) {
    const { client, receiver, workers } = context
    const { appId } = yield* makeApp(context, "Hooks of two releases")
    const hook = yield* makeHook(context, appId, "record.update")
    const { records } = yield* client.get("POST", `/v1/record/app/batch/${appId}`, {
      body: { inputs: Array.from({ length: workers }, (_, i) => ({ fields: { name: `${i}`, count: 0 } })) }
    })
    const recordIds: ReadonlyArray<number> = records.map((record: any) => record.record_id)
    const revisions = new Map(recordIds.map((id) => [id, 0]))
    const counts = { replays: 0, newer: 0, listed: 0, unlisted: 0 }

    const replay = Effect.gen(function* () {
      const body = { since: EVER, status: ["delivered"] }
      // A replay that is still under way stands in the way of the next.
      const { status } = yield* client.call("POST", `/v1/hook/${hook}/replay`, { body })
      if (status < 300) counts.replays++
    })
    /** The release before does not know the type and refuses it. */
    const makeNewer = Effect.gen(function* () {
      const body = { type: "automation.run_failed", url: `http://127.0.0.1:${receiver.port}/` }
      const { status } = yield* client.call("POST", `/v1/hook/app/${appId}`, { body })
      if (status < 300) counts.newer++
    })
    const listHooks = Effect.gen(function* () {
      const answer = yield* Effect.result(client.call("GET", `/v1/hook/app/${appId}`, { patienceMillis: 0 }))
      if (answer._tag === "Success" && answer.success.status === 200) counts.listed++
      else counts.unlisted++
    })
    const step = Effect.fnUntraced(function* (worker: number, n: number) {
      if (worker === 0 && n % REPLAY_EVERY === REPLAY_EVERY - 1) yield* replay
      if (worker === 0 && n % LOOK_EVERY === LOOK_EVERY - 1) {
        if (counts.newer === 0) yield* makeNewer
        yield* listHooks
      }
      const id = recordIds[worker]!
      const { revision } = yield* client.get("PUT", `/v1/record/${id}`, { body: { fields: { count: n + 1 } } })
      revisions.set(id, revision)
    })

    const hookDeliveries = () => [...receiver.received.values()].filter(({ body }) => body.hook_id === hook)
    const total = () => [...revisions.values()].reduce((sum, revision) => sum + revision, 0)
    const differences = Effect.sync(() => {
      const missing: Array<string> = []
      const wrong: Array<string> = []
      for (const [id, last] of revisions) {
        const arrivedRevisions = hookDeliveries().flatMap(({ body }) =>
          body.record_id === id ? [body.revision_id!] : []
        )
        for (let revision = 1; revision <= last; revision++)
          if (!arrivedRevisions.includes(revision)) missing.push(`record ${id} revision ${revision}`)
        if (arrivedRevisions.some((revision, i) => i > 0 && revision <= arrivedRevisions[i - 1]!))
          wrong.push(`record ${id}: ${arrivedRevisions.join(" ")}`)
      }
      return [
        ...some(missing, "event(s) of a replayed hook that never arrived"),
        ...some(wrong, "record(s) of a replayed hook with first arrivals out of order or two webhook-ids"),
        ...(counts.newer === 0 ? ["no hook of the new type was made"] : [])
      ]
    })
    return {
      step,
      settled: Effect.sync(() => ({ done: hookDeliveries().length, total: total() })),
      differences,
      counts: () => ({
        events: total(),
        repeats: hookDeliveries().reduce((sum, { count }) => sum + count - 1, 0),
        replays: counts.replays,
        "lists of hooks answered": counts.listed,
        "lists of hooks refused": counts.unlisted
      })
    }
  })
}
