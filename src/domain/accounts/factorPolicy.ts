// Organizations that require a second step: from a day on, nobody without one may act in them (decisions, "The second step"). Only this
// file states that rule.
import { Schema } from "effect"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"

/** Time from which the organization of a user `u` shuts them out because they lack a second step; null if it does not. */
export const keptOutFrom = (sql: Sql) => sql`
  (SELECT fp.required_from FROM org_factor_policies fp WHERE fp.org_id = u.org_id
    AND NOT EXISTS (SELECT 1 FROM factors f WHERE f.person_id = u.person_id))`

/** Condition that it shuts them out at that time. */
export const withoutFactor = (sql: Sql, at: Date) => sql`coalesce(${keptOutFrom(sql)} <= ${at}::timestamptz, false)`

/** Days until the rule applies, as an admin chooses. */
export const graceDays = [0, 7, 14, 30] as const

const AskingOrg = Schema.Struct({ name: Schema.String, required_from: Schema.Date })

/** The person's organizations that ask for a second step, now or from a day on. */
export const askingOf = (sql: Sql, personId: number) =>
  rowsOf(AskingOrg)(sql`
    SELECT o.name, fp.required_from FROM users u JOIN organizations o USING (org_id) JOIN org_factor_policies fp USING (org_id)
    WHERE u.person_id = ${personId} AND u.status = 'active' ORDER BY fp.required_from, o.name`)
export type AskingOrg = typeof AskingOrg.Type
