// Manages the OAuth 2.0 clients behind `authenticated_http_call` (decisions P3): client credentials or refresh token grant, the token
// renewed when it expires and once after a 401. Secrets and tokens are encrypted (decisions O9).
//
// Use: `const header = yield* providers.authorizationHeader(orgId, id, by)`; when the call answers 401, once more with
// `authorizationHeader(orgId, id, by, { refused: header })`.
import { Clock, Context, DateTime, Effect, Fiber, Layer, RcMap, Redacted, Schema, Semaphore } from "effect"
import { Conflict, NotFound, type ValidationError } from "../primitives/errors.ts"
import { allowedWorkspaces, boundWorkspaces, mayUse, type UsedBy } from "../sharing/allowedUse.ts"
import { withheldText } from "../sharing/withheldText.ts"
import { rowOf, rowsOf } from "../sql/rows.ts"
import { Sql } from "../sql/Sql.ts"
import { orSqlDefect } from "../sql/sqlDefect.ts"
import { headerOf } from "./providerAnswer.ts"
import {
  changedProvider,
  checkedProvider,
  makeProviderSealing,
  type NewProvider,
  type Provider,
  type ProviderPatch,
  ProviderRow,
  providerColumns,
  providerOf,
  StoredProvider
} from "./providerRows.ts"
import { makeTokenRequest, ProviderFailed } from "./providerTokens.ts"

const RenewingRow = Schema.Struct({ ...StoredProvider.fields, renewing: Schema.Boolean })
const UsedRow = Schema.Struct({ ...ProviderRow.fields, may_use: Schema.Boolean })

/** A token this close to its end counts as expired. */
const MARGIN_MS = 30_000
/**
 * Lifetime of the claim of a renewal, longer than a token request may take; a process that ends in the middle of one leaves its claim
 * behind.
 */
const RENEWAL_MS = 60_000
/** Interval of looking for the token that another process renews. */
const LOOK_AGAIN = "200 millis"
/** Time for renewals that are in flight when the process stops. */
const LAST_WAIT = "5 seconds"

export class AuthenticationProviders extends Context.Service<
  AuthenticationProviders,
  {
    readonly create: (orgId: number, provider: NewProvider) => Effect.Effect<Provider, ValidationError>
    /** Moving the provider to another token URL or client requires its secrets again, so that nobody gets at them that way. */
    readonly update: (
      orgId: number,
      providerId: number,
      patch: ProviderPatch
    ) => Effect.Effect<Provider, ValidationError | NotFound | Conflict>
    readonly list: (orgId: number) => Effect.Effect<ReadonlyArray<Provider>>
    readonly remove: (orgId: number, providerId: number) => Effect.Effect<Provider, NotFound>
    /**
     * Value of the `Authorization` header. `refused`: the value that was just answered with 401. Fails if `by` may not use the provider
     * (A26).
     */
    readonly authorizationHeader: (
      orgId: number,
      providerId: number,
      by: UsedBy,
      options?: { readonly refused?: Redacted.Redacted }
    ) => Effect.Effect<Redacted.Redacted, NotFound | ProviderFailed>
  }
