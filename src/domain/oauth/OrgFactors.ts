// Second steps in an organization, for its admins (decisions, "The second step"): the users who have one, the requirement, and the reset
// for users who lost theirs. Only the operator resets a person of several organizations: no organization may open a sign-in that others
// rely on. Each change asks that the admin confirmed their identity within ten minutes.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { Conflict, NotFound, Restricted } from "../../platform/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { type CallerShape, OrgRole } from "../accounts/Caller.ts"
import { Factors } from "../accounts/factors/Factors.ts"
import { Person } from "../accounts/People.ts"
import { type ConfirmationRequired, SessionProofs } from "./SessionProofs.ts"
import type { Session } from "./Sessions.ts"

/** An admin of an organization, by their session. */
export interface SessionAdmin {
  readonly caller: CallerShape
  readonly session: Session
}

const Member = Schema.Struct({
  ...Person.fields,
  user_id: Schema.Int,
  role: OrgRole,
  factors: Schema.Int,
  /** True if the person is in another organization as well, also deactivated: who is activated again signs in there. */
  elsewhere: Schema.Boolean
})
type FactorMember = typeof Member.Type

/** A user as their admin sees them. */
interface ListedMember extends FactorMember {
  /** Reason for which this admin cannot reset the second steps; undefined if they can. */
  readonly refusal: string | undefined
}

export interface MemberSearch {
  /** Part of the name or the email address; empty: everybody. */
  readonly text: string
  /** True: only users without a second step. */
  readonly without: boolean
  readonly offset: number
  readonly limit: number
}

interface SignInPolicy {
  /** Time from which the organization requires a second step; undefined if it does not. */
  readonly from: Date | undefined
  /** Number of active users. */
  readonly members: number
  /** Number of active users with a second step. */
  readonly withFactor: number
  /** True if the admin has a second step. */
  readonly isSetUp: boolean
  /** True if the admin confirmed their identity within ten minutes. */
  readonly mayChange: boolean
}

const PolicyRow = Schema.Struct({ required_from: Schema.Date })

const ownSteps = new Restricted({ message: "Your own second steps are in your account." })
const ofOwner = new Restricted({ message: "Only owners change an owner." })
const ofSeveral = new Conflict({
  message: "They belong to another organization as well. The people who run this service can reset them."
})
const withoutSteps = new Conflict({ message: "They have no second step to reset." })

const refusalOf = (caller: CallerShape, member: FactorMember): Restricted | Conflict | undefined => {
  if (member.user_id === caller.userId) return ownSteps
  if (member.role === "owner" && caller.role !== "owner") return ofOwner
  if (member.elsewhere) return ofSeveral
  return member.factors === 0 ? withoutSteps : undefined
}

export class OrgFactors extends Context.Service<
  OrgFactors,
  {
    readonly policy: (admin: SessionAdmin) => Effect.Effect<SignInPolicy, Restricted>
    /** @param days until the rule applies; undefined: the requirement ends */
    readonly setPolicy: (
      admin: SessionAdmin,
      days: number | undefined
    ) => Effect.Effect<void, Restricted | Conflict | ConfirmationRequired>
    /** Active users by name. */
    readonly members: (
      admin: SessionAdmin,
      search: MemberSearch
    ) => Effect.Effect<ReadonlyArray<ListedMember>, Restricted>
    readonly reset: (
      admin: SessionAdmin,
      userId: number
    ) => Effect.Effect<void, Restricted | NotFound | Conflict | ConfirmationRequired>
  }
