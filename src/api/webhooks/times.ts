// Times of queries and bodies as the endpoints of webhooks take them: `YYYY-MM-DD HH:mm:ss`, ISO 8601, or a day.
import { Effect } from "effect"
import { parseDateTime } from "../../platform/primitives/dates.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"

const SECOND = 1_000
const DAY = 86_400_000

export const instant = (name: string, text: string) => {
  const parsedTime = parseDateTime(text)
  return parsedTime === undefined
    ? Effect.fail(new ValidationError({ message: `${name}: expected YYYY-MM-DD HH:mm:ss or ISO 8601.` }))
    : Effect.succeed(parsedTime)
}

/** The first instant after a time as it is written and shown: the whole second, or the whole day, belongs to it. */
export const instantAfter = (name: string, text: string) =>
  Effect.map(instant(name, text), ({ date, timed }) => new Date(date.getTime() + (timed ? SECOND : DAY)))

/** The range of a log that a query names. */
export const rangeOf = Effect.fnUntraced(function* (query: { readonly since?: string; readonly until?: string }) {
  return {
    ...(query.since === undefined ? {} : { since: (yield* instant("since", query.since)).date }),
    ...(query.until === undefined ? {} : { before: yield* instantAfter("until", query.until) })
  }
})
