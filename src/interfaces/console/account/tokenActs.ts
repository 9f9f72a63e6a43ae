// `/console/account/credentials` and below: the API key and the personal access tokens of the session's user (developer-api.md 1.7). Secrets
// are in the answer that makes them and nowhere else.
import { Effect, Schema } from "effect"
import { ApiCredentials, activeTokensPerUser, selectedPerKind } from "../../../domain/accounts/ApiCredentials.ts"
import { prefixes } from "../../../domain/accounts/credentialPrefixes.ts"
import { allScopes, Scope } from "../../../domain/accounts/Scope.ts"
import { scopeLines } from "../../../domain/oauth/scopes.ts"
import type { PageCalls } from "../pageCalls.ts"

const path = "/console/account/credentials"
const Ids = Schema.Array(Schema.Int).check(Schema.isMaxLength(1_000))

export const addTokenActs = Effect.fnUntraced(function* ({ addAct }: PageCalls) {
  const credentials = yield* ApiCredentials

  yield* addAct(
    path,
    {},
    Effect.fnUntraced(function* ({ current: { role, user_id } }) {
      const key = yield* credentials.keyHint(user_id)
      const tokens = yield* credentials.listTokens(user_id)
      return {
        api_key: key === null ? null : { masked: `${prefixes.apiKey}••••••••${key.hint}`, created_on: key.created_on },
        tokens: tokens.map(({ hint, ...token }) => ({
          ...token,
          masked: `${prefixes.personalAccessToken}••••••••${hint}`
        })),
        may_create: role !== "guest",
        most_active: activeTokensPerUser,
        most_selected: selectedPerKind,
        scopes: allScopes.map((scope) => ({ scope, line: scopeLines[scope] }))
      }
    })
  )

  yield* addAct(`${path}/rotate-key`, {}, ({ current, person }) =>
    Effect.map(credentials.rotateKey(current.user_id, { personId: person.person_id }), ({ token }) => ({ token }))
  )

  yield* addAct(
    `${path}/create`,
    {
      name: Schema.String,
      scopes: Schema.Array(Scope),
      content_selection: Schema.Literals(["all", "selected"]),
      workspace_ids: Ids,
      app_ids: Ids
    },
    Effect.fnUntraced(function* ({ current, person }, { app_ids, content_selection, name, scopes, workspace_ids }) {
      const selection =
        content_selection === "all"
          ? ("all" as const)
          : { workspaceIds: [...new Set(workspace_ids)], appIds: [...new Set(app_ids)] }
      const input = { name, scopes: [...new Set(scopes)], selection }
      const { credential_id, token } = yield* credentials.mintToken(current.user_id, input, {
        personId: person.person_id
      })
      return { credential_id, token }
    })
  )

  yield* addAct(
    `${path}/rename`,
    { credential_id: Schema.Int, name: Schema.String },
    ({ current }, { credential_id, name }) => credentials.renameToken(current.user_id, credential_id, name)
  )

  yield* addAct(`${path}/revoke`, { credential_id: Schema.Int }, ({ current, person }, { credential_id }) =>
    credentials.revokeToken(current.user_id, credential_id, { personId: person.person_id })
  )
})