>()("millrace/oauth/OrgFactors") {
  static readonly layer = Layer.effect(
    OrgFactors,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const factors = yield* Factors
      const proofs = yield* SessionProofs

      const checkRole = ({ role }: CallerShape) =>
        role === "owner" || role === "admin"
          ? Effect.void
          : new Restricted({ message: "Only owners and organization admins manage second steps." })

      /** Asks for the role, then for the confirmed identity. */
      const checkChange = ({ caller, session }: SessionAdmin) =>
        Effect.andThen(checkRole(caller), proofs.require(session, false))

      const hasFactor = sql.literal("EXISTS (SELECT 1 FROM factors f WHERE f.person_id = p.person_id)")

      const policy = Effect.fn("OrgFactors.policy")(function* ({ caller, session }: SessionAdmin) {
        yield* checkRole(caller)
        const { orgId, personId } = caller
        const row = yield* rowOf(PolicyRow)(sql`SELECT required_from FROM org_factor_policies WHERE org_id = ${orgId}`)
        const memberCount = sql`SELECT count(*)::int AS n FROM users p WHERE p.org_id = ${orgId} AND p.status = 'active'`
        return {
          from: row?.required_from,
          members: yield* countOf(memberCount),
          withFactor: yield* countOf(sql`${memberCount} AND ${hasFactor}`),
          isSetUp: (yield* factors.of(personId)).factors.length > 0,
          mayChange: yield* proofs.isFresh(session, false)
        }
      }, orSqlDefect)

      const active = sql.literal(`
        SELECT p.person_id, p.email, u.name, u.user_id, u.role,
          (SELECT count(*)::int FROM factors f WHERE f.person_id = p.person_id) AS factors,
          EXISTS (SELECT 1 FROM users x WHERE x.person_id = p.person_id AND x.org_id <> u.org_id
            AND x.status IN ('active', 'deactivated')) AS elsewhere
        FROM users u JOIN people p USING (person_id)
        WHERE u.status = 'active'`)

      const members = Effect.fn("OrgFactors.members")(function* (
        { caller }: SessionAdmin,
        { limit, offset, text, without }: MemberSearch
      ) {
        yield* checkRole(caller)
        const memberRows = yield* rowsOf(Member)(sql`
          ${active} AND u.org_id = ${caller.orgId}
            AND strpos(fold_case(u.name || ' ' || p.email), fold_case(${text})) > 0
            AND NOT (${without} AND ${hasFactor})
          ORDER BY u.name, u.user_id LIMIT ${limit}::int OFFSET ${offset}::int`)
        return memberRows.map((member) => ({ ...member, refusal: refusalOf(caller, member)?.message }))
      }, orSqlDefect)

      const setPolicy = Effect.fn("OrgFactors.setPolicy")(
        function* (admin: SessionAdmin, days: number | undefined) {
          yield* checkChange(admin)
          const { orgId, personId, userId } = admin.caller
          const ownSetup = yield* factors.of(personId)
          if (days !== undefined && ownSetup.factors.length === 0)
            return yield* new Conflict({ message: "Set up a second step for yourself first." })
          const from = new Date((yield* Clock.currentTimeMillis) + (days ?? 0) * 86_400_000)
          const changedRows = yield* days === undefined
            ? sql`DELETE FROM org_factor_policies WHERE org_id = ${orgId} RETURNING org_id`
            : sql`
              INSERT INTO org_factor_policies (org_id, required_from) VALUES (${orgId}, ${from})
              ON CONFLICT (org_id) DO UPDATE SET required_from = excluded.required_from RETURNING org_id`
          if (changedRows.length === 0) return
          const details = days === undefined ? { required: false } : { required: true, from: from.toISOString() }
          yield* audit.record({ event: "organization.factor_policy_changed", orgId, userId, details })
        },
        sql.withTransaction,
        orSqlDefect
      )

      const reset = Effect.fn("OrgFactors.reset")(function* (admin: SessionAdmin, userId: number) {
        yield* checkChange(admin)
        const { caller } = admin
        const member = yield* rowOf(Member)(sql`${active} AND u.org_id = ${caller.orgId} AND u.user_id = ${userId}`)
        if (member === undefined) return yield* new NotFound({ message: `No active user with id ${userId}.` })
        const refusal = refusalOf(caller, member)
        if (refusal !== undefined) return yield* refusal
        const { email, name, person_id } = member
        const details = { by: "admin", admin: caller.userId }
        yield* factors.reset(
          { person_id, email, name },
          { words: "An admin of your organization", orgId: caller.orgId, details }
        )
      }, orSqlDefect)

      return OrgFactors.of({ policy, setPolicy, members, reset })
    })
  )
}
