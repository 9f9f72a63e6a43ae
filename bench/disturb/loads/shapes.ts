// Durable runs of three shapes (issue "the automation engine"): twenty steps with a delay, a loop of 1,000 items × 5 steps, a chain of
// five called automations. Every step leaves a record of its own name: each is there once, whatever died in between.
import { Clock, Effect } from "effect"
import { type Client, listed } from "../../../demo/client.ts"
import { type Load, type LoadContext, type LoadFailure, some } from "../Load.ts"
import { assign, makeApp, valueOf } from "./shared.ts"

const sizes = {
  full: { loops: 1, items: 1_000, long: 40, chains: 40, delayMillis: 5_000 },
  small: { loops: 1, items: 20, long: 3, chains: 3, delayMillis: 1_000 }
} as const
const CALLED = 5
/** Steps besides the delay and the mark at the end. */
const COPIES = 18
const IN_LOOP = ["a", "b", "c", "d", "e"]
const EVENTS_AT_MOST = 10_000

const noTriggers = { trigger_webhooks: false, trigger_other_flows: false }
const copyTo = (app: { appId: number; fields: Record<string, number> }, ...name: ReadonlyArray<unknown>) => ({
  type: "record_create",
  config: { app_id: app.appId, field_assignments: [assign(app.fields["name"]!, ...name)], ...noTriggers }
})

const active = Effect.fnUntraced(function* (client: Client, appId: number, body: object) {
  const { automation } = yield* client.get("POST", `/v1/automation/app/${appId}`, { body: { filter: null, ...body } })
  yield* client.get("POST", `/v1/automation/${automation.id}/activate`)
  return automation.id as number
})

/** Twenty steps on a new record. */
const makeLong = Effect.fnUntraced(function* (context: LoadContext, copies: Target, delayMillis: number) {
  const source = yield* makeApp(context, "Twenty steps")
  const name = { kind: "variable", source: "field", field_id: source.fields["name"], field_type: "single_text" }
  const copy = (_: unknown, i: number) => copyTo(copies, name, `-${i}`)
  const allCopies = Array.from({ length: COPIES }, copy)
  const mark = {
    type: "current_record_update",
    config: { field_assignments: [count(source, 20)], ...noTriggers }
  }
  const delay = { type: "delay", config: { delay_ms: delayMillis } }
  const actions = [...allCopies.slice(0, COPIES / 2), delay, ...allCopies.slice(COPIES / 2), mark]
  const trigger = { type: "record_created", config: {} }
  return { source, ids: [yield* active(context.client, source.appId, { name: "Twenty steps", trigger, actions })] }
})

/** A new record is handed from automation to automation; the last one marks it. */
const makeChain = Effect.fnUntraced(function* (context: LoadContext, copies: Target) {
  const source = yield* makeApp(context, "Chain")
  const name = { kind: "variable", source: "field", field_id: source.fields["name"], field_type: "single_text" }
  const ids: Array<number> = []
  for (let link = CALLED; link >= 0; link--) {
    const nextAction =
      link === CALLED
        ? { type: "current_record_update", config: { field_assignments: [count(source, CALLED)], ...noTriggers } }
        : { type: "current_record_call_automation", config: { automation_id: ids[0] } }
    const trigger = { type: link === 0 ? "record_created" : "automation_called", config: {} }
    const actions = [copyTo(copies, name, `-${link}`), nextAction]
    ids.unshift(yield* active(context.client, source.appId, { name: `Link ${link}`, trigger, actions }))
  }
  return { source, ids }
})

const makeLoop = (context: LoadContext, copies: Target) => {
  const iterable = { kind: "variable", source: "trigger", trigger_type: "webhook_payload" }
  const action_rows = IN_LOOP.map((letter) => copyTo(copies, iterable, `-${letter}`))
  return active(context.client, copies.appId, {
    name: "Loop",
    trigger: { type: "webhook_received", config: {} },
    actions: [{ type: "for_loop", config: { iterable, action_rows } }]
  })
}

type Target = { readonly appId: number; readonly fields: Record<string, number> }
const count = ({ fields }: Target, value: number) => ({
  field_type: "number",
  variable_def: { kind: "variable", source: "field", field_id: fields["count"], field_type: "number" },
  assignment_type: "set",
  field_value: [String(value)]
})

