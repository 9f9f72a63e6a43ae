// Clients as rows: found, registered, rotated, disabled, removed (service.md 2.2; decisions O7, O8, O16).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { hashToken, randomToken } from "../../../platform/sealing/Secrets.ts"
import { loadBatched } from "../../../platform/sql/dataLoader.ts"
import { atMost } from "../../../platform/sql/listParameters.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import { prefixes } from "../../accounts/credentialPrefixes.ts"
import { Connections } from "../../connections/Connections.ts"
import { toTheEnd } from "../../connections/endConnections.ts"
import { limits } from "../../connections/oauthLimits.ts"
import { redirectUriFault } from "../redirectUri.ts"
import { Client, isGone } from "./Client.ts"
import { showable, visibleCharacters } from "./clientNames.ts"

/** Error that the operator's command line shows for a mistake. */
export class ClientInvalid extends Schema.TaggedError<ClientInvalid>()("ClientInvalid", { message: Schema.String }) {}

export interface OperatorRegistration {
  readonly kind: "public" | "confidential"
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  readonly pkceWaived: boolean
  readonly ownService: boolean
  readonly oneConnection: boolean
}

export interface DynamicRegistration {
  readonly name: string | null
  readonly redirectUris: ReadonlyArray<string>
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface DocumentRegistration extends DynamicRegistration {
  readonly url: string
  readonly freshUntilMillis: number
}

const readClient = rowOf(Client)
const readClients = rowsOf(Client)

const faultOf = (r: OperatorRegistration): string | undefined => {
  const visible = visibleCharacters(showable(r.name))
  if (visible < 1 || visible > limits.clientNameCharacters)
    return `name: must have 1 to ${limits.clientNameCharacters} visible characters`
  if (r.redirectUris.length === 0) return "redirect_uris: at least one is required"
  if (r.kind === "public" && r.pkceWaived) return "pkce waiver: only a confidential client may have it"
  if (r.kind === "public" && r.ownService) return "own service: only a confidential client can be one"
  for (const [i, uri] of r.redirectUris.entries()) {
    const fault = redirectUriFault(uri)
    if (fault !== undefined) return `redirect_uris[${i}]: ${fault}`
  }
  return undefined
}

export class Clients extends Context.Service<
  Clients,
  {
    /** The client, unless it is unknown, disabled or removed after 25 hours. */
    readonly find: (clientId: string) => Effect.Effect<Client | undefined>
    /** The row whatever its state. */
    readonly row: (clientId: string) => Effect.Effect<Client | undefined>
    readonly list: Effect.Effect<ReadonlyArray<Client>>
    /** The operator's registration; `secret` is readable only here. */
    readonly register: (
      registration: OperatorRegistration
    ) => Effect.Effect<{ readonly client: Client; readonly secret: string | null }, ClientInvalid>
    readonly registerDynamic: (registration: DynamicRegistration) => Effect.Effect<Client>
    readonly saveDocument: (registration: DocumentRegistration) => Effect.Effect<Client>
    /** Voids the old secret at once. */
    readonly rotateSecret: (clientId: string) => Effect.Effect<string, ClientInvalid>
    /** Ends all its connections in the same transaction. */
    readonly disable: (clientId: string) => Effect.Effect<void, ClientInvalid>
    readonly enable: (clientId: string) => Effect.Effect<void, ClientInvalid>
  }
>()("millrace/oauth/clients/Clients") {
  static readonly layer = Layer.effect(
    Clients,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const connections = yield* Connections
      const columns = sql.literal(
        "client_id, kind, name, redirect_uris, secret_hash, pkce_waived, own_service, one_connection, created_on, first_approved_on, document_fresh_until, disabled_on"
      )

      const row = Effect.fnUntraced(function* (clientId: string) {
        return yield* readClient(sql`SELECT ${columns} FROM oauth_clients WHERE client_id = ${clientId}`)
      }, orSqlDefect)

      const present = yield* loadBatched(sql, (ids: ReadonlyArray<string>) =>
        Effect.map(
          readClients(sql`
            SELECT ${columns} FROM oauth_clients WHERE client_id IN (SELECT x.id FROM ${atMost(
              sql,
              ids.length,
              sql`jsonb_array_elements_text(${JSON.stringify([...new Set(ids)])}::jsonb) AS j (id)`
            )})`),
          (rows) => {
            const byId = new Map(rows.map((client) => [client.client_id, client]))
            return ids.map((id) => byId.get(id))
          }
        )
      )
      const find = Effect.fnUntraced(function* (clientId: string) {
        const client = yield* orSqlDefect(present(clientId))
        return client === undefined || isGone(client, yield* Clock.currentTimeMillis) ? undefined : client
      })

      const requireClient = Effect.fnUntraced(function* (clientId: string) {
        const client = yield* row(clientId)
        return client ?? (yield* new ClientInvalid({ message: `There is no client ${clientId}` }))
      })

      const insert = Effect.fnUntraced(
        function* (
          clientId: string,
          kind: string,
          r: DynamicRegistration,
          more: Partial<OperatorRegistration>,
          secret: string | null
        ) {
          const nowMillis = yield* Clock.currentTimeMillis
          const row = yield* readClient(sql`
            INSERT INTO oauth_clients (client_id, kind, name, redirect_uris, metadata, secret_hash, pkce_waived, own_service,
              one_connection, created_on)
            VALUES (${clientId}, ${kind}, ${r.name}::text, ${[...r.redirectUris]}::text[], ${JSON.stringify(r.metadata)}::jsonb,
              ${secret === null ? null : hashToken(secret)}::bytea, ${more.pkceWaived ?? false}, ${more.ownService ?? false},
              ${more.oneConnection ?? false}, ${new Date(nowMillis)})
            RETURNING ${columns}`)
          yield* audit.record({
            event: "client.registered",
            clientId,
            details: { kind, redirect_uris: r.redirectUris }
          })
          return row!
        },
        sql.withTransaction,
        orSqlDefect
      )

      const register = Effect.fn("Clients.register")(function* (registration: OperatorRegistration) {
        const fault = faultOf(registration)
        if (fault !== undefined) return yield* new ClientInvalid({ message: fault })
        const secret = registration.kind === "confidential" ? randomToken(prefixes.clientSecret) : null
        const values = { name: showable(registration.name), redirectUris: registration.redirectUris, metadata: {} }
        const client = yield* insert(randomToken(prefixes.clientId), registration.kind, values, registration, secret)
        return { client, secret }
      })

      const registerDynamic = Effect.fn("Clients.registerDynamic")((registration: DynamicRegistration) =>
        insert(randomToken(prefixes.clientId), "dynamic", registration, {}, null)
      )

      const saveDocument = Effect.fn("Clients.saveDocument")(function* (r: DocumentRegistration) {
        const nowMillis = yield* Clock.currentTimeMillis
        const row = yield* readClient(sql`
            INSERT INTO oauth_clients (client_id, kind, name, redirect_uris, metadata, created_on, document_fresh_until)
            VALUES (${r.url}, 'document', ${r.name}::text, ${[...r.redirectUris]}::text[], ${JSON.stringify(r.metadata)}::jsonb,
              ${new Date(nowMillis)}, ${new Date(r.freshUntilMillis)})
            ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
              metadata = excluded.metadata, document_fresh_until = excluded.document_fresh_until
            RETURNING ${columns}`)
        return row!
      }, orSqlDefect)

      const rotateSecret = Effect.fn("Clients.rotateSecret")(
        function* (clientId: string) {
          const client = yield* requireClient(clientId)
          if (client.kind !== "confidential")
            return yield* new ClientInvalid({ message: "Only a confidential client has a secret" })
          const secret = randomToken(prefixes.clientSecret)
          yield* sql`UPDATE oauth_clients SET secret_hash = ${hashToken(secret)} WHERE client_id = ${clientId}`
          yield* audit.record({ event: "client.secret_rotated", clientId })
          return secret
        },
        sql.withTransaction,
        orSqlDefect
      )

      const disable = Effect.fn("Clients.disable")(
        function* (clientId: string) {
          const nowDate = new Date(yield* Clock.currentTimeMillis)
          yield* requireClient(clientId)
          yield* sql`UPDATE oauth_clients SET disabled_on = COALESCE(disabled_on, ${nowDate}) WHERE client_id = ${clientId}`
          yield* audit.record({ event: "client.disabled", clientId })
          return yield* connections.clientDisabled(clientId)
        },
        transact(sql),
        Effect.flatMap(toTheEnd),
        Effect.asVoid,
        orSqlDefect
      )

      const enable = Effect.fn("Clients.enable")(
        function* (clientId: string) {
          yield* requireClient(clientId)
          yield* sql`UPDATE oauth_clients SET disabled_on = NULL WHERE client_id = ${clientId}`
          yield* audit.record({ event: "client.enabled", clientId })
        },
        sql.withTransaction,
        orSqlDefect
      )

      const list = readClients(sql`SELECT ${columns} FROM oauth_clients ORDER BY created_on, client_id`).pipe(
        orSqlDefect
      )

      return Clients.of({ find, row, list, register, registerDynamic, saveDocument, rotateSecret, disable, enable })
    })
  )
}
