// Organizations and their first users, as the operator makes them (decisions P1, P2).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { Conflict, NotFound, ValidationError } from "../../platform/primitives/errors.ts"
import { jsonb } from "../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { OrgRole } from "./Caller.ts"
import { copyAppBlocks } from "./copyAppBlocks.ts"
import { freeSlug } from "./organizationSlug.ts"

export const OrganizationRow = Schema.Struct({
  org_id: Schema.Int,
  name: Schema.String,
  slug: Schema.String,
  plan: Schema.String,
  limits: jsonb<Readonly<Record<string, number>>>()
})
export type OrganizationRow = typeof OrganizationRow.Type

/** Limits that may follow an organization's plan and win over configuration (decisions P2). */
export const planLimits = [
  "webhook_per_minute",
  "inbound_per_minute",
  "credits_per_hour",
  "mail_per_day",
  "storage_megabytes"
] as const
/** The largest integer that the statements which apply the limits take. */
const LIMIT_MAX = 2_147_483_647
export type PlanLimit = (typeof planLimits)[number]

export const UserRow = Schema.Struct({
  user_id: Schema.Int,
  org_id: Schema.Int,
  email: Schema.String,
  name: Schema.String,
  role: OrgRole,
  status: Schema.String
})
export type UserRow = typeof UserRow.Type

const Known = Schema.Struct({ orgs: Schema.Int, people: Schema.Int })

export class Organizations extends Context.Service<
  Organizations,
  {
    /** Creates an organization with one workspace of type `default`. */
    readonly create: (name: string) => Effect.Effect<OrganizationRow>
    readonly list: Effect.Effect<ReadonlyArray<OrganizationRow>>
    readonly setLimit: (
      orgId: number,
      limit: PlanLimit,
      value: number | null
    ) => Effect.Effect<OrganizationRow, NotFound | ValidationError>
    /** The person as a user of the organization. */
    readonly addUser: (orgId: number, email: string, role: OrgRole) => Effect.Effect<UserRow, NotFound | Conflict>
    readonly users: (orgId: number) => Effect.Effect<ReadonlyArray<UserRow>>
  }
>()("millrace/accounts/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const sql = yield* Sql
      const currentTime = Effect.map(DateTime.now, DateTime.toDate)
      const audit = yield* AuditLog
      const columns = sql.literal("org_id, name, slug, plan, limits")

      const create = Effect.fn("Organizations.create")(
        function* (name: string) {
          const createdAt = yield* currentTime
          const slug = yield* freeSlug(sql, name)
          const row = yield* rowOf(OrganizationRow)(sql`
            INSERT INTO organizations (name, slug, created_on) VALUES (${name}, ${slug}, ${createdAt}) RETURNING ${columns}`)
          yield* sql`
            INSERT INTO workspaces (org_id, name, slug, type, created_on) VALUES (${row!.org_id}, 'General', 'general', 'default', ${createdAt})`
          yield* audit.record({ event: "organization.created", orgId: row!.org_id, details: { name } })
          return row!
        },
        sql.withTransaction,
        orSqlDefect
      )

      const list = rowsOf(OrganizationRow)(sql`SELECT ${columns} FROM organizations ORDER BY org_id`).pipe(orSqlDefect)

      const setLimit = Effect.fn("Organizations.setLimit")(function* (
        orgId: number,
        limit: PlanLimit,
        value: number | null
      ) {
        if (value !== null && (value < 0 || value > LIMIT_MAX))
          return yield* new ValidationError({ message: `${limit}: expected 0 to ${LIMIT_MAX}.` })
        return yield* sql.withTransaction(limited(orgId, limit, value))
      }, orSqlDefect)

      const limited = Effect.fnUntraced(function* (orgId: number, limit: PlanLimit, value: number | null) {
        const row = yield* rowOf(OrganizationRow)(sql`
            UPDATE organizations SET limits = (limits - ${limit}::text) ||
              ${JSON.stringify(value === null ? {} : { [limit]: value })}::jsonb
            WHERE org_id = ${orgId} RETURNING ${columns}`)
        if (row === undefined) return yield* new NotFound({ message: `No organization with id ${orgId}.` })
        yield* audit.record({ event: "organization.limit_set", orgId, details: { limit, value } })
        return row
      })

      const added = Effect.fnUntraced(function* (orgId: number, email: string, role: OrgRole) {
        const counts = yield* rowOf(Known)(sql`
            SELECT (SELECT count(*)::int FROM organizations WHERE org_id = ${orgId}) AS orgs,
                   (SELECT count(*)::int FROM people WHERE lower(email) = lower(${email})) AS people`)
        if (counts!.orgs === 0) return yield* new NotFound({ message: `No organization with id ${orgId}.` })
        if (counts!.people === 0) return yield* new NotFound({ message: `No person with the address ${email}.` })
        const row = yield* rowOf(UserRow)(sql`
            WITH u AS (
              INSERT INTO users (org_id, person_id, name, role, status, created_on)
              SELECT ${orgId}, person_id, name, ${role}, CASE WHEN password_hash IS NULL THEN 'invited' ELSE 'active' END, ${yield* currentTime}
              FROM people WHERE lower(email) = lower(${email})
              ON CONFLICT DO NOTHING RETURNING *),
            ${copyAppBlocks(sql)}
            SELECT user_id, org_id, ${email}::text AS email, name, role, status FROM u`)
        if (row === undefined)
          return yield* new Conflict({ message: `${email} is a user of this organization already.` })
        const { status, user_id: userId } = row
        yield* audit.record({ event: "user.added", orgId, userId, details: { role, status, by: "operator" } })
        return row
      })
      const addUser = Effect.fn("Organizations.addUser")(
        (orgId: number, email: string, role: OrgRole) => sql.withTransaction(added(orgId, email, role)),
        orSqlDefect
      )

      const users = Effect.fn("Organizations.users")(
        (orgId: number) =>
          rowsOf(UserRow)(sql`
          SELECT u.user_id, u.org_id, p.email, u.name, u.role, u.status FROM users u JOIN people p USING (person_id)
          WHERE u.org_id = ${orgId} AND u.status <> 'removed' ORDER BY u.user_id`),
        orSqlDefect
      )

      return Organizations.of({ create, list, setLimit, addUser, users })
    })
  )
}
