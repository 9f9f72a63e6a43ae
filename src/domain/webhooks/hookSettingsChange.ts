// Applies a change of the settings for a hook's POSTs (decisions W11): headers, authentication, retries, time-out, record. A secret value
// given as `{ set: true }` keeps the stored one; `{ set: false }` removes it.
import { createSecureContext } from "node:tls"
import { Effect } from "effect"
import { AuthenticationProviders } from "../../platform/mail/AuthenticationProviders.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { withheldFrom } from "../../platform/sharing/allowedUse.ts"
import { withheldText } from "../../platform/sharing/withheldText.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { headerProblem, repeatedHeader } from "./customHeaders.ts"
import { headerSecret, type SealedValues, type Sending, type StoredAuthentication } from "./HookSettings.ts"
import type { SettingsInput } from "./hookSettingsInput.ts"
import { sealContext } from "./mailboxRows.ts"

export interface StoredHookSettings {
  readonly sending: Sending | null
  readonly sealed: SealedValues | null
}

const nullIfEmpty = <A extends object>(value: A): A | null => (Object.keys(value).length === 0 ? null : value)

/** Settings that remain at another origin (decisions W18): without values written for the former one, and without tokens of a provider. */
export const withoutSecrets = ({ sending }: StoredHookSettings): StoredHookSettings => {
  if (sending?.authentication?.type !== "oauth2") return { sending, sealed: null }
  const { authentication: _, ...rest } = sending
  return { sending: nullIfEmpty(rest), sealed: null }
}

type Written<K extends keyof SettingsInput> = Exclude<SettingsInput[K], undefined>
type Secret = string | { readonly set: boolean }

const wrong = (message: string) => Effect.fail(new ValidationError({ message }))

/** The values whose names do not begin with a word, or are not one of them. */
const without = (sealed: SealedValues, isGone: (name: string) => boolean): SealedValues =>
  Object.fromEntries(Object.entries(sealed).filter(([name]) => !isGone(name)))

const isHeader = (name: string) => name.startsWith("header ")

export const makeHookSettingsChange = Effect.gen(function* () {
  const secrets = yield* Secrets
  const sql = yield* Sql
  const providers = yield* AuthenticationProviders

  /** The sealed value of a secret: the new one, the one that is kept, or none. */
  const sealedOf = (hookId: number, former: SealedValues, name: string, value: Secret, place: string) => {
    if (typeof value === "string") {
      const sealed = secrets.encrypt(value, sealContext(hookId, "sealed"))
      return Effect.succeed({ [name]: Buffer.from(sealed).toString("base64") })
    }
    if (!value.set) return Effect.succeed({})
    return former[name] === undefined
      ? wrong(`${place}: there is no value that could be kept.`)
      : Effect.succeed({ [name]: former[name] })
  }

  const headers = Effect.fnUntraced(function* (hookId: number, former: SealedValues, written: Written<"headers">) {
    const twice = repeatedHeader(Object.keys(written))
    if (twice !== undefined) return yield* wrong(`headers: ${twice} stands twice.`)
    const openHeaders: Record<string, string | null> = {}
    let sealed: SealedValues = {}
    for (const [name, value] of Object.entries(written)) {
      const memberPath = `headers[${JSON.stringify(name.slice(0, 100))}]`
      const text = typeof value === "string" ? value : "secret" in value ? value.secret : undefined
      const problem = headerProblem(name, text)
      if (problem !== undefined) return yield* wrong(`${memberPath}: ${problem}.`)
      openHeaders[name] = typeof value === "string" ? value : null
      if (typeof value === "string") continue
      const secret = "secret" in value ? value.secret : value
      sealed = { ...sealed, ...(yield* sealedOf(hookId, former, headerSecret(name), secret, memberPath)) }
    }
    return { open: openHeaders, sealed }
  })

  const authentication = Effect.fnUntraced(function* (
    { id, orgId }: AccessGrant,
    former: SealedValues,
    written: Exclude<Written<"authentication">, null>
  ) {
    const change = (stored: StoredAuthentication, sealed: SealedValues) => ({ stored, sealed })
    const keep = (name: string, value: Secret) => sealedOf(id, former, name, value, `authentication.${name}`)
    switch (written.type) {
      case "basic": {
        if (written.username.includes(":")) return yield* wrong("authentication.username: must not hold a colon.")
        return change({ type: "basic", username: written.username }, yield* keep("password", written.password))
      }
      case "bearer": {
        const problem = typeof written.token === "string" ? headerProblem("authorization", written.token) : undefined
        if (problem !== undefined) return yield* wrong(`authentication.token: ${problem}.`)
        return change({ type: "bearer" }, yield* keep("token", written.token))
      }
      case "oauth2": {
        const { authentication_provider_id: provider } = written
        const memberPath = "authentication.authentication_provider_id"
        const orgProviders = yield* providers.list(orgId)
        if (!orgProviders.some((one) => one.authentication_provider_id === provider))
          return yield* wrong(`${memberPath}: the organization has no provider ${provider}.`)
        if ((yield* withheldFrom(sql, "provider", orgId, [provider], { hookId: id })).size > 0)
          return yield* wrong(`${memberPath}: the provider ${provider} ${withheldText}.`)
        return change(written, {})
      }
      case "certificate": {
        const { certificate, key } = written
        if (typeof key === "string")
          yield* Effect.try({
            try: () => createSecureContext({ cert: certificate, key }),
            catch: () =>
              new ValidationError({
                message: "authentication: certificate and key must be PEM, without a passphrase, and belong together."
              })
          })
        return change({ type: "certificate", certificate }, yield* keep("key", key))
      }
    }
  })

  return Effect.fnUntraced(function* (grant: AccessGrant, row: StoredHookSettings, input: SettingsInput) {
    const sending: { -readonly [K in keyof Sending]: Sending[K] } = { ...row.sending }
    const former = row.sealed ?? {}
    let sealed: SealedValues = former
    if (input.headers !== undefined) {
      const headerChange = yield* headers(grant.id, former, input.headers)
      delete sending.headers
      if (Object.keys(headerChange.open).length > 0) sending.headers = headerChange.open
      sealed = { ...without(sealed, isHeader), ...headerChange.sealed }
    }
    if (input.authentication !== undefined) {
      delete sending.authentication
      sealed = without(sealed, (name) => !isHeader(name))
      if (input.authentication !== null) {
        const authenticationChange = yield* authentication(grant, former, input.authentication)
        sending.authentication = authenticationChange.stored
        sealed = { ...sealed, ...authenticationChange.sealed }
      }
    }
    for (const member of ["retry_seconds", "timeout_millis", "include_record"] as const) {
      const value = input[member]
      if (value === undefined) continue
      delete sending[member]
      if (value !== null && value !== false) Object.assign(sending, { [member]: value })
    }
    const named = Object.keys(sending.headers ?? {}).some((name) => name.toLowerCase() === "authorization")
    if (named && sending.authentication !== undefined && sending.authentication.type !== "certificate")
      return yield* wrong("headers: Authorization is what `authentication` sends; leave one of them out.")
    return {
      sending: nullIfEmpty(sending),
      sealed: nullIfEmpty(sealed)
    } satisfies StoredHookSettings as StoredHookSettings
  })
})
