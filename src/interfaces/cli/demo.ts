// First-run data for trying things out: an organization, a person with a password, a token (issued once, outside production).
import { randomBytes } from "node:crypto"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { ApiCredentials } from "../../domain/accounts/ApiCredentials.ts"
import { CredentialLookup } from "../../domain/accounts/CredentialLookup.ts"
import { DemoLinks, demoAddress } from "../../domain/accounts/DemoLinks.ts"
import { Organizations } from "../../domain/accounts/Organizations.ts"
import { People } from "../../domain/accounts/People.ts"
import { allScopes } from "../../domain/accounts/Scope.ts"
import { Apps } from "../../domain/records/apps/Apps.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { countOf, rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { json, print } from "./output.ts"

/** Three lines that work when pasted, in any order. */
const curlLines = (baseUrl: string, token: string, appId: number) => {
  const get = `curl -s -H "Authorization: Bearer ${token}"`
  return [
    `${get} ${baseUrl}/v1/user`,
    `${get} -H "Content-Type: application/json" -d '{"fields":{"title":"A first record","pages":320}}' ${baseUrl}/v1/record/app/${appId}`,
    `${get} ${baseUrl}/v1/app/${appId}`
  ]
}

const books = {
  name: "Books",
  item_name: "Book",
  fields: [
    { field_type: "single_text", config: { label: "Title", required: true } },
    { field_type: "number", config: { label: "Pages" } },
    { field_type: "single_date", config: { label: "Published" } }
  ]
} as const

const WorkspaceId = Schema.Struct({ workspace_id: Schema.Int })

const seed = Effect.gen(function* () {
  const sql = yield* Sql
  const organizationCount = yield* countOf(sql`SELECT count(*)::int AS n FROM organizations`)
  if (organizationCount > 0) return { created: false as const }
  const { baseUrl } = yield* AppConfig
  const organizations = yield* Organizations
  const people = yield* People
  const credentials = yield* ApiCredentials
  const org = yield* organizations.create("Demo organization")
  const person = yield* people.create({ email: demoAddress, name: "Demo person" })
  const password = randomBytes(9).toString("base64url")
  yield* people.setPassword(person.person_id, password)
  const user = yield* organizations.addUser(org.org_id, demoAddress, "owner")
  const { token } = yield* credentials.mintToken(user.user_id, {
    name: "First token",
    scopes: allScopes,
    selection: "all"
  })
  const workspace = yield* rowOf(WorkspaceId)(sql`SELECT workspace_id FROM workspaces WHERE org_id = ${org.org_id}`)
  const caller = yield* (yield* CredentialLookup).resolve(token)
  const app = yield* (yield* Apps).create(caller!, { workspace_id: workspace!.workspace_id, ...books })
  return {
    created: true as const,
    email: demoAddress,
    password,
    token,
    curl: curlLines(baseUrl, token, app.app_id)
  }
})

const command = Command.make("demo-seed", { json }, ({ json }) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    yield* print(json, yield* sql.withTransaction(seed))
  })
).pipe(Command.withDescription("Create the demo organization in an empty installation; does nothing in any other"))

const linkCommand = Command.make("demo-link", { json }, ({ json }) =>
  Effect.flatMap(
    DemoLinks.use(({ make }) => make),
    (url) => print(json, { url })
  )
).pipe(Command.withDescription("A link that signs the demo person in, once, within ten minutes, on this machine"))

export const demoCommands = [command, linkCommand] as const
