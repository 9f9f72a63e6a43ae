// Operator commands for organizations, people, users and their credentials (decisions P1, P2, O12; developer-api.md 1.7).
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ApiCredentials } from "../../domain/accounts/ApiCredentials.ts"
import { Factors } from "../../domain/accounts/factors/Factors.ts"
import { Invitations } from "../../domain/accounts/invitations/Invitations.ts"
import { Organizations, planLimits } from "../../domain/accounts/Organizations.ts"
import { People } from "../../domain/accounts/People.ts"
import { allScopes, defaultScopes, Scope } from "../../domain/accounts/Scope.ts"
import { Workspaces } from "../../domain/accounts/Workspaces.ts"
import { Storage } from "../../domain/records/files/Storage.ts"
import { type AuditEntry, AuditLog } from "../../platform/audit/AuditLog.ts"
import { Email } from "../../platform/primitives/commonSchemas.ts"
import { eraseCommand } from "./eraseCommand.ts"
import { importCommand } from "./import/organizationImport.ts"
import { exportCommand } from "./organizationExport.ts"
import { json, oneOf, print } from "./output.ts"

const email = Argument.String("email").pipe(Argument.withSchema(Email))
const orgId = Argument.Int("org_id")
const userId = Argument.Int("user_id")
const role = Flag.Literals("role", ["owner", "admin", "member", "guest"]).pipe(Flag.withDefault("member"))
const idList = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`Comma list of ${what} the token is limited to`),
    Flag.withSchema(Schema.String.check(Schema.isPattern(/^\d+(,\d+)*$/))),
    Flag.optional
  )
const ids = (list: Option.Option<string>) =>
  Option.match(list, { onNone: () => [], onSome: (text) => text.split(",").map(Number) })

/** Records what the operator does to people, users and their credentials in the audit log of their organizations. */
const audited = (event: AuditEntry["event"], { details, ...of }: Omit<AuditEntry, "event">) =>
  AuditLog.use((audit) => audit.record({ event, ...of, details: { ...details, by: "operator" } }))

const organization = Command.make("organization").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([
    Command.make("create", { name: Argument.String("name"), json }, ({ name, json }) =>
      Effect.flatMap(
        Organizations.use((o) => o.create(name)),
        (org) => print(json, org)
      )
    ).pipe(Command.withDescription("Create an organization with one workspace")),
    exportCommand,
    importCommand,
    Command.make("list", { json }, ({ json }) =>
      Effect.flatMap(
        Organizations.use((o) => o.list),
        (all) => print(json, [...all])
      )
    ).pipe(Command.withDescription("List organizations")),
    Command.make("storage", { json }, ({ json }) =>
      Effect.flatMap(
        Storage.use((storage) => storage.usage),
        (all) => print(json, [...all])
      )
    ).pipe(Command.withDescription("Show what the files of each organization take, and its quota")),
    Command.make(
      "limit",
      {
        orgId,
        limit: oneOf("limit", planLimits),
        value: Argument.Int("value").pipe(Argument.optional),
        json
      },
      ({ orgId, limit, value, json }) =>
        Effect.flatMap(
          Organizations.use((o) => o.setLimit(orgId, limit, Option.getOrNull(value))),
          (org) => print(json, org)
        )
    ).pipe(
      Command.withDescription("Set a limit of an organization's own; without a value the installation's holds again")
    )
  ])
)

const person = Command.make("person").pipe(
  Command.withDescription("People: who can sign in"),
  Command.withSubcommands([
    Command.make("create", { email, name: Flag.String("name"), json }, ({ email, name, json }) =>
      Effect.gen(function* () {
        const people = yield* People
        const newPerson = yield* people.create({ email, name })
        yield* print(json, { ...newPerson, ...(yield* people.oneTimeLink(newPerson.person_id)) })
      })
    ).pipe(Command.withDescription("Create a person; prints a one-time link to set the password (24 h)")),
    Command.make("list", { json }, ({ json }) =>
      Effect.flatMap(
        People.use((p) => p.list),
        (all) => print(json, [...all])
      )
    ).pipe(Command.withDescription("List people")),
    Command.make("link", { email, json }, ({ email, json }) =>
      Effect.gen(function* () {
        const people = yield* People
        const { person_id } = yield* people.byEmail(email)
        const link = yield* people.oneTimeLink(person_id)
        yield* audited("person.password_link_made", { personId: person_id })
        yield* print(json, link)
      })
    ).pipe(Command.withDescription("Print a one-time link to set a first or forgotten password (24 h)")),
    Command.make("reset-factors", { email, json }, ({ email, json }) =>
      Effect.gen(function* () {
        const person = yield* People.use((people) => people.byEmail(email))
        const by = { words: "The people who run this service", details: { by: "operator" } }
        const factors = yield* Factors.use((all) => all.reset(person, by))
        yield* print(json, { person_id: person.person_id, email: person.email, factors_removed: factors })
      })
    ).pipe(
      Command.withDescription("Remove every second step of a person who has lost theirs, and sign them out everywhere")
    ),
    eraseCommand
  ])
)

