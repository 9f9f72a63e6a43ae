// Users of an organization: reading, inviting, changing role and status, removing (developer-api.md 1.7, 2.1, 2.3).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../ground/audit/AuditLog.ts"
import { formatDateTime } from "../../ground/primitives/dates.ts"
import { Conflict, NotFound, Restricted, ValidationError } from "../../ground/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import * as Views from "./accountSchemas.ts"
import type { CallerShape, OrgRole } from "./Caller.ts"
import { keepAnAdmin } from "./lastAdmin.ts"
import { Profile, profileColumns, profileJoins } from "./Profile.ts"
import { allScopes } from "./Scope.ts"
import { UserChanges } from "./UserChanges.ts"

const { OrgUser } = Views
type OrgUser = typeof OrgUser.Type

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly role: OrgRole
}

export interface UserPatch {
  readonly role?: OrgRole
  readonly status?: "active" | "deactivated"
  readonly name?: string
  readonly phone?: string | null
  readonly job_description?: string | null
}

const meOf = (caller: CallerShape, profile: Profile): typeof Views.Me.Type => {
  const { selection, credential, scopes } = caller
  return {
    user_id: caller.userId,
    name: profile.name,
    email: profile.email,
    phone: profile.phone,
    image: profile.image,
    job_description: profile.job_description,
    type: "user",
    org_id: caller.orgId,
    role: caller.role,
    status: profile.status,
    timezone: profile.timezone,
    organization: { org_id: caller.orgId, name: profile.org_name, slug: profile.org_slug },
    credential: {
      type: credential.type,
      client_id: credential.clientId,
      expires_on: credential.expiresOn === null ? null : formatDateTime(credential.expiresOn),
      content_selection: selection === "all" ? "all" : "selected",
      workspace_ids: selection === "all" ? [] : selection.workspaceIds,
      app_ids: selection === "all" ? [] : selection.appIds
    },
    scopes: scopes === "all" ? allScopes : allScopes.filter((s) => scopes.has(s))
  }
}

const OrganizationRow = Schema.Struct({
  ...Views.Organization.fields,
  created_on: Schema.Date
})

export class Users extends Context.Service<
  Users,
  {
    readonly me: (caller: CallerShape) => Effect.Effect<typeof Views.Me.Type, NotFound>
    readonly organization: (caller: CallerShape) => Effect.Effect<typeof Views.Organization.Type, NotFound>
    readonly list: (caller: CallerShape) => Effect.Effect<ReadonlyArray<OrgUser>>
    readonly create: (caller: CallerShape, input: NewUser) => Effect.Effect<OrgUser, Restricted | Conflict>
    readonly update: (
      caller: CallerShape,
      userId: number,
      patch: UserPatch
    ) => Effect.Effect<OrgUser, NotFound | Restricted | Conflict | ValidationError>
    readonly remove: (caller: CallerShape, userId: number) => Effect.Effect<OrgUser, NotFound | Restricted | Conflict>
  }
