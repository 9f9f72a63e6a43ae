// Hooks that are worked on while their events go out: one with a filter, one that is paused and resumed, one whose URL changes and which is
// verified anew and replayed, one whose log is replayed. Each sees every event that is its own, under one webhook-id, first arrivals of
// a record in revision order (decisions W3, W7, W10 to W13, W16).
import { Effect } from "effect"
import { type Load, type LoadContext, type LoadFailure, some } from "../Load.ts"
import { makeApp, makeHook, verify } from "./shared.ts"

const RECORDS_EACH = 2
const EVER = "2020-01-01 00:00:00"

interface Replay {
  readonly state: string
  readonly counted: boolean
}

/** A URL that is changed: all that comes meanwhile is withheld, replayed once it is verified again, and goes before what is new. */
const move = Effect.fnUntraced(function* (context: LoadContext, hookId: number) {
  const { client, receiver } = context
  const hook = `/v1/hook/${hookId}`
  yield* client.get("PUT", hook, { body: { url: `http://127.0.0.1:${receiver.port}/moved` } })
  // Pauses the hook, so that deliveries after the verification wait until the replay has chosen its own.
  yield* client.get("PUT", `${hook}/settings`, { body: { paused: true } })
  yield* verify(context, hookId)
  const { replay_id } = yield* client.get("POST", `${hook}/replay`, { body: { since: EVER, status: ["withheld"] } })
  const hasSelection = ({ counted, state }: Replay) => counted || state !== "running"
  while (!hasSelection(yield* client.get("GET", `/v1/hook/replay/${replay_id}`))) yield* Effect.sleep("200 millis")
  yield* client.get("PUT", `${hook}/settings`, { body: { paused: false } })
  return replay_id as number
})

