// Users of an organization: reading, inviting, changing role and status, removing (developer-api.md 1.7, 2.1, 2.3).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import {
  Conflict,
  NotFound,
  Restricted,
  type TooManyRequests,
  ValidationError
} from "../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { transact } from "../../platform/sql/transact.ts"
import { Access } from "./Access.ts"
import * as Views from "./accountSchemas.ts"
import { type CallerShape, holds, type OrgRole } from "./Caller.ts"
import { copyAppBlocks } from "./copyAppBlocks.ts"
import { Invitations } from "./invitations/Invitations.ts"
import { keepAnAdmin } from "./lastAdmin.ts"
import type { WorkspaceRole } from "./levels.ts"
import { meOf } from "./me.ts"
import { makeMemberRules, OrgUser, orgUserColumns } from "./memberRules.ts"
import { Profile, profileColumns, profileJoins } from "./Profile.ts"
import { UserChangeSubscribers } from "./UserChangeSubscribers.ts"
import { makeWorkspaceMembers } from "./workspaceMembers.ts"

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly role: OrgRole
  /** Added without a link: active at once with a sign-in, else at the first one. */
  readonly skip_invitation?: boolean
  /** That they become a member of. */
  readonly workspaces?: ReadonlyArray<{ readonly workspace_id: number; readonly role: WorkspaceRole }>
}

export interface UserPatch {
  readonly role?: OrgRole
  readonly status?: "active" | "deactivated"
  readonly name?: string
  readonly phone?: string | null
  readonly job_description?: string | null
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
    readonly create: (
      caller: CallerShape,
      input: NewUser
    ) => Effect.Effect<typeof Views.InvitedUser.Type, Restricted | Conflict | ValidationError | TooManyRequests>
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
      const changes = yield* UserChangeSubscribers
      const access = yield* Access
      const invitations = yield* Invitations
      const { putMember } = yield* makeWorkspaceMembers
      const { audited, keepAnOwner, locked, loseCredentials, mayManage, ownersOnly } = yield* makeMemberRules
      const columns = sql.literal(orgUserColumns)

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

      const join = Effect.fnUntraced(function* (
        caller: CallerShape,
        userId: number,
        workspaces: NonNullable<NewUser["workspaces"]>
      ) {
        if (workspaces.length > 0 && !holds(caller, "workspaces.members:manage"))
          return yield* new Restricted({ message: "workspaces: this needs the scope workspaces.members:manage." })
        for (const [index, { role, workspace_id }] of workspaces.entries()) {
          const prefixError = (error: { readonly message: string }) =>
            new ValidationError({ message: `workspaces[${index}].${error.message}` })
          const grant = yield* access
            .check(caller, "workspace", workspace_id, 5)
            .pipe(
              Effect.catchTag(["NotFound", "RecordNotFound"], ({ message }) =>
                prefixError({ message: `workspace_id: ${message}` })
              )
            )
          yield* putMember(grant, userId, role).pipe(Effect.catchTag("ValidationError", prefixError))
        }
      })

      const create = Effect.fn("Users.create")(
        function* (caller: CallerShape, input: NewUser) {
          yield* mayManage(caller)
          const nowDate = DateTime.toDate(yield* DateTime.now)
          const { skip_invitation: skip = false, workspaces = [] } = input
          yield* sql`INSERT INTO people (email, name, created_on) VALUES (${input.email}, ${input.name}, ${nowDate}) ON CONFLICT DO NOTHING`
          const row = yield* rowOf(OrgUser)(sql`
            WITH p AS (SELECT person_id, email, password_hash FROM people WHERE lower(email) = lower(${input.email})),
            u AS (
              INSERT INTO users (org_id, person_id, name, role, status, created_on)
              SELECT ${caller.orgId}, person_id, ${input.name}, ${input.role},
                CASE WHEN ${skip} AND password_hash IS NOT NULL THEN 'active' ELSE 'invited' END, ${nowDate} FROM p
              ON CONFLICT DO NOTHING RETURNING *),
            ${copyAppBlocks(sql)}
            SELECT ${columns} FROM u JOIN p USING (person_id)`)
          if (row === undefined)
            return yield* new Conflict({ message: `${input.email} is a user of this organization already.` })
          yield* audited(caller, "user.added", row)
          yield* join(caller, row.user_id, workspaces)
          return skip ? row : yield* invitations.issue(caller, row)
        },
        transact(sql),
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
              message:
                "status: an invited user becomes active by accepting, or with the first sign-in where no invitation was sent."
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
          if (row!.name !== user.name) yield* changes.notify({ ...change, kind: "renamed" })
          if (role !== user.role || status !== user.status) yield* audited(caller, "user.changed", row!)
          return row!
        },
        transact(sql),
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
          // Views that nobody else would ever see.
          yield* sql`DELETE FROM views WHERE private AND created_by = ${userId}`
          yield* loseCredentials(userId, false)
          yield* changes.notify({ orgId: caller.orgId, userId, kind: "left" })
          yield* audited(caller, "user.removed", { ...user, status: "removed" })
          return user
        },
        transact(sql),
        orSqlDefect
      )

      return Users.of({ me, organization, list, create, update, remove })
    })
  )
}
