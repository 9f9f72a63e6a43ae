// Authority of an action (decisions A20, developer-api.md 1.7, 7.1): a user's present rights within the reach of a credential. Made from
// the caller at an entry point (`reachOf`), and from a revision in the engine (`Authorities`). Nothing is cached beyond rights that a
// caller has just read (`FoundUntil`): each access queries the database, so that a withdrawn right ends with the next one.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Author } from "../../engine/outbox/Event.ts"
import { findBatched } from "../../platform/sql/dataLoader.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { Level } from "./Access.ts"
import { type CallerShape, type ContentSelection, OrgRole } from "./Caller.ts"
import { levelOf, selected, WorkspaceRole, WorkspaceType } from "./levels.ts"
import { allScopes, type Scope } from "./Scope.ts"

/** Limits that a credential sets on its user's rights. */
export interface Reach {
  readonly scopes: "all" | ReadonlySet<Scope>
  readonly selection: ContentSelection
}

/** Reach of a session and of a user API key. */
export const everything: Reach = { scopes: "all", selection: "all" }

export const reachOf = ({ scopes, selection }: CallerShape): Reach => ({ scopes, selection })

/** The first of the scopes that the reach lacks. */
export const lacking = ({ scopes: held }: Reach, scopes: ReadonlyArray<Scope>): Scope | undefined =>
  held === "all" ? undefined : scopes.find((scope) => !held.has(scope))

const Ids = Schema.Array(Schema.Int)
const StoredReach = Schema.Struct({
  /** Absent: all. */
  scopes: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Absent: all content. */
  workspaces: Schema.optionalKey(Ids),
  apps: Schema.optionalKey(Ids)
})
export type StoredReach = typeof StoredReach.Type
const decodeReach = Schema.decodeUnknownOption(StoredReach)

/** Null for everything. */
export const storedReach = ({ scopes, selection }: Reach): StoredReach | null =>
  scopes === "all" && selection === "all"
    ? null
    : {
        ...(scopes === "all" ? {} : { scopes: allScopes.filter((scope) => scopes.has(scope)) }),
        ...(selection === "all" ? {} : { workspaces: selection.workspaceIds, apps: selection.appIds })
      }

/** Decodes a stored reach; one that cannot be decoded reaches nothing. */
export const readReach = (stored: unknown): Reach => {
  if (stored === null) return everything
  const decoded = decodeReach(stored)
  if (decoded._tag === "None") return { scopes: new Set(), selection: { workspaceIds: [], appIds: [] } }
  const { apps, scopes, workspaces } = decoded.value
  return {
    scopes: scopes === undefined ? "all" : new Set(allScopes.filter((scope) => scopes.includes(scope))),
    selection:
      apps === undefined && workspaces === undefined ? "all" : { workspaceIds: workspaces ?? [], appIds: apps ?? [] }
  }
}

/** The user is no longer an active user of the organization. `asked`: the user is not the author, but the one who requested the run. */
export class AuthorityLost extends Schema.TaggedError<AuthorityLost>()("AuthorityLost", {
  userId: Schema.Number,
  asked: Schema.optionalKey(Schema.Boolean)
}) {
  override get message() {
    const who = this.asked === true ? "Who asked for the run" : "The automation's author"
    return `${who}, user ${this.userId}, is no longer an active user.`
  }
}

/** Rights of a caller on an app at a moment; level 0: the app does not exist for them. */
export interface HeldRights {
  readonly caller: CallerShape
  readonly level: Level
}

export interface Authority {
  readonly userId: number
  readonly orgId: number
  readonly reach: Reach
  /** Set if others' rights limit it (`combinedAuthority.ts`). */
  readonly shared?: true
  /** The user as a caller within the reach, as of now. */
  readonly present: Effect.Effect<CallerShape, AuthorityLost>
  /** The caller as of now, with the level on an app. */
  readonly on: (appId: number) => Effect.Effect<HeldRights, AuthorityLost>
}

export interface Acting {
  readonly userId: number
  readonly orgId: number
  /** Author that changes show. */
  readonly author: Author
  readonly automationId: number
  readonly reach: Reach
}