const user = Command.make("user").pipe(
  Command.withDescription("Users: people in organizations"),
  Command.withSubcommands([
    Command.make("add", { orgId, email, role, json }, ({ orgId, email, role, json }) =>
      Effect.gen(function* () {
        const row = yield* (yield* Organizations).addUser(orgId, email, role)
        yield* print(json, row)
      })
    ).pipe(Command.withDescription("Make a person a user of an organization")),
    Command.make("invite", { userId, json }, ({ userId, json }) =>
      Effect.flatMap(
        Invitations.use((invitations) => invitations.sendByOperator(userId)),
        ({ invitation, ...user }) => print(json, { ...user, expires_on: invitation?.expires_on })
      )
    ).pipe(Command.withDescription("Print a link of seven days by which an invited user joins; a former one is void")),
    Command.make("list", { orgId, json }, ({ orgId, json }) =>
      Effect.flatMap(
        Organizations.use((o) => o.users(orgId)),
        (all) => print(json, [...all])
      )
    ).pipe(Command.withDescription("List the users of an organization"))
  ])
)

const scopes = Flag.String("scopes").pipe(
  Flag.withDescription(`Comma list of scopes, or "all" (${allScopes.join(", ")})`),
  Flag.withDefault(defaultScopes.join(","))
)

const token = Command.make("token").pipe(
  Command.withDescription("Personal access tokens"),
  Command.withSubcommands([
    Command.make(
      "mint",
      {
        userId,
        name: Flag.String("name"),
        scopes,
        workspaces: idList("workspaces", "workspace ids"),
        apps: idList("apps", "app ids"),
        json
      },
      ({ userId, name, scopes, workspaces, apps, json }) =>
        Effect.gen(function* () {
          const chosenScopes = yield* Schema.decodeUnknownEffect(Schema.Array(Scope))(
            scopes === "all" ? allScopes : scopes.split(",")
          )
          const limited = Option.isSome(workspaces) || Option.isSome(apps)
          const selection = limited ? { workspaceIds: ids(workspaces), appIds: ids(apps) } : ("all" as const)
          const minted = yield* (yield* ApiCredentials).mintToken(userId, { name, scopes: chosenScopes, selection })
          yield* print(json, minted)
        })
    ).pipe(Command.withDescription("Mint a token; it is shown once")),
    Command.make("list", { userId, json }, ({ userId, json }) =>
      Effect.flatMap(
        ApiCredentials.use((c) => c.listTokens(userId)),
        (all) => print(json, [...all])
      )
    ).pipe(Command.withDescription("List a user's tokens, revoked ones too")),
    Command.make("revoke", { userId, id: Argument.Int("credential_id"), json }, ({ userId, id, json }) =>
      ApiCredentials.use((c) => c.revokeToken(userId, id)).pipe(
        Effect.andThen(print(json, { credential_id: id, revoked: true }))
      )
    ).pipe(Command.withDescription("Revoke a token; it stops on the next request")),
    Command.make("rotate-key", { userId, json }, ({ userId, json }) =>
      ApiCredentials.use((c) => c.rotateKey(userId)).pipe(Effect.flatMap((minted) => print(json, minted)))
    ).pipe(Command.withDescription("Make a new user API key; the old one dies at once; shown once"))
  ])
)

const workspace = Command.make("workspace").pipe(
  Command.withDescription("Workspaces"),
  Command.withSubcommands([
    Command.make(
      "admin",
      { workspaceId: Argument.Int("workspace_id"), userId, json },
      ({ workspaceId, userId, json }) =>
        Effect.gen(function* () {
          const { org_id: _, ...member } = yield* (yield* Workspaces).giveAdmin(workspaceId, userId)
          yield* print(json, member)
        })
    ).pipe(Command.withDescription("Give a workspace an admin, a private one too that has none left"))
  ])
)

export const accountCommands = [organization, person, user, token, workspace] as const