export const shapes: Load = {
  name: "shapes",
  about: "runs of twenty steps with a delay, a loop of many items × 5 steps, chains of five called automations",
  begin: Effect.fnUntraced(function* (context) {
    const { client, durationMillis } = context
    const size = sizes[context.size]
    const copies = yield* makeApp(context, "Left by steps")
    const long = yield* makeLong(context, copies, size.delayMillis)
    const chain = yield* makeChain(context, copies)
    const loop = yield* makeLoop(context, copies)
    const began = yield* Clock.currentTimeMillis
    const startedCounts = { loops: 0, long: 0, chains: 0 }
    /** Names of what must be there in the end. */
    const expected = new Set<string>()
    let longest = 0

    const record = (app: Target, name: string) =>
      client.get("POST", `/v1/record/app/${app.appId}`, {
        body: { fields: { name, count: 0 } },
        key: `shape-${copies.appId}-${name}`
      })
    const start: Record<keyof typeof startedCounts, (n: number) => Effect.Effect<void, LoadFailure>> = {
      loops: Effect.fnUntraced(function* (n) {
        const items = Array.from({ length: size.items }, (_, i) => `loop${n}-${i}`)
        for (const item of items) for (const letter of IN_LOOP) expected.add(`${item}-${letter}`)
        const body = { webhook_payload: items }
        yield* client.get("POST", `/v1/automation/${loop}/manual-run`, { body, key: `shape-${copies.appId}-loop${n}` })
      }),
      long: Effect.fnUntraced(function* (n) {
        for (let i = 0; i < COPIES; i++) expected.add(`long${n}-${i}`)
        yield* record(long.source, `long${n}`)
      }),
      chains: Effect.fnUntraced(function* (n) {
        for (let i = 0; i <= CALLED; i++) expected.add(`chain${n}-${i}`)
        yield* record(chain.source, `chain${n}`)
      })
    }
    /** Begins one of those that are to be under way when this share of the duration is over; false: they are. */
    const beginOne = Effect.fnUntraced(function* (share: number) {
      for (const shape of ["loops", "long", "chains"] as const) {
        if (startedCounts[shape] >= Math.min(size[shape], 1 + Math.floor(share * size[shape]))) continue
        yield* start[shape](startedCounts[shape]++)
        return true
      }
      return false
    })
    const step = () =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.asVoid(beginOne((now - began) / durationMillis)))

    const ids = [loop, ...long.ids, ...chain.ids]
    const total = (status?: string) =>
      Effect.map(
        client.get("POST", "/v1/automation-run", {
          body: { automation_ids: ids, limit: 1, ...(status === undefined ? {} : { status }) }
        }),
        (page) => page.total as number
      )
    const expectedRuns = () => startedCounts.loops + startedCounts.long + startedCounts.chains * (CALLED + 1)

    const differences = Effect.gen(function* () {
      const copiesByName = new Map<string, number>()
      for (const record of yield* listed(client, copies.appId)) {
        const name = valueOf(record, "name") as string
        copiesByName.set(name, (copiesByName.get(name) ?? 0) + 1)
      }
      const missing = [...expected].filter((name) => !copiesByName.has(name))
      const odd = [...copiesByName]
        .filter(([name, n]) => n > 1 || !expected.has(name))
        .map(([name, n]) => `${name} × ${n}`)
      const marked = (app: Target, value: number) =>
        Effect.map(listed(client, app.appId), (all) =>
          all.filter((one) => one.revision !== 1 || valueOf(one, "count") !== value).map((one) => one.record_id)
        )
      const unmarked = [...(yield* marked(long.source, 20)), ...(yield* marked(chain.source, CALLED))]
      const [runs, completed] = [yield* total(), yield* total("completed")]
      const histories = [...(yield* context.histories("automationRun"))]
      longest = Math.max(0, ...histories.flatMap(([, events]) => events))
      const tooLong = histories.filter(([, events]) => events.some((n) => n >= EVENTS_AT_MOST))
      return [
        ...(runs === expectedRuns() && completed === expectedRuns()
          ? []
          : [`${runs} runs, ${completed} of them completed, instead of ${expectedRuns()}`]),
        ...some(missing, "step(s) left nothing"),
        ...some(odd, "record(s) that no step, or more than one, should have left"),
        ...some(unmarked, "record(s) not marked once"),
        ...(histories.length === 0 ? ["no workflow of a run is listed"] : []),
        ...some(
          tooLong.map(([id, events]) => `${id} with ${events.join(", ")} events`),
          `histories of ${EVENTS_AT_MOST} events or more`
        )
      ]
    })
    return {
      step,
      // A slow machine has asked for too few steps.
      settled: Effect.gen(function* () {
        while (yield* beginOne(1)) {}
        return { done: yield* total("completed"), total: expectedRuns() }
      }),
      differences,
      counts: () => ({
        ...startedCounts,
        "records left by steps": expected.size,
        "events in the longest history": longest
      })
    }
  })
}
