// Sends every POST to a hook's URL: signed, with the headers and the authentication of its settings (decisions W7, W11). Signature and
// content type override everything else. A hook without settings gets signature and content type only.
import { Clock, Duration, Effect, Redacted } from "effect"
import { AuthenticationProviders } from "../../platform/mail/AuthenticationProviders.ts"
import type { ClientIdentity } from "../../platform/outbound/identities.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { type AttemptOutcome, type Execution, failedAttempt, prepare } from "./attempt.ts"
import { isReservedHeader } from "./customHeaders.ts"
import { headerSecret, type Sending } from "./HookSettings.ts"
import type { AddressedHook } from "./mailboxRows.ts"
import { makeKeyring } from "./signingKeys.ts"
import { makeUnsealedCache } from "./unsealedCache.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

export interface Post {
  readonly id: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Reserves an execution for a second POST with a renewed token after a 401. False if the window has no room. */
  readonly again: Effect.Effect<boolean>
}

/** Maximum time for the provider to issue a token. */
const TOKEN_WAIT = "5 seconds"

interface Presented {
  readonly headers: Readonly<Record<string, string>>
  readonly identity?: ClientIdentity
  readonly provider?: number
}

export const makeSendPost = Effect.gen(function* () {
  const outbound = yield* Outbound
  const settings = yield* WebhookSettings
  const clock = yield* Clock.Clock
  const providers = yield* AuthenticationProviders
  const { keysOf, knownKeysOf } = yield* makeKeyring
  const { open } = yield* makeUnsealedCache("sealed", String)

  /** A value that was cleared with a change of the origin is left out, and so is a header that earlier releases took (W11, W18). */
  const presented = Effect.fnUntraced(function* ({ hook_id, sealed }: AddressedHook, sending: Sending) {
    const valueOf = (name: string) => {
      const value = sealed?.[name]
      return value === undefined ? Effect.succeed(undefined) : open(hook_id, value)
    }
    const headers: Record<string, string> = {}
    for (const [name, written] of Object.entries(sending.headers ?? {})) {
      const value = written ?? (yield* valueOf(headerSecret(name)))
      if (value !== undefined && !isReservedHeader(name)) headers[name.toLowerCase()] = value
    }
    const { authentication } = sending
    switch (authentication?.type) {
      case "basic": {
        const password = yield* valueOf("password")
        if (password === undefined) return { headers }
        const pair = Buffer.from(`${authentication.username}:${password}`).toString("base64")
        return { headers: { ...headers, authorization: `Basic ${pair}` } }
      }
      case "bearer": {
        const token = yield* valueOf("token")
        return token === undefined ? { headers } : { headers: { ...headers, authorization: `Bearer ${token}` } }
      }
      case "certificate": {
        const key = yield* valueOf("key")
        return key === undefined ? { headers } : { headers, identity: { cert: authentication.certificate, key } }
      }
      case "oauth2":
        return { headers, provider: authentication.authentication_provider_id }
      default:
        return { headers }
    }
  })

  const execute = Effect.fnUntraced(function* (execution: Execution) {
    const { outcomeOf, request } = prepare(execution, yield* Clock.currentTimeMillis)
    const result = yield* Effect.result(outbound.request(request))
    return outcomeOf(result, yield* Clock.currentTimeMillis)
  })

  const policyOf = ({ timeout_millis }: Sending) =>
    timeout_millis === undefined
      ? settings.policy
      : {
          ...settings.policy,
          headers: Duration.min(Duration.millis(timeout_millis), settings.policy.headers)
        }

  const send = Effect.fnUntraced(function* (hook: AddressedHook, post: Post) {
    const nowMillis = yield* Clock.currentTimeMillis
    const keys = yield* keysOf(hook, nowMillis)
    const { sending } = hook
    const { again, ...one } = post
    if (sending === null) return yield* execute({ policy: settings.policy, url: hook.url, keys, ...one })
    const { headers, identity, provider }: Presented = yield* presented(hook, sending)
    const to = (authorization?: Redacted.Redacted) =>
      execute({
        policy: policyOf(sending),
        url: hook.url,
        keys,
        ...one,
        ...(identity === undefined ? {} : { identity }),
        headers: {
          ...headers,
          ...(authorization === undefined ? {} : { authorization: Redacted.value(authorization) }),
          ...one.headers
        }
      })
    if (provider === undefined) return yield* to()
    const token = (refused?: Redacted.Redacted) =>
      providers
        .authorizationHeader(hook.org_id, provider, { hookId: hook.hook_id }, refused === undefined ? {} : { refused })
        .pipe(Effect.timeout(TOKEN_WAIT))
    return yield* Effect.gen(function* () {
      const header = yield* token()
      const firstOutcome = yield* to(header)
      if (firstOutcome.status !== 401 || !(yield* again)) return firstOutcome
      return yield* to(yield* token(header))
    }).pipe(
      Effect.catchTag(["NotFound", "ProviderFailed", "TimeoutError"], () =>
        Effect.succeed(failedAttempt(nowMillis, "authentication_failed"))
      )
    )
  })

  /** A secret that no key of this installation opens is a failed attempt. */
  const sendTraced = (hook: AddressedHook, post: Post): Effect.Effect<AttemptOutcome> =>
    send(hook, post).pipe(
      Effect.catchTag("SecretUnreadable", () =>
        Effect.map(Clock.currentTimeMillis, (now) => failedAttempt(now, "secret_unreadable"))
      )
    )

  /**
   * Sends to a hook without settings whose keys have been opened, with a callback and without a trace.
   * @returns a function that cancels it without a further call; undefined if it must be sent the ordinary way
   */
  const sendPlain = (
    hook: AddressedHook,
    { body, id }: Pick<Post, "id" | "body">,
    done: (outcome: AttemptOutcome) => void
  ): (() => void) | undefined => {
    const keys = hook.sending === null ? knownKeysOf(hook, clock.currentTimeMillisUnsafe()) : undefined
    if (keys === undefined) return undefined
    const execution = { policy: settings.policy, url: hook.url, keys, id, body }
    const { outcomeOf, request } = prepare(execution, clock.currentTimeMillisUnsafe())
    return outbound.requestUntraced(request, (result) => done(outcomeOf(result, clock.currentTimeMillisUnsafe())))
  }

  return { send: sendTraced, sendPlain }
})
