// Creates weblinks (developer-api.md 7.10): the API or a step creates them, and anybody with the address can click them. The token is a
// random UUID; the database stores its hash.
import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Cause } from "../../../engine/outbox/Event.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { addDays, addMonths } from "../../../platform/primitives/calendar.ts"
import { hashToken } from "../../../platform/sealing/Secrets.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Asker } from "./askers.ts"
import type { RunType } from "./RunScope.ts"

export type Expiration = "never" | "on_click" | "one_day" | "one_week" | "one_month" | "one_year"

interface NewWeblink {
  readonly automation_id: number
  readonly record_id: number
  readonly triggering_record_id: number | null
  /** Arguments by internal name. */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly run_type: RunType
  readonly expiration: Expiration
  readonly once: boolean
  /** Depth of the run that creates it: the click's run is one link deeper. */
  readonly depth: number
  readonly cause: Cause | null
  /** Automation to which it is attributed if no run created it. */
  readonly triggered_by_automation_id?: number | null
  /** Askers of a link to a simulation. */
  readonly asked_by?: ReadonlyArray<Asker>
}

export interface WeblinkView {
  readonly trigger_token: string
  readonly trigger_client_url: string
}

/** Months and years clamp to the end of the month. */
const expiryOf = (expiration: Expiration, now: Date): Date | null => {
  const days = { one_day: 1, one_week: 7 } as Partial<Record<Expiration, number>>
  if (days[expiration] !== undefined) return new Date(addDays(now.getTime(), days[expiration]!))
  const months = expiration === "one_month" ? 1 : expiration === "one_year" ? 12 : 0
  if (months === 0) return null
  return new Date(addMonths(now.getTime(), months))
}

export class WeblinkMint extends Context.Service<
  WeblinkMint,
  {
    /** Creates a weblink in the caller's transaction, if there is one. */
    readonly mint: (weblink: NewWeblink) => Effect.Effect<WeblinkView, SqlError>
  }
>()("millrace/automations/model/WeblinkMint") {
  static readonly layer = Layer.effect(
    WeblinkMint,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { weblinkBaseUrl } = yield* AppConfig

      const mint = Effect.fnUntraced(function* (weblink: NewWeblink) {
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const token = randomUUID()
        yield* sql`
          INSERT INTO weblinks (token_hash, automation_id, record_id, triggering_record_id, arguments, run_type, expires_on,
            once, depth, cause, triggered_by_automation_id, created_on, asked_by)
          VALUES (${hashToken(token)}, ${weblink.automation_id}, ${weblink.record_id}, ${weblink.triggering_record_id},
            ${jsonText(weblink.arguments)}::jsonb, ${weblink.run_type}, ${expiryOf(weblink.expiration, nowDate)},
            ${weblink.once || weblink.expiration === "on_click"}, ${weblink.depth},
            nullif(${jsonText(weblink.cause)}::jsonb, 'null'::jsonb), ${weblink.triggered_by_automation_id ?? null}, ${nowDate},
            ${weblink.asked_by === undefined ? null : jsonText(weblink.asked_by)}::jsonb)`
        return { trigger_token: token, trigger_client_url: `${weblinkBaseUrl}/trigger/${token}` }
      })

      return WeblinkMint.of({ mint })
    })
  )
}
