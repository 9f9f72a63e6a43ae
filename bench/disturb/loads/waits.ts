// Load of things that happen at a time, while releases change places (issue "upgrades"): runs in a delay that outlasts the load, schedules
// of a minute, dates that arrive. Every run ends once, every date fires once, no instant of a schedule is left out or fired twice.
import { Clock, Effect } from "effect"
import { listed } from "../../../demo/client.ts"
import { type Load, type LoadContext, some } from "../Load.ts"
import { instantOf, MINUTE, scheduleFaults, stamp } from "./scheduleFaults.ts"
import { assign, makeApp, valueOf } from "./shared.ts"

const WAITING = 20
/** Spread over the minute, so that some are due whenever a process stops or starts. */
const SCHEDULES = 12
const DATES = 40
/** Dates come due from here on, so that the last record has been made before the first is due. */
const SOON = 15_000
/** Milliseconds by which a delay outlasts the load; and that a date may be late before it counts as lost. */
const LONGER = 10_000

const active = Effect.fnUntraced(function* ({ client }: LoadContext, appId: number, body: object) {
  const { automation } = yield* client.get("POST", `/v1/automation/app/${appId}`, { body: { filter: null, ...body } })
  yield* client.get("POST", `/v1/automation/${automation.id}/activate`)
  return automation.id as number
})

export const waits: Load = {
  name: "waits",
  about: "runs in a delay longer than the load, schedules of a minute, dates that arrive; each once",
  begin: Effect.fnUntraced(function* (context) {
    const { client, durationMillis } = context
    const delayApp = yield* makeApp(context, "Long waits")
    const ticks = yield* makeApp(context, "Instants of schedules")
    const dates = yield* makeApp(context, "Dates", [
      { field_type: "single_date", config: { label: "Due", settings: { time: "enabled" } } }
    ])
    const long = yield* active(context, delayApp.appId, {
      name: "Long wait",
      trigger: { type: "record_created", config: {} },
      actions: [
        { type: "delay", config: { delay_ms: durationMillis + LONGER } },
        { type: "current_record_update", config: { field_assignments: [assign(delayApp.fields["name"]!, "waited")] } }
      ]
    })
    const arrival = yield* active(context, dates.appId, {
      name: "Date",
      trigger: { type: "date_field_arrived", config: { date_field_id: dates.fields["due"] } },
      actions: [
        { type: "current_record_update", config: { field_assignments: [assign(dates.fields["name"]!, "arrived")] } }
      ]
    })
    const instant = { kind: "variable", source: "trigger", trigger_type: "periodic_execution_datetime" }
    const schedules: Array<number> = []
    const names = Array.from({ length: SCHEDULES }, (_, i) => `schedule${i}`)
    const nowMillis = yield* Clock.currentTimeMillis
    const starts = names.map((_, i) => Math.floor((nowMillis + (i + 1) * (MINUTE / SCHEDULES)) / 1000) * 1000)
    for (const [i, name] of names.entries()) {
      const starts_at = stamp(starts[i]!)
      schedules.push(
        yield* active(context, ticks.appId, {
          name,
          trigger: {
            type: "periodic",
            config: { schedule_type: "interval", interval_amount: 1, interval_unit: "minute", starts_at }
          },
          actions: [
            {
              type: "record_create",
              config: {
                app_id: ticks.appId,
                field_assignments: [assign(ticks.fields["name"]!, `${name} `, instant)],
                trigger_webhooks: false,
                trigger_other_flows: false
              }
            }
          ]
        })
      )
    }
    const record = (appId: number, key: string, fields: object) =>
      client.get("POST", `/v1/record/app/${appId}`, { body: { fields }, key: `${key}-${appId}` })
    for (let i = 0; i < WAITING; i++) yield* record(delayApp.appId, `wait-${i}`, { name: "new", count: i })
    const began = yield* Clock.currentTimeMillis
    for (let i = 0; i < DATES; i++) {
      const due = { start: stamp(began + SOON + (i / DATES) * Math.max(durationMillis - SOON, MINUTE)) }
      yield* record(dates.appId, `date-${i}`, { name: "new", count: i, due })
    }

    const countRuns = (ids: ReadonlyArray<number>, status?: string) =>
      Effect.map(
        client.get("POST", "/v1/automation-run", {
          body: { automation_ids: ids, limit: 1, ...(status === undefined ? {} : { status }) }
        }),
        ({ total }) => total as number
      )
    const fired = Effect.map(listed(client, ticks.appId), (all) =>
      all.map((one) => {
        const [name, ...text] = (valueOf(one, "name") as string).split(" ")
        return { name: name!, at: instantOf(text.join(" ")), made: instantOf(one.created_on) }
      })
    )
    /** When the workers were through: what was due by then has to have fired. */
    let until: number | undefined
    const ticked = Effect.gen(function* () {
      until ??= yield* Clock.currentTimeMillis
      const firings = yield* fired
      return names.filter((name) => firings.some((one) => one.name === name && one.at > until! - MINUTE)).length
    })
    let allFirings: Effect.Success<typeof fired> = []
    const differences = Effect.gen(function* () {
      allFirings = yield* fired
      const faults = names.map((name, i) => {
        const instants = allFirings.flatMap((one) => (one.name === name ? [one.at] : []))
        return scheduleFaults(
          name,
          instants.sort((a, b) => a - b),
          starts[i]!,
          until!
        )
      })
      const unlike = (app: { readonly appId: number }, text: string) =>
        Effect.map(listed(client, app.appId), (all) =>
          all
            .filter((one) => one.revision !== 1 || valueOf(one, "name") !== text)
            .map((one) => `${one.record_id} at revision ${one.revision}`)
        )
      const runs = yield* countRuns([long, arrival, ...schedules])
      const completed = yield* countRuns([long, arrival, ...schedules], "completed")
      const expectedRuns = WAITING + DATES + allFirings.length
      return [
        ...(runs === expectedRuns && completed === expectedRuns
          ? []
          : [`${runs} runs, ${completed} completed, instead of ${expectedRuns}`]),
        ...some(yield* unlike(delayApp, "waited"), "record(s) whose wait did not end once"),
        ...some(yield* unlike(dates, "arrived"), "date(s) that did not fire once"),
        ...some(
          faults.flatMap(({ missing }) => missing),
          "instant(s) of a schedule left out"
        ),
        ...some(
          faults.flatMap(({ doubled }) => doubled),
          "instant(s) of a schedule fired twice"
        )
      ]
    })
    return {
      // Time does the work; a worker looks on, as somebody with a page open does.
      step: () => Effect.asVoid(countRuns([long, arrival])),
      settled: Effect.gen(function* () {
        const completedDelays = yield* countRuns([long, arrival], "completed")
        const rung = yield* ticked
        if (rung === SCHEDULES) for (const id of schedules) yield* client.get("POST", `/v1/automation/${id}/pause`)
        const ran = yield* countRuns(schedules, "completed")
        return {
          done: completedDelays + rung + ran,
          total: WAITING + DATES + SCHEDULES + (yield* countRuns(schedules))
        }
      }),
      differences,
      counts: () => ({
        waited: WAITING,
        dates: DATES,
        "instants of schedules": allFirings.length,
        "seconds that the latest instant was late": Math.max(0, ...allFirings.map(({ at, made }) => (made - at) / 1000))
      })
    }
  })
}
