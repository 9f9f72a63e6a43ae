// What holds after every schedule of webhooks, whatever has gone wrong in it (docs/engine.md, "Simulated schedules").
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { deliveryId } from "../../../src/domain/webhooks/Delivery.ts"
import type { Outcome } from "../Outcome.ts"
import type { DrawnHooks } from "./drawnHooks.ts"
import type { Written } from "./eventWriter.ts"

interface Logged {
  readonly hook_id: number
  readonly event_id: number
  readonly status: string
  readonly num_attempts: number
  readonly attempts: number
}

/** Sentences on what is wrong; none if all holds. */
export const violations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  hooks: ReadonlyArray<number>,
  { drawn, interruptions, requests }: Outcome<DrawnHooks>,
  written: ReadonlyArray<Written>
) {
  const log = yield* sql<Logged>`
    SELECT hook_id, event_id, status, num_attempts,
      (SELECT count(*)::int FROM webhook_attempts a WHERE a.hook_id = d.hook_id AND a.event_id = d.event_id) AS attempts
    FROM webhook_deliveries d ORDER BY hook_id, event_id`
  const wrong: Array<string> = []
  for (const [at, hookId] of hooks.entries()) {
    const { atOnce, types } = drawn.hooks[at]!
    const wantedEvents = written.filter(({ type }) => types.includes(type))
    const hookRequests = requests.filter(({ path }) => path === `/hook/${at}`)
    const rows = log.filter((row) => row.hook_id === hookId)
    const name = `hook ${at}`
    for (const { eventId } of wantedEvents) {
      const row = rows.find(({ event_id }) => event_id === eventId)
      const posts = hookRequests.filter(({ id }) => id === deliveryId(hookId, eventId))
      if (row === undefined) {
        wrong.push(`${name}: event ${eventId} is lost`)
        continue
      }
      if (row.num_attempts !== row.attempts)
        wrong.push(`${name}: event ${eventId} counts ${row.num_attempts} of ${row.attempts} attempts`)
      if (row.status === "delivered" && !posts.some(({ status }) => status === 204))
        wrong.push(`${name}: event ${eventId} is delivered, and no receiver has it`)
      if (!["delivered", "failed", "withheld"].includes(row.status))
        wrong.push(`${name}: event ${eventId} stays ${row.status}`)
      if (row.attempts > posts.length) wrong.push(`${name}: event ${eventId} has more attempts than requests`)
      if (posts.length - row.attempts > interruptions)
        wrong.push(
          `${name}: event ${eventId} was sent ${posts.length} times for ${row.attempts} attempts and ${interruptions} interruptions`
        )
    }
    const most = Math.max(0, ...hookRequests.map(({ beside }) => beside.length + 1))
    if (interruptions === 0 && atOnce !== null && most > atOnce)
      wrong.push(`${name}: ${most} requests at once, not ${atOnce}`)
    for (const row of rows)
      if (!wantedEvents.some(({ eventId }) => eventId === row.event_id))
        wrong.push(`${name}: nobody has made event ${row.event_id}`)
    // The first requests of a record's events come in the order of the events, each after the answer to the one before (W3).
    for (const ofRecord of Map.groupBy(wantedEvents, ({ recordId }) => recordId).values()) {
      const firsts = ofRecord.flatMap(
        ({ eventId }) => hookRequests.find(({ id }) => id === deliveryId(hookId, eventId)) ?? []
      )
      for (const [place, { beside, id, number }] of firsts.entries()) {
        const formerFirst = firsts[place - 1]
        if (formerFirst === undefined) continue
        if (number < formerFirst.number)
          wrong.push(`${name}: ${id} is sent before ${formerFirst.id}, of the same record`)
        if (interruptions === 0 && beside.includes(formerFirst.number))
          wrong.push(`${name}: ${id} is sent beside ${formerFirst.id}, of the same record`)
      }
    }
  }
  return wrong
})
