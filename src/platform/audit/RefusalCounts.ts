// Counts refusals of unknown callers by reason, source and minute, one row each (decisions O23). They are counted in memory and written
// once a second, so that refusing stays cheap: a process that is killed loses that second's counts at most.
import { Clock, Effect, Semaphore } from "effect"
import { sourceKey } from "../fairness/sourceAddress.ts"
import { jsonText } from "../sql/json.ts"
import { Sql } from "../sql/Sql.ts"
import type { AuditKind } from "./auditKinds.ts"

export interface CountedRefusal {
  readonly event: AuditKind
  readonly reasonId?: string | undefined
  /** Client id as sent, which may be anything; stored only if it is registered. */
  readonly clientId?: string | undefined
  /** Person that somebody claimed to be: the admins of their organizations see the count. */
  readonly personId?: number | undefined
}

interface Line {
  readonly minute: Date
  readonly event: string
  readonly reason_id: string | null
  readonly person_id: number | null
  readonly client_id: string | null
  readonly source_address: string
  count: number
}

/** Most keys of one minute that a process counts apart; beyond it, only event and reason are kept. */
const LINES = 2_000
/** Most rows that wait in memory while the database is away. */
const WAITING = 20_000
const MINUTE = 60_000

export const makeRefusalCounts = Effect.gen(function* () {
  const sql = yield* Sql
  let lines = new Map<string, Line>()
  let failing = false

  /** Keys of the latest minute that are counted apart, written or not. */
  let minuteKeys = { minute: 0, keys: new Set<string>() }
  const isToldApart = (key: string, minute: number) => {
    if (minute > minuteKeys.minute) minuteKeys = { minute, keys: new Set() }
    if (minuteKeys.keys.has(key)) return true
    if (minuteKeys.keys.size >= LINES || lines.size >= WAITING) return false
    minuteKeys.keys.add(key)
    return true
  }

  const add = (line: Line) => {
    const { count, ...of } = line
    const key = JSON.stringify(of)
    const existingLine = lines.get(key)
    if (existingLine !== undefined) existingLine.count += count
    else if (line.source_address === "elsewhere" || isToldApart(key, line.minute.getTime())) lines.set(key, { ...line })
    else add({ ...line, person_id: null, client_id: null, source_address: "elsewhere" })
  }

  const count = Effect.fnUntraced(function* (refusal: CountedRefusal, address: string | null) {
    const nowMillis = yield* Clock.currentTimeMillis
    add({
      minute: new Date(nowMillis - (nowMillis % MINUTE)),
      event: refusal.event,
      reason_id: refusal.reasonId ?? null,
      person_id: refusal.personId ?? null,
      client_id: refusal.clientId?.slice(0, 500) ?? null,
      source_address: sourceKey(address),
      count: 1
    })
  })

  /**
   * Writes in one order for all processes, since they add to the same rows. `jsonText` because one text that Postgres refuses would keep
   * all rows from being written.
   */
  const write = (taken: ReadonlyArray<Line>) => sql`
    INSERT INTO audit_log AS a
      (happened_on, event, reason_id, source_address, client_id, org_id, person_id, user_id, count)
    SELECT l.minute, l.event, l.reason_id, l.source_address, c.client_id, u.org_id, l.person_id, u.user_id, sum(l.count)
    FROM jsonb_to_recordset(${jsonText(taken)}::jsonb) AS l(minute timestamptz, event text, reason_id text,
      person_id bigint, client_id text, source_address text, count integer)
    LEFT JOIN oauth_clients c ON c.client_id = l.client_id
    LEFT JOIN users u ON u.person_id = l.person_id AND u.status = 'active'
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (happened_on, event, reason_id, source_address, client_id, org_id, person_id, user_id)
      WHERE count IS NOT NULL DO UPDATE SET count = a.count + excluded.count`

  /**
   * Runs one flush at a time, so that whoever reads next finds all that was counted. Counts that cannot be written now are written later.
   */
  const writing = yield* Semaphore.make(1)
  const flush = Effect.suspend(() => {
    if (lines.size === 0) return Effect.void
    const takenLines = [...lines.values()]
    lines = new Map()
    return write(takenLines).pipe(
      Effect.matchCauseEffect({
        onSuccess: () =>
          Effect.sync(() => {
            failing = false
          }),
        onFailure: (cause) => {
          for (const takenLine of takenLines) add(takenLine)
          if (failing) return Effect.void
          failing = true
          return Effect.logWarning("refusals are counted and wait to be written to the audit log", cause)
        }
      })
    )
  }).pipe(Effect.uninterruptible, writing.withPermit)

  yield* Effect.addFinalizer(() => flush)
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep("1 second"), flush)))
  return { count, flush }
})
