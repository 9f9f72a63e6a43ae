// Usage of an organization against its limits, for its owners and admins. Reads each figure where its limit is enforced, so that nothing is
// counted twice (decisions P2; developer-api.md 7.11 rule 5).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import type { Restricted } from "../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { ofAdministrator } from "../administration/administrators.ts"
import type { OrganizationUsage } from "./organizationUsageSchema.ts"

const HOUR = 3_600_000
const HOURS = 24
const MEGABYTE = 1_000_000

const LimitRow = Schema.Struct({
  credits_per_hour: Schema.NullOr(Schema.Int),
  mail_per_day: Schema.NullOr(Schema.Int),
  storage_megabytes: Schema.NullOr(Schema.Int),
  mails: Schema.Int,
  bytes: Schema.Int,
  users: Schema.Int,
  apps: Schema.Int,
  records: Schema.Int,
  automations: Schema.Int,
  hooks: Schema.Int
})
const HourRow = Schema.Struct({ hour: Schema.Date, used: Schema.Int })

export class OrganizationUsages extends Context.Service<
  OrganizationUsages,
  { readonly of: (caller: CallerShape) => Effect.Effect<OrganizationUsage, Restricted> }
>()("millrace/usage/OrganizationUsages") {
  static readonly layer = Layer.effect(
    OrganizationUsages,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { creditsPerHour, mailPerDay, storageMegabytes } = yield* AppConfig

      /** Sums the kept counts of live records; counts the records of apps that have never been listed. */
      const records = (orgId: number) => sql`
        SELECT sum(CASE WHEN c.counted THEN c.n
          ELSE (SELECT count(*) FROM records r WHERE r.app_id = a.app_id AND r.deleted_on IS NULL) END)
        FROM apps a CROSS JOIN LATERAL (
          SELECT sum(change) AS n, coalesce(bool_or(counted), false) AS counted FROM record_counts WHERE app_id = a.app_id) c
        WHERE a.org_id = ${orgId}`

      const usageOf = Effect.fn("OrganizationUsages.of")(function* (caller: CallerShape) {
        yield* ofAdministrator(caller)
        const { orgId } = caller
        const nowMillis = yield* Clock.currentTimeMillis
        const firstHour = Math.floor(nowMillis / HOUR) * HOUR - (HOURS - 1) * HOUR
        const limit = (name: string) => sql`(o.limits ->> ${name})::bigint AS ${sql.literal(name)}`
        const row = (yield* rowOf(LimitRow)(sql`
          SELECT ${limit("credits_per_hour")}, ${limit("mail_per_day")}, ${limit("storage_megabytes")},
            (SELECT count(*) FROM mails WHERE org_id = ${orgId} AND counted AND status <> 'failed'
              AND created_on > ${new Date(nowMillis - HOURS * HOUR)}) AS mails,
            coalesce((SELECT bytes FROM organization_storage WHERE org_id = ${orgId}), 0) AS bytes,
            (SELECT count(*) FROM users WHERE org_id = ${orgId} AND status NOT IN ('deactivated', 'removed')) AS users,
            (SELECT count(*) FROM apps WHERE org_id = ${orgId}) AS apps,
            coalesce((${records(orgId)}), 0)::bigint AS records,
            (SELECT count(*) FROM automations WHERE org_id = ${orgId} AND deleted_on IS NULL) AS automations,
            (SELECT count(*) FROM hooks WHERE org_id = ${orgId}) AS hooks
          FROM organizations o WHERE o.org_id = ${orgId}`))!
        const spent = yield* rowsOf(HourRow)(sql`
          SELECT hour, used FROM run_credits WHERE org_id = ${orgId} AND hour >= ${new Date(firstHour)}`)
        const used = new Map(spent.map((one) => [one.hour.getTime(), one.used]))
        const hours = Array.from({ length: HOURS }, (_, index) => {
          const from = firstHour + index * HOUR
          return { from: formatDateTime(new Date(from)), used: used.get(from) ?? 0 }
        })
        const { apps, automations, hooks, users } = row
        return {
          actions: { used: hours.at(-1)!.used, limit: row.credits_per_hour ?? creditsPerHour, hours },
          mails: { used: row.mails, limit: row.mail_per_day ?? mailPerDay },
          storage: { used_bytes: row.bytes, limit_bytes: (row.storage_megabytes ?? storageMegabytes) * MEGABYTE },
          users,
          apps,
          records: row.records,
          automations,
          hooks
        } satisfies OrganizationUsage
      }, orSqlDefect)

      return OrganizationUsages.of({ of: usageOf })
    })
  )
}
