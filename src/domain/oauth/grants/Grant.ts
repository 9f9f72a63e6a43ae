// Contract of a grant of the token endpoint (service.md 4.1): its `grant_type`, the parameters that it reads, its checks, its handler.
// Metadata, registration, the endpoint and the parameters forbidden in a query derive from the list of grants (./index.ts).
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { type Check, firstRefusal } from "../check.ts"
import type { Client } from "../clients/Client.ts"
import type { Params } from "../params.ts"
import type { OAuthRefused } from "../reasons.ts"
import type { TokenResponse } from "./TokenResponse.ts"

/** The declared parameters and no other; undefined when not sent. */
export type Given<Parameter extends string> = { readonly [name in Parameter]: string | undefined }

export interface GrantHandler<Sent> {
  /**
   * Reads what needs no client, while the client is being looked up, and changes nothing. The returned function does the rest for the
   * authenticated client.
   */
  readonly begin: (sent: Sent) => Effect.Effect<(client: Client) => Effect.Effect<TokenResponse, OAuthRefused>>
}

type Needs = SqlClient.SqlClient | AuditLog

export interface Grant {
  readonly type: string
  readonly parameters: ReadonlyArray<string>
  /** Checks that the handler applies to every request, in the order of the specification. */
  readonly checks: ReadonlyArray<Check<never>>
  readonly handler: Effect.Effect<GrantHandler<Params>, never, Needs>
}

export const defineGrant = <const Type extends string, const Parameter extends string, Subject>(grant: {
  readonly type: Type
  readonly parameters: ReadonlyArray<Parameter>
  /** Checks in the order of the specification. */
  readonly checks: readonly [Check<Subject>, ...ReadonlyArray<Check<Subject>>]
  readonly handler: (
    refusalOf: Check<NoInfer<Subject>>
  ) => Effect.Effect<GrantHandler<Given<NoInfer<Parameter>>>, never, Needs>
}) => {
  const pickParameters = (params: Params) =>
    Object.fromEntries(grant.parameters.map((name) => [name, params.get(name)])) as Given<Parameter>
  return {
    type: grant.type,
    parameters: grant.parameters,
    checks: grant.checks,
    handler: Effect.map(
      grant.handler(firstRefusal(grant.checks)),
      ({ begin }): GrantHandler<Params> => ({ begin: (params) => begin(pickParameters(params)) })
    )
  } satisfies Grant
}
