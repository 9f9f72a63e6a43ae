// Row types of a claim of deliveries, and the SQL parts that every claim statement shares: the app's window, the claimed rows, and the
// hooks to POST to (decisions W1, W4).
import { Schema, Struct } from "effect"
import type { Statement } from "effect/sql"
import type { Activation } from "../../engine/actors/ActorKind.ts"
import type { Slots } from "../../platform/sql/compiledOnce.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { READER_JSON } from "./hookReadRights.ts"
import { ClaimedDelivery, type DeliveryRow, HookAddress, ReadingHook } from "./mailboxRows.ts"
import { PER_MINUTE_LIMIT, type WebhookSettingsShape } from "./WebhookSettings.ts"

/** A hook `h` whose events are sent, or withheld until it is verified again (W5). */
export const SUBSCRIBED_HOOK = "(h.status = 'active' OR h.verified_on IS NOT NULL)"

/** A hook `h` that may send now (W12). */
export const SENDABLE_HOOK = "h.status = 'active' AND h.paused_on IS NULL"

/** A hook `h` without pacing limits. */
export const UNPACED = "h.per_minute IS NULL AND h.at_once IS NULL"

/** A hook `h` without pacing limits whose last delivery succeeded. */
export const HEALTHY_HOOK = `${UNPACED} AND h.num_failed_executions = 0`

export interface Window {
  readonly start: number
  readonly used: number
  readonly cap: number
}

const orNull = Schema.NullOr(Schema.DateFromString)

/** Hooks of the claimed deliveries, each once: the data of a hook is many times as large as that of a delivery. */
export const ClaimedHooks = Schema.Array(
  Schema.Struct({ ...HookAddress.fields, ...ReadingHook.fields, secret: Schema.Uint8ArrayFromBase64 })
)

/** Summary of the app in a claim's answer; members are null if the app was deleted. */
const Said = Schema.Struct({
  window_start: orNull,
  used: Schema.NullOr(Schema.Int),
  cap: Schema.NullOr(Schema.Int),
  commands: Schema.NullOr(Schema.Boolean),
  replays: Schema.NullOr(Schema.Boolean),
  upcoming: orNull,
  /** Since when a hook's own window is full: the one that ends first. */
  held_since: orNull,
  more: Schema.Boolean,
  hooks: ClaimedHooks
})

/** A row that says how the app stands, or one with a delivery. */
export const ClaimedRow = Schema.Struct({
  said: Schema.NullOr(Said),
  ...Struct.map(ClaimedDelivery.fields, Schema.NullOr)
})

const isDelivery = (row: typeof ClaimedRow.Type): row is typeof ClaimedRow.Type & typeof ClaimedDelivery.Type =>
  row.hook_id !== null

/** A window that began at `lapsed` or before is over at `now`. */
interface WindowTimes {
  readonly now: Date
  readonly lapsed: Date
}

export const windowTimes = ({ windowMillis }: Pick<WebhookSettingsShape, "windowMillis">, now: Date): WindowTimes => ({
  now,
  lapsed: new Date(now.getTime() - windowMillis)
})

/** Parameters of a claim statement. */
export interface ClaimValues extends WindowTimes {
  readonly app_id: number
  /** Executions in a window if the organization has no limit of its own. */
  readonly per_window: number
  readonly key: string
  readonly fence: number
}

export const claimValues = (
  settings: Pick<WebhookSettingsShape, "windowMillis" | "perWindow">,
  { fence, id, key }: Pick<Activation, "fence" | "id" | "key">,
  now: Date
): ClaimValues => ({ ...windowTimes(settings, now), app_id: Number(id), key, fence, per_window: settings.perWindow })

/** Columns of a window `w`, an app's or a hook's: an expired window counts as unused and starts anew. */
export const windowRow = (sql: Sql, { lapsed, now }: Slots<WindowTimes>) => ({
  start: sql`CASE WHEN w.window_start > ${lapsed} THEN w.window_start ELSE ${now} END`,
  used: sql`CASE WHEN w.window_start > ${lapsed} THEN w.used ELSE 0 END`,
  replays: sql`CASE WHEN w.window_start > ${lapsed} THEN w.replays ELSE 0 END`
})