>()("millrace/accounts/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.gen(function* () {
      const sql = yield* Sql
      const changes = yield* UserChanges
      const audit = yield* AuditLog
      const columns = sql.literal("u.user_id, u.name, u.org_id, u.status, p.email, u.phone, u.role, u.job_description")

      const profileOf = Effect.fnUntraced(function* ({ userId }: CallerShape) {
        const row = yield* rowOf(Profile)(sql`
            SELECT ${sql.literal(profileColumns)} FROM users u ${sql.literal(profileJoins)} WHERE u.user_id = ${userId}`)
        return row ?? (yield* new NotFound({ message: "The user is gone." }))
      }, orSqlDefect)

      const me = (caller: CallerShape) =>
        caller.profile === undefined
          ? Effect.map(profileOf(caller), (profile) => meOf(caller, profile))
          : Effect.succeed(meOf(caller, caller.profile))

      const organization = Effect.fn("Users.organization")(function* (caller: CallerShape) {
        const row = yield* rowOf(OrganizationRow)(sql`
            SELECT org_id, ${caller.userId}::bigint AS active_user_id, name, slug, url, description, website, location, created_on, plan
            FROM organizations WHERE org_id = ${caller.orgId}`)
        if (row === undefined) return yield* new NotFound({ message: "The organization is gone." })
        return { ...row, created_on: formatDateTime(row.created_on) }
      }, orSqlDefect)

      const list = Effect.fn("Users.list")(
        (caller: CallerShape) =>
          rowsOf(OrgUser)(sql`
          SELECT ${columns} FROM users u JOIN people p USING (person_id)
          WHERE u.org_id = ${caller.orgId} AND u.status <> 'removed' ORDER BY u.user_id`),
        orSqlDefect
      )

      const mayManage = (caller: CallerShape) =>
        caller.role === "owner" || caller.role === "admin"
          ? Effect.void
          : new Restricted({ message: "Only owners and organization admins manage members." })

      const locked = Effect.fnUntraced(function* (caller: CallerShape, userId: number) {
        // The organization's row is the lock for its last owner.
        yield* sql`SELECT 1 FROM organizations WHERE org_id = ${caller.orgId} FOR UPDATE`
        const row = yield* rowOf(OrgUser)(sql`
          SELECT ${columns} FROM users u JOIN people p USING (person_id)
          WHERE u.user_id = ${userId} AND u.org_id = ${caller.orgId} AND u.status <> 'removed' FOR UPDATE OF u`)
        return row ?? (yield* new NotFound({ message: `No user with id ${userId}.` }))
      })

      const keepAnOwner = Effect.fnUntraced(function* (user: OrgUser) {
        if (user.role !== "owner" || user.status === "deactivated") return
        const others = yield* countOf(sql`
          SELECT count(*)::int AS n FROM users
          WHERE org_id = ${user.org_id} AND role = 'owner' AND status = 'active' AND user_id <> ${user.user_id}`)
        if (others === 0)
          return yield* new Conflict({ message: "The last owner cannot be demoted, deactivated or removed." })
      })

      const ownersOnly = (caller: CallerShape, user: OrgUser) =>
        user.role === "owner" && caller.role !== "owner"
          ? new Restricted({ message: "Only owners change an owner." })
          : Effect.void

      const loseCredentials = Effect.fnUntraced(function* (userId: number, tokensOnly: boolean) {
        const now = DateTime.toDate(yield* DateTime.now)
        yield* sql`
          UPDATE api_credentials SET revoked_on = ${now}
          WHERE user_id = ${userId} AND revoked_on IS NULL AND (kind = 'personal_access_token' OR ${!tokensOnly})`
      })

      const audited = (
        caller: CallerShape,
        event: string,
        user: Pick<OrgUser, "org_id" | "user_id" | "role"> & { readonly status: string }
      ) =>
        audit.record({
          event,
          orgId: user.org_id,
          userId: user.user_id,
          details: { role: user.role, status: user.status, admin: caller.userId }
        })

      const create = Effect.fn("Users.create")(
        function* (caller: CallerShape, input: NewUser) {
          yield* mayManage(caller)
          const now = DateTime.toDate(yield* DateTime.now)
          yield* sql`INSERT INTO people (email, name, created_on) VALUES (${input.email}, ${input.name}, ${now}) ON CONFLICT DO NOTHING`
          const row = yield* rowOf(OrgUser)(sql`
            WITH p AS (SELECT person_id, email, password_hash FROM people WHERE lower(email) = lower(${input.email})),
            u AS (
              INSERT INTO users (org_id, person_id, name, role, status, created_on)
              SELECT ${caller.orgId}, person_id, ${input.name}, ${input.role}, CASE WHEN password_hash IS NULL THEN 'invited' ELSE 'active' END, ${now} FROM p
              ON CONFLICT DO NOTHING RETURNING *)
            SELECT ${columns} FROM u JOIN p USING (person_id)`)
          if (row === undefined)
            return yield* new Conflict({ message: `${input.email} is a user of this organization already.` })
          yield* audited(caller, "user.added", row)
          return row
        },
        sql.withTransaction,
        orSqlDefect
      )

      const update = Effect.fn("Users.update")(
        function* (caller: CallerShape, userId: number, patch: UserPatch) {
          yield* mayManage(caller)
          const user = yield* locked(caller, userId)
          yield* ownersOnly(caller, user)
          if (patch.role === "owner" && caller.role !== "owner") {
            return yield* new Restricted({ message: "Only owners give the role owner." })
          }
          if (user.status === "invited" && patch.status === "active") {
            return yield* new ValidationError({
              message: "status: an invited user becomes active with the first sign-in."
            })
          }
          const role = patch.role ?? user.role
          const status = patch.status ?? user.status
          if (role !== "owner" || status === "deactivated") yield* keepAnOwner(user)
          if (role === "guest" && user.role !== "guest") yield* keepAnAdmin(sql, userId)
          const row = yield* rowOf(OrgUser)(sql`
            WITH u AS (UPDATE users SET role = ${role}, status = ${status}, name = ${patch.name ?? user.name},
              phone = ${patch.phone === undefined ? user.phone : patch.phone},
              job_description = ${patch.job_description === undefined ? user.job_description : patch.job_description}
              WHERE user_id = ${userId} RETURNING *)
            SELECT ${columns} FROM u JOIN people p USING (person_id)`)
          const change = { orgId: caller.orgId, userId }
          if (status === "deactivated" && user.status !== "deactivated") {
            yield* loseCredentials(userId, false)
            yield* changes.notify({ ...change, kind: "left" })
          }
          if (role === "guest" && user.role !== "guest") {
            yield* loseCredentials(userId, true)
            yield* changes.notify({ ...change, kind: "guest" })
          } else if (role !== user.role) yield* changes.notify({ ...change, kind: "role" })
          if (role !== user.role || status !== user.status) yield* audited(caller, "user.changed", row!)
          return row!
        },
        sql.withTransaction,
        orSqlDefect
      )

      const remove = Effect.fn("Users.remove")(
        function* (caller: CallerShape, userId: number) {
          yield* mayManage(caller)
          const user = yield* locked(caller, userId)
          yield* ownersOnly(caller, user)
          yield* keepAnOwner(user)
          yield* keepAnAdmin(sql, userId)
          yield* sql`UPDATE users SET status = 'removed' WHERE user_id = ${userId}`
          yield* sql`DELETE FROM workspace_members WHERE user_id = ${userId}`
          yield* loseCredentials(userId, false)
          yield* changes.notify({ orgId: caller.orgId, userId, kind: "left" })
          yield* audited(caller, "user.removed", { ...user, status: "removed" })
          return user
        },
        sql.withTransaction,
        orSqlDefect
      )

      return Users.of({ me, organization, list, create, update, remove })
    })
  )
}
