// Resolves how an HTTP step proves itself (developer-api.md 7.6, 7.13): Basic, digest or bearer credentials and a client certificate, all of
// them from secrets.
import { createSecureContext } from "node:tls"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ClientIdentity } from "../../../../platform/outbound/identities.ts"
import { Values } from "../../model/Resolver.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import type { SecretReference } from "../../schema/dynamicValues.ts"
import type { RequestConfig } from "./httpConfig.ts"

export interface StepLogin {
  /** Value of `Authorization`. */
  readonly authorization?: string
  /** Credentials for a digest, which needs the server's challenge first. */
  readonly digest?: { readonly username: string; readonly password: string }
  readonly identity?: ClientIdentity
}

const failed = (message: string) => new StepFailed({ message })

/** A token is a word of a header: line ends around it come from the file that it was read from. */
const bearer = /^[\x21-\x7e]+$/

/** Returns the reason why the pair cannot be used; never a part of it. */
const identityMistake = (identity: ClientIdentity): string | undefined => {
  try {
    createSecureContext(identity)
    return undefined
  } catch {
    return "The client certificate and its private key cannot be read, or do not belong together."
  }
}

export const makeHttpLogin = Effect.gen(function* () {
  const values = yield* Values

  const secretOf = (step: Step, reference: SecretReference | undefined) =>
    reference === undefined ? Effect.succeed("") : values.textToSend([reference], step)

  const credentials = Effect.fnUntraced(function* (
    step: Step<RequestConfig>
  ): Effect.fn.Return<StepLogin, StepFailed | SqlError> {
    const login = step.config.http_call_authentication
    if (login === undefined) return {}
    const secret = yield* secretOf(step, login.secret)
    if (login.type === "bearer") {
      const token = secret.trim()
      if (!bearer.test(token)) return yield* failed("The bearer token is missing or no word of a header.")
      return { authorization: `Bearer ${token}` }
    }
    const username = yield* values.textToSend(login.username ?? [], step)
    if (username.includes(":") && login.type === "basic")
      return yield* failed("With `basic` the user name must not hold a colon.")
    if (login.type === "digest") return { digest: { username, password: secret } }
    return { authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString("base64")}` }
  })

  const certificate = Effect.fnUntraced(function* (
    step: Step<RequestConfig>
  ): Effect.fn.Return<StepLogin, StepFailed | SqlError> {
    const pair = step.config.http_call_client_certificate
    if (pair === undefined) return {}
    const identity = { cert: yield* secretOf(step, pair.certificate), key: yield* secretOf(step, pair.private_key) }
    const mistake =
      identity.cert === "" || identity.key === ""
        ? "The client certificate or its private key is not set."
        : identityMistake(identity)
    return mistake === undefined ? { identity } : yield* failed(mistake)
  })

  return (step: Step<RequestConfig>): Effect.Effect<StepLogin, StepFailed | SqlError> =>
    Effect.zipWith(credentials(step), certificate(step), (one, other) => ({ ...one, ...other }))
})
