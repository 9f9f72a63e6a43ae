// The grants of the token endpoint, made ready: which one a `grant_type` names (service.md 4.1).
import { Context, Effect, Layer } from "effect"
import type { GrantHandler } from "./grants/Grant.ts"
import { grants, grantTypes } from "./grants/index.ts"
import type { Params } from "./params.ts"
import { refuse } from "./reasons.ts"

const only = `Only ${grantTypes.join(" and ")} are supported`

/** The refusal of any other `grant_type`. */
export const unsupportedGrant = (clientId: string) => refuse("TOKEN_GRANT_TYPE_UNSUPPORTED", { clientId, detail: only })

export class Grants extends Context.Service<
  Grants,
  {
    /** The grant of this type, if there is one. */
    readonly of: (type: string | undefined) => GrantHandler<Params> | undefined
  }
>()("millrace/oauth/Grants") {
  static readonly layer = Layer.effect(
    Grants,
    Effect.gen(function* () {
      const handlers = new Map<string | undefined, GrantHandler<Params>>()
      for (const { handler, type } of grants) handlers.set(type, yield* handler)
      return Grants.of({ of: (type) => handlers.get(type) })
    })
  )
}
