// What holds for the runs of a schedule: one for each event that fires, in order, with an end that the drawn steps explain, and a whole log.
import type { Automations } from "./automationWorld.ts"
import type { DrawnAutomation, DrawnAutomations, DrawnTrigger } from "./drawnAutomations.ts"
import { endsOf } from "./expectedEnds.ts"
import type { Event, Run } from "./runRows.ts"

const FIRED_BY: Readonly<Record<DrawnTrigger, string>> = {
  record_created: "record.create",
  record_updated: "record.update",
  record_deleted: "record.delete",
  automation_called: "command.automation.fire"
}

const logFaults = ({ debounced, ledger, log_seq, logs, status }: Run): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  if (logs.length !== log_seq || logs.some(({ seq }, at) => seq !== at + 1))
    wrong.push(`its log has the entries ${logs.map(({ seq }) => seq).join()}, not 1 to ${log_seq}`)
  if (logs[0]?.type !== "trigger" && !debounced) wrong.push("its log does not begin with its trigger")
  if (logs.some(({ loggedAt }, place) => place > 0 && loggedAt < logs[place - 1]!.loggedAt))
    wrong.push("its log goes back in time")
  if (status === "completed")
    for (const { path, state } of ledger) if (state === "started") wrong.push(`step ${path} is not over`)
  for (const { action_id, iteration, path, state } of ledger) {
    const entries = logs.filter((log) => log.action_id === action_id && (log.iteration ?? "") === iteration)
    const successes = entries.filter((log) => log.status === "success").length
    if (successes > 1) wrong.push(`step ${path} ${iteration} is logged as done ${successes} times`)
    if (state === "failed" && successes > 0) wrong.push(`step ${path} ${iteration} has failed and is logged as done`)
  }
  return wrong
}

/** The events that concern an automation, by its trigger and filter. */
const firedBy = ({ app, id }: Automations["automations"][number], { filter, trigger }: DrawnAutomation) => {
  const fires = ({ app_id, depth, payload, type, workflow }: Event) => {
    if (type !== FIRED_BY[trigger] || depth >= 10) return false
    if (trigger === "automation_called") return payload.automation_id === id
    return app_id === app.appId && workflow && (filter === null || payload.cells?.[app.name]?.[0] === filter)
  }
  return (events: ReadonlyArray<Event>) => events.filter(fires)
}

const firingFaults = (
  automation: DrawnAutomation,
  fired: ReadonlyArray<Event>,
  runs: ReadonlyArray<Run>,
  allRuns: ReadonlyArray<Run>
) => {
  const wrong: Array<string> = []
  if (automation.debounce !== null) {
    if (runs.length > fired.length) wrong.push(`${runs.length} runs for ${fired.length} events`)
    if (automation.trigger === "record_created")
      for (const { record_id } of fired)
        if (runs.filter((run) => run.record_id === record_id).length !== 1)
          wrong.push(`the creation of record ${record_id} has not one run`)
    return wrong
  }
  // A caller that has ended waits for nothing any more.
  const isOver = ({ payload: { awaited } }: Event) =>
    awaited !== undefined && allRuns.some(({ run_id, status }) => run_id === awaited.run_id && status !== "completed")
  for (const event of fired)
    if (!runs.some((run) => run.event_id === event.event_id) && !isOver(event))
      wrong.push(`event ${event.event_id} has no run`)
  for (const run of runs)
    if (!fired.some(({ event_id }) => event_id === run.event_id)) wrong.push(`event ${run.event_id} fires no run`)
  return wrong
}

/**
 * Runs of a record come about in the order of its events; plain ones start one after the other (A17). When Temporal begins the others is not in the
 * hands of the engine. Changes of a record lock it, and calls do not: two at the same time have no order.
 */
const orderFaults = (automation: DrawnAutomation, runs: ReadonlyArray<Run>) => {
  const wrong: Array<string> = []
  if (automation.debounce !== null || automation.trigger === "automation_called") return wrong
  for (const ofRecord of Map.groupBy(runs, ({ record_id }) => record_id).values()) {
    const inOrder = ofRecord.toSorted((one, other) => one.event_id - other.event_id)
    for (const [place, run] of inOrder.entries()) {
      const former = inOrder[place - 1]
      if (former === undefined) continue
      const name = `run ${run.run_id} of event ${run.event_id}`
      if (BigInt(run.run_id) < BigInt(former.run_id))
        wrong.push(`${name} comes about before that of event ${former.event_id}`)
      if (run.durable || former.durable || run.started === null || former.started === null) continue
      if (run.started < former.started) wrong.push(`${name} starts before that of event ${former.event_id}`)
      if (automation.concurrency === null && run.begin < former.end)
        wrong.push(`${name} starts before that of event ${former.event_id} is over`)
    }
  }
  return wrong
}

/** A run that its caller waits for has started before the next of its record does (A17). The order in which calls come is that of their runs. */
const calledOrderFaults = (events: ReadonlyArray<Event>, runs: ReadonlyArray<Run>) => {
  const awaited = new Set(events.flatMap(({ event_id, payload }) => (payload.awaited === undefined ? [] : [event_id])))
  return [...Map.groupBy(runs, ({ record_id }) => record_id).values()].flatMap((ofRecord) =>
    ofRecord.flatMap((run, place) => {
      const former = ofRecord[place - 1]
      if (former === undefined || !awaited.has(former.event_id) || run.start === null) return []
      return former.start === null || run.start < former.start
        ? [`run ${run.run_id} starts before run ${former.run_id}, which its caller waits for`]
        : []
    })
  )
}

export const runFaults = (
  seeded: Automations,
  drawn: DrawnAutomations,
  events: ReadonlyArray<Event>,
  runs: ReadonlyArray<Run>
): ReadonlyArray<string> =>
  drawn.automations.flatMap((automation, at) => {
    const ownRuns = runs.filter(({ automation_id }) => automation_id === seeded.automations[at]!.id)
    const statuses = endsOf(automation, drawn)
    const faults = [
      ...firingFaults(automation, firedBy(seeded.automations[at]!, automation)(events), ownRuns, runs),
      ...orderFaults(automation, ownRuns),
      ...calledOrderFaults(events, ownRuns),
      ...ownRuns.flatMap((run) => [
        ...(statuses.has(run.status) ? [] : [`run ${run.run_id} is ${run.status}: ${run.error_message}`]),
        ...logFaults({ ...run, debounced: automation.debounce !== null }).map((what) => `run ${run.run_id}: ${what}`)
      ])
    ]
    return faults.map((what) => `automation ${at}: ${what}`)
  })
