// What holds after every schedule, whatever has gone wrong in it (docs/engine.md, "Simulated schedules").
import { Effect } from "effect"
import type { Outcome } from "./schedule.ts"
import type { World } from "./world.ts"
import { deliveryId } from "../../src/domain/webhooks/Delivery.ts"

interface Logged {
  readonly hook_id: number
  readonly event_id: number
  readonly status: string
  readonly num_attempts: number
  readonly attempts: number
}

/** Sentences on what is wrong; none if all holds. */
export const violations = Effect.fnUntraced(function* (
  { hooks, remaining, sql }: World,
  { drawn, interruptions, isDrained, requests, written }: Outcome
) {
  const log = yield* sql<Logged>`
    SELECT hook_id, event_id, status, num_attempts,
      (SELECT count(*)::int FROM webhook_attempts a WHERE a.hook_id = d.hook_id AND a.event_id = d.event_id) AS attempts
    FROM webhook_deliveries d ORDER BY hook_id, event_id`
  const wrong: Array<string> = []
  if (!isDrained) wrong.push(`not all of it is done: ${yield* remaining}`)
  for (const [at, hookId] of hooks.entries()) {
    const { types } = drawn.hooks[at]!
    const wanted = written.filter(({ type }) => types.includes(type))
    const sent = requests.filter(({ path }) => path === `/hook/${at}`)
    const rows = log.filter((row) => row.hook_id === hookId)
    const name = `hook ${at}`
    for (const { eventId } of wanted) {
      const row = rows.find(({ event_id }) => event_id === eventId)
      const posts = sent.filter(({ id }) => id === deliveryId(hookId, eventId))
      if (row === undefined) {
        wrong.push(`${name}: event ${eventId} is lost`)
        continue
      }
      if (row.num_attempts !== row.attempts) wrong.push(`${name}: event ${eventId} counts ${row.num_attempts} of ${row.attempts} attempts`)
      if (row.status === "delivered" && !posts.some(({ status }) => status === 204))
        wrong.push(`${name}: event ${eventId} is delivered, and no receiver has it`)
      if (!["delivered", "failed", "withheld"].includes(row.status)) wrong.push(`${name}: event ${eventId} stays ${row.status}`)
      if (row.attempts > posts.length) wrong.push(`${name}: event ${eventId} has more attempts than requests`)
      if (posts.length - row.attempts > interruptions)
        wrong.push(`${name}: event ${eventId} was sent ${posts.length} times for ${row.attempts} attempts and ${interruptions} interruptions`)
    }
    for (const row of rows)
      if (!wanted.some(({ eventId }) => eventId === row.event_id)) wrong.push(`${name}: nobody has made event ${row.event_id}`)
    // Order: the first requests of a record's events come in the order of the events (W3).
    for (const ofRecord of Map.groupBy(wanted, ({ recordId }) => recordId).values()) {
      const firsts = ofRecord.flatMap(({ eventId }) => {
        const first = sent.find(({ id }) => id === deliveryId(hookId, eventId))
        return first === undefined ? [] : [first.number]
      })
      if (firsts.some((number, place) => place > 0 && number < firsts[place - 1]!))
        wrong.push(`${name}: first attempts of record ${ofRecord[0]!.record} are out of order`)
    }
  }
  return wrong
})