/** JSON object of a hook `h` with all that a POST to it needs (one of `ClaimedHooks`). */
const HOOK_OF_POST = `jsonb_build_object('hook_id', h.hook_id, 'org_id', h.org_id, ${READER_JSON}, 'record_withheld', h.record_withheld_on IS NOT NULL,
        'url', h.url, 'sending', h.sending, 'sealed', h.sealed, 'secret', translate(encode(h.secret, 'base64'), E'\\n', ''),
        'former_secrets', h.former_secrets)`

/** JSON array of such objects for the hooks `h` that meet a condition (`ClaimedHooks`). */
export const hooksWhere = (condition: string) =>
  `(SELECT coalesce(jsonb_agg(${HOOK_OF_POST}), '[]') FROM hooks h WHERE ${condition})`

/**
 * SQL parts of a claim statement with the CTEs `mine` (one row while the fence is held), `standing`, and `picked` (the deliveries to
 * claim).
 */
export const makeClaimParts = (sql: Sql) => {
  const limitName = sql.literal(`'${PER_MINUTE_LIMIT}'`)
  /** Current window and cap of the app, and the executions that it has room for, for a claim that holds its fence. */
  const windowQuery = (given: Slots<Omit<ClaimValues, "fence" | "key">>, further: Statement.Fragment = sql``) => {
    const { replays, start, used } = windowRow(sql, given)
    const cap = sql`coalesce((o.limits->>${limitName})::int, ${given.per_window}::int)`
    return sql`
      SELECT ${cap} AS cap,
        greatest(0, ${cap} - ${used}) AS room, ${start} AS window_start, ${used} AS used, ${replays} AS replayed${further}
      FROM mine CROSS JOIN apps a JOIN organizations o USING (org_id) LEFT JOIN webhook_windows w USING (app_id) WHERE a.app_id = ${given.app_id}`
  }

  /** Adds the rows of `picked` to the app's window, on top of what others have used since the statement began (reserveSecondPost.ts). */
  const countPicked = (given: Slots<ClaimValues>) => {
    const { replays, start, used } = windowRow(sql, given)
    return sql`
    INSERT INTO webhook_windows AS w (app_id, window_start, used, cap, replays)
    SELECT ${given.app_id}::bigint, window_start, (SELECT count(*) FROM picked), cap, (SELECT count(replay_id) FROM picked)
    FROM standing WHERE EXISTS (SELECT 1 FROM picked)
    ON CONFLICT (app_id) DO UPDATE
      SET window_start = ${start}, used = ${used} + excluded.used, cap = excluded.cap, replays = ${replays} + excluded.replays
    RETURNING 1`
  }

  const hooksOfPicked = sql.literal(hooksWhere("h.hook_id IN (SELECT hook_id FROM picked)"))

  return { counted: countPicked, hooksOfPicked, standing: windowQuery }
}

/** Decodes the rows of a claim; there is at least one while the fence is held. */
export const claimOf = (
  { perWindow }: Pick<WebhookSettingsShape, "perWindow">,
  rows: ReadonlyArray<typeof ClaimedRow.Type>
) => {
  const summary = rows.find((row) => row.said !== null)?.said
  const hooks = new Map((summary?.hooks ?? []).map((hook) => [hook.hook_id, hook]))
  const deliveryRows = rows.filter(isDelivery).map(
    ({ said: _, ...row }): DeliveryRow => ({
      ...row,
      hook: hooks.get(row.hook_id)!,
      kind: "delivery",
      row_id: `${row.hook_id} ${row.event_id}`
    })
  )
  const window: Window = {
    start: summary?.window_start?.getTime() ?? Number.NEGATIVE_INFINITY,
    used: (summary?.used ?? 0) + deliveryRows.length,
    cap: summary?.cap ?? perWindow
  }
  return {
    window,
    commands: summary?.commands ?? false,
    replays: summary?.replays ?? false,
    rows: deliveryRows,
    more: summary?.more ?? false,
    upcoming: summary?.upcoming ?? null,
    heldSince: summary?.held_since ?? null
  }
}