>()("millrace/mail/AuthenticationProviders") {
  static readonly layer = Layer.effect(
    AuthenticationProviders,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { seal, unseal } = yield* makeProviderSealing
      const request = yield* makeTokenRequest
      /** Allows one renewal at a time for each provider: a partitioned semaphore would share its permits between all of them. */
      const renewals = yield* RcMap.make({ lookup: (_providerId: number) => Semaphore.make(1) })
      const columns = sql.literal(providerColumns)
      const secretColumns = sql.literal("client_secret, refresh_token, access_token, token_type")
      const missing = (id: number) => new NotFound({ message: `No authentication provider with id ${id}.` })

      const revealSecret = (value: Redacted.Redacted | undefined) =>
        value === undefined ? undefined : Redacted.value(value)

      const create = Effect.fn("AuthenticationProviders.create")(function* (orgId: number, p: NewProvider) {
        yield* Effect.fromResult(checkedProvider(p))
        const allowed = boundWorkspaces(sql, yield* allowedWorkspaces(sql, orgId, p.allowed))
        const row = yield* rowOf(StoredProvider)(sql`
            INSERT INTO authentication_providers
              (org_id, name, grant_type, token_url, client_id, client_secret, client_auth, scope, refresh_token, allowed_workspaces, created_on)
            VALUES (${orgId}, ${p.name}, ${p.grant_type}, ${p.token_url}, ${p.client_id},
              ${seal(orgId, "client_secret", revealSecret(p.client_secret))}, ${p.client_auth ?? "basic"}, ${p.scope ?? null},
              ${seal(orgId, "refresh_token", revealSecret(p.refresh_token))}, ${allowed}, ${DateTime.toDate(yield* DateTime.now)})
            RETURNING ${columns}`)
        return providerOf(row!)
      }, orSqlDefect)

      const update = Effect.fn("AuthenticationProviders.update")(
        function* (orgId: number, providerId: number, patch: ProviderPatch) {
          const previousProvider = yield* rowOf(RenewingRow)(sql`
            SELECT ${columns}, coalesce(renewing_until > ${new Date(yield* Clock.currentTimeMillis)}, false) AS renewing
            FROM authentication_providers
            WHERE org_id = ${orgId} AND authentication_provider_id = ${providerId} FOR UPDATE`)
          if (previousProvider === undefined) return yield* missing(providerId)
          // Refused during a renewal, which would overwrite what is entered here.
          if (previousProvider.renewing)
            return yield* new Conflict({ message: "Its token is just being renewed. Try again in a moment." })
          const allowed =
            patch.allowed === undefined
              ? sql`allowed_workspaces`
              : boundWorkspaces(sql, yield* allowedWorkspaces(sql, orgId, patch.allowed))
          const { after, moved } = yield* Effect.fromResult(changedProvider(previousProvider, patch))
          const sealedSecrets = {
            client_secret: seal(orgId, "client_secret", revealSecret(patch.client_secret)),
            refresh_token: seal(orgId, "refresh_token", revealSecret(patch.refresh_token))
          }
          const row = yield* rowOf(StoredProvider)(sql`
            UPDATE authentication_providers SET name = ${after.name}, grant_type = ${after.grant_type}, token_url = ${after.token_url},
              client_id = ${after.client_id}, client_auth = ${after.client_auth}, scope = ${after.scope},
              allowed_workspaces = ${allowed},
              client_secret = coalesce(${sealedSecrets.client_secret}::bytea, CASE WHEN ${moved} THEN NULL ELSE client_secret END),
              refresh_token = coalesce(${sealedSecrets.refresh_token}::bytea, CASE WHEN ${moved} THEN NULL ELSE refresh_token END),
              access_token = NULL, token_type = NULL, expires_on = NULL
            WHERE authentication_provider_id = ${providerId} RETURNING ${columns}`)
          return providerOf(row!)
        },
        sql.withTransaction,
        orSqlDefect
      )

      const list = Effect.fn("AuthenticationProviders.list")(
        (orgId: number) =>
          Effect.map(
            rowsOf(StoredProvider)(sql`
          SELECT ${columns} FROM authentication_providers WHERE org_id = ${orgId} ORDER BY authentication_provider_id`),
            (rows) => rows.map(providerOf)
          ),
        orSqlDefect
      )

      const remove = Effect.fn("AuthenticationProviders.remove")(function* (orgId: number, providerId: number) {
        const row = yield* rowOf(StoredProvider)(sql`
            DELETE FROM authentication_providers
            WHERE org_id = ${orgId} AND authentication_provider_id = ${providerId} RETURNING ${columns}`)
        return row === undefined ? yield* missing(providerId) : providerOf(row)
      }, orSqlDefect)

      const read = Effect.fnUntraced(function* (orgId: number, providerId: number) {
        const row = yield* rowOf(ProviderRow)(sql`
          SELECT ${columns}, ${secretColumns} FROM authentication_providers
          WHERE org_id = ${orgId} AND authentication_provider_id = ${providerId}`)
        return row ?? (yield* missing(providerId))
      })

      const readFor = Effect.fnUntraced(function* (orgId: number, providerId: number, by: UsedBy) {
        const row = yield* rowOf(UsedRow)(sql`
          SELECT ${columns}, ${secretColumns}, ${mayUse(sql, by)} AS may_use FROM authentication_providers
          WHERE org_id = ${orgId} AND authentication_provider_id = ${providerId}`)
        if (row === undefined) return yield* missing(providerId)
        if (row.may_use) return row
        return yield* new ProviderFailed({ message: `The authentication provider ${providerId} ${withheldText}.` })
      })

      /** Stored header, while it has not expired and was not refused. */
      const usable = Effect.fnUntraced(function* (row: ProviderRow, refused: Redacted.Redacted | undefined) {
        if (row.access_token === null) return undefined
        const nowMillis = yield* Clock.currentTimeMillis
        if (row.expires_on !== null && row.expires_on.getTime() - MARGIN_MS <= nowMillis) return undefined
        const header = headerOf(row.token_type, yield* unseal(row.org_id, "access_token", row.access_token))
        return refused !== undefined && Redacted.value(refused) === header ? undefined : Redacted.make(header)
      })

      /** Claims the renewal and returns the row; undefined while another process renews its token. */
      const claim = Effect.fnUntraced(function* (orgId: number, providerId: number) {
        const nowMillis = yield* Clock.currentTimeMillis
        const row = yield* rowOf(ProviderRow)(sql`
          UPDATE authentication_providers SET renewing_until = ${new Date(nowMillis + RENEWAL_MS)}
          WHERE org_id = ${orgId} AND authentication_provider_id = ${providerId}
            AND (renewing_until IS NULL OR renewing_until <= ${new Date(nowMillis)})
          RETURNING ${columns}, ${secretColumns}`)
        return row
      })
      const unclaim = (providerId: number) =>
        Effect.ignore(
          sql`UPDATE authentication_providers SET renewing_until = NULL WHERE authentication_provider_id = ${providerId}`
        )

      const renewed = Effect.fnUntraced(function* (row: ProviderRow, refused: Redacted.Redacted | undefined) {
        const storedToken = yield* usable(row, refused)
        if (storedToken !== undefined) return storedToken
        const { authentication_provider_id, org_id } = row
        const { accessToken, expiresInSeconds, refreshToken, tokenType } = yield* request(row)
        const nowMillis = yield* Clock.currentTimeMillis
        const expires = expiresInSeconds === undefined ? null : new Date(nowMillis + expiresInSeconds * 1000)
        yield* sql`
          UPDATE authentication_providers SET access_token = ${seal(org_id, "access_token", accessToken)},
            token_type = ${tokenType}, expires_on = ${expires},
            refresh_token = COALESCE(${seal(org_id, "refresh_token", refreshToken)}, refresh_token)
          WHERE authentication_provider_id = ${authentication_provider_id}`
        if (accessToken !== undefined) return Redacted.make(headerOf(tokenType, accessToken))
        return yield* new ProviderFailed({ message: "The token endpoint answered without a usable access token." })
      })

      const underWay = new Set<Fiber.Fiber<unknown, unknown>>()
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(Fiber.awaitAll([...underWay]), LAST_WAIT)))

      /** Finishes a renewal even if its caller is interrupted: otherwise a refresh token rotated in this moment would be lost. */
      const toTheEnd = <A, E>(renewal: Effect.Effect<A, E>) =>
        Effect.flatMap(Effect.forkDetach(renewal), (fiber) => {
          underWay.add(fiber)
          fiber.addObserver(() => void underWay.delete(fiber))
          return Fiber.join(fiber)
        })

      /**
       * Renews in one process at a time, so that a rotating refresh token is used once. A column claims it, not a lock: no connection is
       * occupied while the provider's server takes its time (decisions A22).
       */
      const renew = Effect.fnUntraced(function* (
        orgId: number,
        providerId: number,
        grant: ProviderRow["grant_type"],
        refused: Redacted.Redacted | undefined
      ) {
        const renewal = Effect.acquireUseRelease(
          claim(orgId, providerId),
          (row) => (row === undefined ? Effect.succeed(undefined) : renewed(row, refused)),
          (row) => (row === undefined ? Effect.void : unclaim(providerId))
        )
        for (;;) {
          const renewedToken = yield* grant === "refresh_token" ? toTheEnd(renewal) : renewal
          if (renewedToken !== undefined) return renewedToken
          const storedToken = yield* usable(yield* read(orgId, providerId), refused)
          if (storedToken !== undefined) return storedToken
          yield* Effect.sleep(LOOK_AGAIN)
        }
      })

      const authorizationHeader = Effect.fn("AuthenticationProviders.authorizationHeader")(function* (
        orgId: number,
        providerId: number,
        by: UsedBy,
        options: { readonly refused?: Redacted.Redacted } = {}
      ) {
        const row = yield* readFor(orgId, providerId, by)
        const storedToken = yield* usable(row, options.refused)
        if (storedToken !== undefined) return storedToken
        return yield* Effect.scoped(
          Effect.flatMap(RcMap.get(renewals, providerId), (one) =>
            one.withPermit(renew(orgId, providerId, row.grant_type, options.refused))
          )
        )
      }, orSqlDefect)

      return AuthenticationProviders.of({ create, update, list, remove, authorizationHeader })
    })
  )
}