/** Facts that decide about a user and an app, as the database has them; without a workspace the app does not exist for the user. */
export const FoundRights = Schema.Struct({
  user_id: Schema.Int,
  org_id: Schema.Int,
  app_id: Schema.Int,
  person_id: Schema.Int,
  role: OrgRole,
  workspace_id: Schema.NullOr(Schema.Int),
  type: Schema.NullOr(WorkspaceType),
  member_role: Schema.NullOr(WorkspaceRole)
})
export type FoundRights = typeof FoundRights.Type

/** Level on the app within the reach. */
export const levelFound = (
  { app_id, member_role: memberRole, role, type, workspace_id }: FoundRights,
  { selection }: Reach
): Level =>
  type !== null && selected(selection, workspace_id!, app_id) ? levelOf(role, { type, memberRole }).level : 0

export interface FoundUntil {
  readonly rights: FoundRights
  /** End of their validity, in epoch milliseconds. */
  readonly until: number
}

/** Facts of users and apps `k (user_id, app_id)`; no row for users who are not active. */
const FOUND = `
  SELECT k.user_id, k.app_id, u.org_id, u.person_id, u.role, w.workspace_id, w.type, m.role AS member_role
  FROM k JOIN users u ON u.user_id = k.user_id AND u.status = 'active'
    LEFT JOIN (apps a JOIN workspaces w USING (workspace_id)) ON a.app_id = k.app_id AND a.org_id = u.org_id
    LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = u.user_id`

/** A column of a statement that is about something else: one `FoundRights`, or null. */
export const rightsColumn = (sql: Pick<Sql, "literal">, userId: string, appId: string) =>
  sql.literal(
    `(WITH k AS (SELECT ${userId} AS user_id, ${appId} AS app_id) SELECT to_jsonb(found) FROM (${FOUND}) found)`
  )

/** App id of a lookup that concerns the user only. */
const NO_APP = 0

export class Authorities extends Context.Service<
  Authorities,
  {
    /** @param found rights read a moment ago, reused until they lapse */
    readonly of: (acting: Acting, found?: FoundUntil | null) => Authority
  }
>()("millrace/accounts/Authorities") {
  static readonly layer = Layer.effect(
    Authorities,
    Effect.gen(function* () {
      const sql = yield* Sql

      const load = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
        const pairs = keys.map((key) => key.split(" "))
        const rows = yield* rowsOf(FoundRights)(sql`
            WITH k AS (
              SELECT * FROM unnest(${pairs.map(([user]) => user!)}::text[]::bigint[], ${pairs.map(([, app]) => app!)}::text[]::bigint[])
                AS k (user_id, app_id)
            ) ${sql.literal(FOUND)}`)
        return new Map(rows.map((row) => [`${row.user_id} ${row.app_id}`, row]))
      }, orSqlDefect)
      // Batches what many runs ask at the same moment into one statement.
      const find = yield* findBatched(sql, load)

      const authorityOf = (
        { author, automationId, orgId, reach, userId }: Acting,
        found?: FoundUntil | null
      ): Authority => {
        const ask = Effect.fnUntraced(function* (appId: number) {
          const key = `${userId} ${appId}`
          const { rights, until = 0 } = found ?? {}
          const isCurrent =
            rights?.user_id === userId && rights.app_id === appId && (yield* Clock.currentTimeMillis) <= until
          const row = isCurrent ? rights : (yield* find([key])).get(key)
          if (row === undefined || row.org_id !== orgId) return yield* new AuthorityLost({ userId })
          const caller: CallerShape = {
            userId,
            orgId,
            personId: row.person_id,
            role: row.role,
            author,
            credential: { type: "automation", id: automationId, clientId: null, expiresOn: null },
            ...reach
          }
          return { caller, level: levelFound(row, reach) } satisfies HeldRights
        })
        return {
          userId,
          orgId,
          reach,
          present: Effect.map(ask(NO_APP), ({ caller }) => caller),
          on: ask
        }
      }
      return Authorities.of({ of: authorityOf })
    })
  )
}
