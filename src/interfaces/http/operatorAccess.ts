// Decides who may see metrics and the details of health (decisions P10): this machine, or a caller who sends METRICS_TOKEN.
import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { credentialIn } from "../../api/middleware/credential.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { sameSecret } from "../../platform/sealing/Secrets.ts"
import { isThisMachine } from "../web/thisMachine.ts"

/** True if the current request is an operator's. */
export const makeIsOperator = Effect.map(AppConfig, ({ metricsToken }) => {
  const holdsToken = ({ headers }: HttpServerRequest.HttpServerRequest) => {
    const presentedCredential = credentialIn(headers)
    if (metricsToken === undefined || presentedCredential._tag !== "Token" || presentedCredential.scheme !== "bearer")
      return false
    return sameSecret(presentedCredential.token, Redacted.value(metricsToken))
  }
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) => isThisMachine(request) || holdsToken(request))
})
