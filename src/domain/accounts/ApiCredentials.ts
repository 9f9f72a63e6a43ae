// User API keys and personal access tokens: made, shown once, listed, renamed, revoked (developer-api.md 1.7), each with its entry in the audit log by
// one transaction (decisions O23).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { type AuditEntry, AuditLog } from "../../platform/audit/AuditLog.ts"
import { NotFound, Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import { hashToken, randomToken } from "../../platform/sealing/Secrets.ts"
import { countOf, rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { type ContentSelection, OrgRole } from "./Caller.ts"
import { prefixes } from "./credentialPrefixes.ts"
import { Scope } from "./Scope.ts"

export const activeTokensPerUser = 20
export const selectedPerKind = 50

export const TokenView = Schema.Struct({
  credential_id: Schema.Int,
  name: Schema.String,
  /** The last four characters, to tell tokens apart. */
  hint: Schema.String,
  scopes: Schema.Array(Scope),
  content_selection: Schema.Literals(["all", "selected"]),
  workspace_ids: Schema.Array(Schema.Int),
  app_ids: Schema.Array(Schema.Int),
  created_on: Schema.Date,
  last_used_on: Schema.NullOr(Schema.Date),
  revoked_on: Schema.NullOr(Schema.Date)
})
export type TokenView = typeof TokenView.Type

export interface NewToken {
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly selection: ContentSelection
}

/** A secret that is shown once. */
export interface Minted {
  readonly credential_id: number
  readonly token: string
  /** Information for the recipient. */
  readonly note?: string
}

/** Author of a change, as the audit log records it. */
export type By = Pick<AuditEntry, "personId" | "details">
const operator: By = { details: { by: "operator" } }

/** Somebody who has been invited has no rights yet. */
const noteFor = (status: "active" | "invited") =>
  status === "active" ? {} : { note: "The user is invited: this answers 401 until they have joined." }

const LockedUser = Schema.Struct({
  role: OrgRole,
  org_id: Schema.Int,
  status: Schema.Literals(["active", "invited"])
})

const CredentialId = Schema.Struct({ credential_id: Schema.Int })

const KeyHint = Schema.Struct({ hint: Schema.String, created_on: Schema.Date })

const Known = Schema.Struct({ workspaces: Schema.Int, apps: Schema.Int })

export class ApiCredentials extends Context.Service<
  ApiCredentials,
  {
    /** A new API key; the old value dies at once. */
    readonly rotateKey: (userId: number, by?: By) => Effect.Effect<Minted, NotFound>
    readonly keyHint: (userId: number) => Effect.Effect<{ readonly hint: string; readonly created_on: Date } | null>
    readonly mintToken: (
      userId: number,
      input: NewToken,
      by?: By
    ) => Effect.Effect<Minted, NotFound | Restricted | ValidationError>
    readonly listTokens: (userId: number) => Effect.Effect<ReadonlyArray<TokenView>>
    readonly renameToken: (userId: number, id: number, name: string) => Effect.Effect<void, NotFound | ValidationError>
    readonly revokeToken: (userId: number, id: number, by?: By) => Effect.Effect<void, NotFound>
  }
>()("millrace/accounts/ApiCredentials") {
  static readonly layer = Layer.effect(
    ApiCredentials,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const currentTime = Effect.map(DateTime.now, DateTime.toDate)
      const bigints = (ids: ReadonlyArray<number>) => sql`${ids.map(String)}::text[]::bigint[]`

      // The user's row is the lock for the number of tokens and for the one key.
      const lockUser = Effect.fnUntraced(function* (userId: number) {
        const user = yield* rowOf(LockedUser)(sql`
          SELECT role, org_id, status FROM users WHERE user_id = ${userId} AND status IN ('active', 'invited') FOR UPDATE`)
        return user ?? (yield* new NotFound({ message: `No active user with id ${userId}.` }))
      })

      const nameOf = Effect.fnUntraced(function* (text: string) {
        const name = text.trim()
        if (name.length < 1 || name.length > 500)
          return yield* new ValidationError({ message: "name: 1 to 500 characters." })
        return name
      })

      const rotateKey = Effect.fn("ApiCredentials.rotateKey")(
        function* (userId: number, by = operator) {
          const { status } = yield* lockUser(userId)
          const token = randomToken(prefixes.apiKey)
          const rotatedAt = yield* currentTime
          yield* sql`
            UPDATE api_credentials SET revoked_on = ${rotatedAt} WHERE user_id = ${userId} AND kind = 'user_api_key' AND revoked_on IS NULL`
          const row = yield* rowOf(CredentialId)(sql`
            INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
            VALUES (${userId}, 'user_api_key', ${hashToken(token)}, ${token.slice(-4)}, ${rotatedAt}) RETURNING credential_id`)
          yield* audit.record({ event: "api_key.rotated", userId, ...by })
          return { credential_id: row!.credential_id, token, ...noteFor(status) }
        },
        sql.withTransaction,
        orSqlDefect
      )

      const keyHint = Effect.fn("ApiCredentials.keyHint")(function* (userId: number) {
        const row = yield* rowOf(KeyHint)(sql`
            SELECT hint, created_on FROM api_credentials WHERE user_id = ${userId} AND kind = 'user_api_key' AND revoked_on IS NULL`)
        return row ?? null
      }, orSqlDefect)

      const checkSelection = Effect.fnUntraced(function* (
        orgId: number,
        { workspaceIds, appIds }: Exclude<ContentSelection, "all">
      ) {
        if (workspaceIds.length > selectedPerKind || appIds.length > selectedPerKind) {
          return yield* new ValidationError({
            message: `A token is limited to at most ${selectedPerKind} workspaces and ${selectedPerKind} apps.`
          })
        }
        const counts = yield* rowOf(Known)(sql`
          SELECT (SELECT count(*)::int FROM workspaces WHERE org_id = ${orgId} AND workspace_id = ANY(${bigints(workspaceIds)})) AS workspaces,
                 (SELECT count(*)::int FROM apps WHERE org_id = ${orgId} AND app_id = ANY(${bigints(appIds)})) AS apps`)
        if (counts!.workspaces !== new Set(workspaceIds).size)
          return yield* new ValidationError({ message: "workspace_ids: an id is unknown." })
        if (counts!.apps !== new Set(appIds).size)
          return yield* new ValidationError({ message: "app_ids: an id is unknown." })
      })

      const mintToken = Effect.fn("ApiCredentials.mintToken")(
        function* (userId: number, input: NewToken, by = operator) {
          const { selection } = input
          if (selection !== "all" && selection.workspaceIds.length + selection.appIds.length === 0)
            return yield* new ValidationError({
              message: "Select at least one workspace or app, or choose everything."
            })
          const user = yield* lockUser(userId)
          const name = yield* nameOf(input.name)
          if (user.role === "guest")
            return yield* new Restricted({ message: "Guests cannot create personal access tokens." })
          if (input.scopes.length === 0) return yield* new ValidationError({ message: "scopes: choose at least one." })
          const active = yield* countOf(sql`
            SELECT count(*)::int AS n FROM api_credentials
            WHERE user_id = ${userId} AND kind = 'personal_access_token' AND revoked_on IS NULL`)
          if (active >= activeTokensPerUser) {
            return yield* new ValidationError({
              message: `A user has at most ${activeTokensPerUser} active tokens; revoke one first.`
            })
          }
          if (selection !== "all") yield* checkSelection(user.org_id, selection)
          const token = randomToken(prefixes.personalAccessToken)
          const row = yield* rowOf(CredentialId)(sql`
            INSERT INTO api_credentials (user_id, kind, token_hash, hint, name, scopes, content_selection, workspace_ids, app_ids, created_on)
            VALUES (${userId}, 'personal_access_token', ${hashToken(token)}, ${token.slice(-4)}, ${name},
                    ${input.scopes as ReadonlyArray<string>}::text[], ${selection === "all" ? "all" : "selected"},
                    ${bigints(selection === "all" ? [] : selection.workspaceIds)}, ${bigints(selection === "all" ? [] : selection.appIds)}, ${yield* currentTime})
            RETURNING credential_id`)
          const { credential_id } = row!
          const details = { credential_id, scopes: input.scopes, ...by.details }
          yield* audit.record({ event: "personal_access_token.created", userId, ...by, details })
          return { credential_id, token, ...noteFor(user.status) }
        },
        sql.withTransaction,
        orSqlDefect
      )

      const listTokens = Effect.fn("ApiCredentials.listTokens")(
        (userId: number) =>
          rowsOf(TokenView)(sql`
          SELECT credential_id, name, hint, scopes, content_selection, workspace_ids, app_ids, created_on, last_used_on, revoked_on
          FROM api_credentials WHERE user_id = ${userId} AND kind = 'personal_access_token' ORDER BY credential_id DESC`),
        orSqlDefect
      )

      const change = Effect.fnUntraced(function* (userId: number, id: number, set: Statement.Statement<unknown>) {
        const rows = yield* sql`
          UPDATE api_credentials SET ${set}
          WHERE credential_id = ${id} AND user_id = ${userId} AND kind = 'personal_access_token' RETURNING credential_id`
        if (rows.length === 0) return yield* new NotFound({ message: `No token with id ${id}.` })
      }, orSqlDefect)

      const renameToken = Effect.fn("ApiCredentials.renameToken")(function* (userId: number, id: number, text: string) {
        yield* change(userId, id, sql`name = ${yield* nameOf(text)}`)
      })

      const revokeToken = Effect.fn("ApiCredentials.revokeToken")(
        function* (userId: number, id: number, by = operator) {
          yield* change(userId, id, sql`revoked_on = coalesce(revoked_on, ${yield* currentTime})`)
          const details = { credential_id: id, ...by.details }
          yield* audit.record({ event: "personal_access_token.revoked", userId, ...by, details })
        },
        sql.withTransaction,
        orSqlDefect
      )

      return ApiCredentials.of({ rotateKey, keyHint, mintToken, listTokens, renameToken, revokeToken })
    })
  )
}
