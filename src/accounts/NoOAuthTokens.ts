// An installation without the connections room knows no OAuth access tokens.
import { Effect, Layer } from "effect"
import { OAuthTokens } from "./Credentials.ts"

export const NoOAuthTokens = Layer.succeed(OAuthTokens, OAuthTokens.of({ resolve: () => Effect.succeed(null) }))
