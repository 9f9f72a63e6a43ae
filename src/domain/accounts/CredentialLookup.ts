// Resolves a presented credential to a caller: user API key, personal access token, OAuth access token (developer-api.md 1.7), token of a
// signed-in page. Reads Postgres on every request, so that every process honours a revocation from the next request on (decisions O14).
import { Context, Effect, Layer, Schema } from "effect"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { OrgRole } from "./Caller.ts"
import { makeCallerLookup, type ResolvedCaller, type WantedColumns, type WantedFacts } from "./callerFacts.ts"
import { prefixes } from "./credentialPrefixes.ts"
import { userOf } from "./credentialUser.ts"
import { LastUsed } from "./LastUsed.ts"
import { allScopes, Scope } from "./Scope.ts"
import { SessionTokens } from "./SessionTokens.ts"

/** Resolves `svc_oat_` tokens; `null` if the token is not valid now. The connections module provides it. */
export class OAuthTokens extends Context.Service<
  OAuthTokens,
  {
    /** @param wanted facts to read with the caller */
    readonly resolve: (token: string, wanted?: WantedFacts) => Effect.Effect<ResolvedCaller | null>
  }
>()("millrace/accounts/OAuthTokens") {}

const columns = {
  credential_id: Schema.Int,
  kind: Schema.Literals(["user_api_key", "personal_access_token"]),
  scopes: Schema.NullOr(Schema.Array(Scope)),
  content_selection: Schema.Literals(["all", "selected"]),
  workspace_ids: Schema.Array(Schema.Int),
  app_ids: Schema.Array(Schema.Int),
  user_id: Schema.Int,
  org_id: Schema.Int,
  person_id: Schema.Int,
  role: OrgRole
}
type Row = Schema.Struct.Type<typeof columns & WantedColumns>

const callerOf = (row: Row, wanted: WantedFacts): ResolvedCaller => ({
  ...userOf(row, wanted),
  credential: { type: row.kind, id: row.credential_id, clientId: null, expiresOn: null },
  scopes: row.kind === "user_api_key" ? "all" : new Set(row.scopes ?? allScopes),
  selection: row.content_selection === "all" ? "all" : { workspaceIds: row.workspace_ids, appIds: row.app_ids }
})

export class CredentialLookup extends Context.Service<
  CredentialLookup,
  {
    /**
     * Resolves a credential; `null` for anything that is not a valid credential now.
     * @param wanted facts to read with the caller
     */
    readonly resolve: (token: string, wanted?: WantedFacts) => Effect.Effect<ResolvedCaller | null>
  }
>()("millrace/accounts/CredentialLookup") {
  static readonly layer = Layer.effect(
    CredentialLookup,
    Effect.gen(function* () {
      const sql = yield* Sql
      const oauth = yield* OAuthTokens
      const sessions = yield* SessionTokens
      const lastUsed = yield* LastUsed
      const find = yield* makeCallerLookup(
        sql,
        columns,
        ({ columns, joins, tokenHash }) => sql`
          SELECT c.credential_id, c.kind, c.scopes, c.content_selection, c.workspace_ids, c.app_ids,
            u.user_id, u.org_id, u.person_id, u.role${columns}
          FROM api_credentials c JOIN users u USING (user_id) ${joins}
          WHERE c.token_hash = ${tokenHash} AND c.revoked_on IS NULL AND u.status = 'active'
            AND (c.kind = 'user_api_key' OR u.role <> 'guest')`
      )
      const resolveStored = (token: string, wanted: WantedFacts) =>
        Effect.clockWith((clock) =>
          Effect.map(orSqlDefect(find(token, wanted)), (row) => {
            if (row === undefined) return null
            const nowMillis = clock.currentTimeMillisUnsafe()
            lastUsed.touch("api_credentials", row.credential_id, nowMillis)
            return callerOf(row, wanted)
          })
        )
      const resolve = (token: string, wanted: WantedFacts = {}) => {
        if (token.startsWith(prefixes.accessToken)) return oauth.resolve(token, wanted)
        if (token.startsWith(prefixes.sessionToken)) return sessions.resolve(token, wanted)
        if (token.startsWith(prefixes.apiKey) || token.startsWith(prefixes.personalAccessToken))
          return resolveStored(token, wanted)
        return Effect.succeed(null)
      }
      return CredentialLookup.of({ resolve })
    })
  )
}