export const hookPaths: Load = {
  name: "hooks",
  about: "hooks with a filter, paused, moved and replayed; each sees all that is its own, in order",
  begin: Effect.fnUntraced(function* (context) {
    const { client, receiver, workers } = context
    const { appId, fields } = yield* makeApp(context, "Changed hooks")
    const make = makeHook(context, appId, "record.update")
    const [filtered, paused, moved, replayed] = yield* Effect.all([make, make, make, make], { concurrency: 4 })
    const name = { kind: "variable", source: "field", field_type: "single_text", field_id: fields["name"] }
    const rows = [{ subject: name, operator: "contains", value: { type: "text", text: ["odd"] } }]
    yield* client.get("PUT", `/v1/hook/${filtered}/settings`, { body: { filter: { operator: "and", rows } } })

    /** Latest revision by record. */
    const revisions = new Map<number, number>()
    const odd = new Set<number>()
    const recordIds: Array<ReadonlyArray<number>> = []
    for (let worker = 0; worker < workers; worker++) {
      const inputs = Array.from({ length: RECORDS_EACH }, (_, i) => ({
        fields: { name: `${i % 2 === 0 ? "even" : "odd"} ${worker}`, count: 0 }
      }))
      const { records } = yield* client.get("POST", `/v1/record/app/batch/${appId}`, { body: { inputs } })
      const ids: ReadonlyArray<number> = records.map((record: any) => record.record_id)
      recordIds.push(ids)
      for (const [i, id] of ids.entries()) {
        revisions.set(id, 0)
        if (i % 2 === 1) odd.add(id)
      }
    }

    const progress = { pauses: 0, moves: 0 }
    const jobs: Array<number> = []
    const pause = Effect.fnUntraced(function* (on: boolean) {
      yield* client.get("PUT", `/v1/hook/${paused}/settings`, { body: { paused: on } })
      if (on) progress.pauses++
    })
    const replay = Effect.gen(function* () {
      const body = { since: EVER, status: ["delivered"] }
      jobs.push((yield* client.get("POST", `/v1/hook/${replayed}/replay`, { body })).replay_id)
    })
    const relocate = Effect.gen(function* () {
      if (progress.moves > 0) return
      progress.moves++
      jobs.push(yield* move(context, moved))
    })
    /** Changes the worker's hook before its n-th change of a record: each worker has another kind of change. */
    const acts = (worker: number, n: number): Effect.Effect<void, LoadFailure> => {
      if (worker === 0 && n === 0) return relocate
      if (worker === 1 % workers && n % 4 === 0) return pause(true)
      if (worker === 1 % workers && n % 4 === 2) return pause(false)
      return worker === 2 % workers && n === 1 ? replay : Effect.void
    }
    // A repeated PUT makes no revision, as in webhooks.ts.
    const step = Effect.fnUntraced(function* (worker: number, n: number) {
      yield* acts(worker, n)
      const id = recordIds[worker]![n % RECORDS_EACH]!
      const { revision } = yield* client.get("PUT", `/v1/record/${id}`, { body: { fields: { count: n + 1 } } })
      revisions.set(id, revision)
    })
    /** Set when the workers are done: `end` makes the changes that they had no time for, and leaves nothing paused. */
    let hasEnded = false
    const end = Effect.suspend(() => {
      if (hasEnded) return Effect.void
      hasEnded = true
      return Effect.all([relocate, jobs.length > 1 ? Effect.void : replay, pause(false)], { discard: true })
    })

    const hooks = [filtered, paused, moved, replayed]
    const isOwn = (hookId: number, recordId: number) => hookId !== filtered || odd.has(recordId)
    const hookDeliveries = () => [...receiver.received.values()].filter(({ body }) => hooks.includes(body.hook_id))
    const expected = () =>
      hooks.flatMap((hook) => [...revisions].flatMap(([id, last]) => (isOwn(hook, id) ? [{ hook, id, last }] : [])))
    const events = () => expected().reduce((sum, { last }) => sum + last, 0)
    const doneReplays = Effect.map(
      Effect.forEach(jobs, (id) => client.get("GET", `/v1/hook/replay/${id}`)),
      (replays: ReadonlyArray<Replay>) => replays.filter(({ state }) => state === "done").length
    )
    const progressNow = Effect.gen(function* () {
      yield* end
      return { done: hookDeliveries().length + (yield* doneReplays), total: events() + jobs.length }
    })

    const differences = Effect.gen(function* () {
      const arrived = new Map<string, Array<number>>()
      for (const { body } of hookDeliveries()) {
        const key = `hook ${body.hook_id} record ${body.record_id}`
        arrived.set(key, [...(arrived.get(key) ?? []), body.revision_id!])
      }
      const missing: Array<string> = []
      const doubled: Array<string> = []
      const disordered: Array<string> = []
      const expectedKeys = new Set<string>()
      for (const { hook, id, last } of expected()) {
        const key = `hook ${hook} record ${id}`
        expectedKeys.add(key)
        const revisionIds = arrived.get(key) ?? []
        for (let revision = 1; revision <= last; revision++)
          if (!revisionIds.includes(revision)) missing.push(`${key} revision ${revision}`)
        if (new Set(revisionIds).size !== revisionIds.length) doubled.push(key)
        const index = revisionIds.findIndex((revision, i) => i > 0 && revision < revisionIds[i - 1]!)
        if (index >= 0) disordered.push(`${key}: revision ${revisionIds[index]} after ${revisionIds[index - 1]}`)
      }
      const foreign = [...arrived.keys()].filter((key) => !expectedKeys.has(key))
      const running = jobs.length - (yield* doneReplays)
      return [
        ...some(missing, "event(s) of changed hooks that never arrived"),
        ...some(foreign, "record(s) whose events the filter should have left out"),
        ...some(doubled, "record(s) with two webhook-ids for one event of a changed hook"),
        ...some(disordered, "record(s) whose first arrivals at a changed hook are out of order"),
        ...(running > 0 ? [`${running} replay(s) that did not end`] : [])
      ]
    })
    return {
      step,
      settled: progressNow,
      differences,
      counts: () => ({
        events: events(),
        repeats: hookDeliveries().reduce((sum, { count }) => sum + count - 1, 0),
        replays: jobs.length,
        ...progress
      })
    }
  })
}
