// Operator commands for clients, connections and the audit log (decisions O16, P1).
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Connections } from "../../domain/connections/Connections.ts"
import type { Client } from "../../domain/oauth/clients/Client.ts"
import { Clients } from "../../domain/oauth/clients/Clients.ts"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { NotFound } from "../../platform/primitives/errors.ts"
import { failWith, instant, json, oneOf, print } from "./output.ts"

const clientId = Argument.String("client_id")
const yes = (name: string, what: string) => Flag.Boolean(name).pipe(Flag.withDescription(what), Flag.withDefault(false))

/** Client as it is shown: everything but the secret's hash. */
const renderClient = ({ secret_hash: _, ...client }: Client) => client

const client = Command.make("client").pipe(
  Command.withDescription("OAuth clients"),
  Command.withSubcommands([
    Command.make(
      "register",
      {
        kind: oneOf("kind", ["public", "confidential"]),
        name: Flag.String("name").pipe(Flag.withDescription("Shown to people on the consent screen")),
        redirectUris: Flag.String("redirect-uri").pipe(
          Flag.withDescription("May be given several times"),
          Flag.atLeast(1)
        ),
        pkceWaived: yes("waive-pkce", "Accept requests without PKCE (confidential only)"),
        ownService: yes("own-service", "May introspect tokens (confidential only)"),
        oneConnection: yes("one-connection", "Keep exactly one connection per user"),
        json
      },
      ({ json, ...registration }) =>
        Effect.gen(function* () {
          const { client, secret } = yield* Clients.use((c) => c.register(registration))
          yield* print(json, { ...renderClient(client), ...(secret === null ? {} : { client_secret: secret }) })
        })
    ).pipe(Command.withDescription("Register a client; a confidential client's secret is shown once")),
    Command.make("list", { json }, ({ json }) =>
      Effect.flatMap(
        Clients.use((c) => c.list),
        (all) => print(json, all.map(renderClient))
      )
    ).pipe(Command.withDescription("List all clients")),
    Command.make("rotate-secret", { clientId, json }, ({ clientId, json }) =>
      Effect.flatMap(
        Clients.use((c) => c.rotateSecret(clientId)),
        (secret) => print(json, { client_id: clientId, client_secret: secret })
      )
    ).pipe(Command.withDescription("Make a new secret; the old one is void at once; shown once")),
    Command.make("disable", { clientId, json }, ({ clientId, json }) =>
      Effect.andThen(
        Clients.use((c) => c.disable(clientId)),
        print(json, { client_id: clientId, disabled: true })
      )
    ).pipe(Command.withDescription("Disable a client and end its connections")),
    Command.make("enable", { clientId, json }, ({ clientId, json }) =>
      Effect.andThen(
        Clients.use((c) => c.enable(clientId)),
        print(json, { client_id: clientId, disabled: false })
      )
    ).pipe(Command.withDescription("Let a disabled client connect again; its connections stay ended"))
  ])
)

const connection = Command.make("connection").pipe(
  Command.withDescription("Connections: which user connected which client"),
  Command.withSubcommands([
    Command.make(
      "list",
      {
        orgId: Flag.Int("org").pipe(Flag.optional),
        userId: Flag.Int("user").pipe(Flag.optional),
        client: Flag.String("client").pipe(Flag.optional),
        all: yes("all", "Ended and lapsed ones too"),
        json
      },
      ({ orgId, userId, client, all, json }) =>
        Effect.flatMap(
          Connections.use((c) =>
            c.list({
              orgId: Option.getOrUndefined(orgId),
              userId: Option.getOrUndefined(userId),
              clientId: Option.getOrUndefined(client),
              all
            })
          ),
          (rows) => print(json, [...rows])
        )
    ).pipe(Command.withDescription("List connections")),
    Command.make("end", { id: Argument.Int("connection_id"), json }, ({ id, json }) =>
      Effect.gen(function* () {
        const isEnded = yield* Connections.use((c) => c.end(id, "operator"))
        if (!isEnded) return yield* new NotFound({ message: `There is no active connection ${id}` })
        yield* print(json, { connection_id: id, ended: true })
      })
    ).pipe(Command.withDescription("End a connection; its tokens stop on the next request"))
  ])
)

const audit = Command.make("audit").pipe(
  Command.withDescription("The audit log"),
  Command.withSubcommands([
    Command.make(
      "read",
      {
        orgId: Flag.Int("org").pipe(Flag.optional),
        userId: Flag.Int("user").pipe(Flag.optional),
        client: Flag.String("client").pipe(Flag.optional),
        event: Flag.String("event").pipe(
          Flag.withDescription("One event (connection.ended), or all of a subject (connection)"),
          Flag.optional
        ),
        reason: Flag.String("reason").pipe(Flag.withDescription("Refusals with this reason id"), Flag.optional),
        since: Flag.String("since").pipe(Flag.withDescription("Not before this time (UTC)"), Flag.optional),
        until: Flag.String("until").pipe(Flag.withDescription("Before this time (UTC)"), Flag.optional),
        before: Flag.Int("before").pipe(Flag.withDescription("Only entries older than this audit_id"), Flag.optional),
        limit: Flag.Int("limit").pipe(Flag.withDescription("1 to 1000"), Flag.withDefault(100)),
        json
      },
      ({ orgId, userId, client, event, reason, since, until, before, limit, json }) =>
        Effect.gen(function* () {
          if (limit < 1 || limit > 1000) return yield* failWith({ message: "--limit: expected 1 to 1000." })
          const readInstant = (text: Option.Option<string>) =>
            Option.isNone(text) ? Effect.undefined : instant(text.value)
          const rows = yield* (yield* AuditLog).read({
            orgId: Option.getOrUndefined(orgId),
            userId: Option.getOrUndefined(userId),
            clientId: Option.getOrUndefined(client),
            event: Option.getOrUndefined(event),
            reasonId: Option.getOrUndefined(reason),
            since: yield* readInstant(since),
            until: yield* readInstant(until),
            before: Option.getOrUndefined(before),
            limit
          })
          yield* print(json, [...rows])
        })
    ).pipe(Command.withDescription("Read the audit log, newest first; at most 1000 entries at a time"))
  ])
)

export const oauthCommands = [client, connection, audit] as const
