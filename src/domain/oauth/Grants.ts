// The two grants of the token endpoint (service.md 4.1), each in its own file.
import { Context, Effect, Layer } from "effect"
import type { Client } from "./clients/Client.ts"
import { makeRedeem, type RedeemRequest } from "./grants/redeem.ts"
import type { Held } from "./grants/refresh/Refresh.ts"
import { makeRefresh } from "./grants/refreshGrant.ts"
import type { TokenResponse } from "./grants/TokenResponse.ts"
import type { OAuthRefused } from "./reasons.ts"

export class Grants extends Context.Service<
  Grants,
  {
    readonly redeem: (request: RedeemRequest) => Effect.Effect<TokenResponse, OAuthRefused>
    /** What a refresh token stands for, to be handed to `refresh`; asked for beside the client's authentication. */
    readonly findRefreshToken: (token: string) => Effect.Effect<Held | undefined>
    readonly refresh: (
      client: Client,
      token: string,
      requested: ReadonlyArray<string> | undefined,
      found: Held | undefined
    ) => Effect.Effect<TokenResponse, OAuthRefused>
  }
>()("millrace/oauth/Grants") {
  static readonly layer = Layer.effect(
    Grants,
    Effect.gen(function* () {
      const redeem = yield* makeRedeem
      const { find, refresh } = yield* makeRefresh
      return Grants.of({ redeem, findRefreshToken: find, refresh })
    })
  )
}
