// Second steps in an organization, for its admins (decisions, "The second step"): the users who have one, the requirement, and the reset
// for users who lost theirs. Only the operator resets a person of several organizations: no organization may open a sign-in that others
// rely on.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { Conflict, NotFound, Restricted } from "../../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { type CallerShape, OrgRole } from "../Caller.ts"
import { Person } from "../People.ts"
import { Factors } from "./Factors.ts"

const Member = Schema.Struct({
  ...Person.fields,
  user_id: Schema.Int,
  role: OrgRole,
  factors: Schema.Int,
  /** True if the person is in another organization as well. */
  elsewhere: Schema.Boolean
})
export type FactorMember = typeof Member.Type

/** Maximum number of users on the page of an organization; users beyond it can still be reset by their id. */
const LISTED = 5_000

const PolicyRow = Schema.Struct({ required_from: Schema.Date })

export class OrgFactors extends Context.Service<
  OrgFactors,
  {
    /** Day from which the organization requires a second step; undefined if it does not. */
    readonly policy: (orgId: number) => Effect.Effect<Date | undefined>
    /** @param days until the rule applies; undefined: the requirement ends */
    readonly setPolicy: (caller: CallerShape, days: number | undefined) => Effect.Effect<void, Restricted | Conflict>
    /** Active users by name, the first of them. */
    readonly members: (orgId: number) => Effect.Effect<ReadonlyArray<FactorMember>>
    readonly reset: (
      caller: CallerShape,
      userId: number
    ) => Effect.Effect<FactorMember, Restricted | NotFound | Conflict>
  }
>()("millrace/accounts/OrgFactors") {
  static readonly layer = Layer.effect(
    OrgFactors,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const factors = yield* Factors

      const admin = ({ role }: CallerShape) =>
        role === "owner" || role === "admin"
          ? Effect.void
          : new Restricted({ message: "Only owners and organization admins manage second steps." })

      const policy = Effect.fn("OrgFactors.policy")(function* (orgId: number) {
        const row = yield* rowOf(PolicyRow)(sql`SELECT required_from FROM org_factor_policies WHERE org_id = ${orgId}`)
        return row?.required_from
      }, orSqlDefect)

      const active = sql.literal(`
        SELECT p.person_id, p.email, u.name, u.user_id, u.role,
          (SELECT count(*)::int FROM factors f WHERE f.person_id = p.person_id) AS factors,
          EXISTS (SELECT 1 FROM users x WHERE x.person_id = p.person_id AND x.org_id <> u.org_id AND x.status = 'active') AS elsewhere
        FROM users u JOIN people p USING (person_id)
        WHERE u.status = 'active'`)

      const members = Effect.fn("OrgFactors.members")(
        (orgId: number) =>
          rowsOf(Member)(sql`${active} AND u.org_id = ${orgId} ORDER BY u.name, u.user_id LIMIT ${LISTED}::int`),
        orSqlDefect
      )

      const memberOf = (orgId: number, userId: number) =>
        orSqlDefect(rowOf(Member)(sql`${active} AND u.org_id = ${orgId} AND u.user_id = ${userId}`))

      const setPolicy = Effect.fn("OrgFactors.setPolicy")(
        function* ({ orgId, personId, userId, ...caller }: CallerShape, days: number | undefined) {
          yield* admin({ orgId, personId, userId, ...caller })
          const ownSetup = yield* factors.of(personId)
          if (days !== undefined && ownSetup.factors.length === 0)
            return yield* new Conflict({ message: "Set up a second step for yourself first." })
          const from = new Date((yield* Clock.currentTimeMillis) + (days ?? 0) * 86_400_000)
          yield* days === undefined
            ? sql`DELETE FROM org_factor_policies WHERE org_id = ${orgId}`
            : sql`
              INSERT INTO org_factor_policies (org_id, required_from) VALUES (${orgId}, ${from})
              ON CONFLICT (org_id) DO UPDATE SET required_from = excluded.required_from`
          const details = days === undefined ? { required: false } : { required: true, from: from.toISOString() }
          yield* audit.record({ event: "organization.factor_policy_changed", orgId, userId, details })
        },
        sql.withTransaction,
        orSqlDefect
      )

      const reset = Effect.fn("OrgFactors.reset")(function* (caller: CallerShape, userId: number) {
        yield* admin(caller)
        const member = yield* memberOf(caller.orgId, userId)
        if (member === undefined) return yield* new NotFound({ message: `No active user with id ${userId}.` })
        if (member.user_id === caller.userId)
          return yield* new Restricted({ message: "Your own second steps are on your account's page." })
        if (member.role === "owner" && caller.role !== "owner")
          return yield* new Restricted({ message: "Only owners change an owner." })
        if (member.elsewhere)
          return yield* new Conflict({
            message: "They belong to another organization as well. The people who run this service can reset them."
          })
        const { email, name, person_id } = member
        const details = { by: "admin", admin: caller.userId }
        yield* factors.reset(
          { person_id, email, name },
          { words: "An admin of your organization", orgId: caller.orgId, details }
        )
        return member
      })

      return OrgFactors.of({ policy, setPolicy, members, reset })
    })
  )
}
