// Prepares an import as an operator would: an organization of its own, the users who import, their tokens and the organization's limit of
// webhook executions (decisions P1, P2). Works on the database directly, with the services of the command line.
import { randomBytes } from "node:crypto"
import { Effect, Layer } from "effect"
import { ApiCredentials } from "../src/domain/accounts/ApiCredentials.ts"
import { Organizations } from "../src/domain/accounts/Organizations.ts"
import { People } from "../src/domain/accounts/People.ts"
import { hashPassword } from "../src/domain/accounts/passwords.ts"
import { allScopes } from "../src/domain/accounts/Scope.ts"
import { RelayWake } from "../src/engine/outbox/RelayWake.ts"
import { HealthProbes } from "../src/interfaces/http/health.ts"
import { AppConfig } from "../src/platform/config/Config.ts"
import { Secrets } from "../src/platform/sealing/Secrets.ts"
import { layerPool } from "../src/platform/sql/Pool.ts"
import { Sql } from "../src/platform/sql/Sql.ts"
import { Wakes } from "../src/platform/sql/Wakes.ts"
import { Services } from "../src/services.ts"

export interface Tenant {
  readonly orgId: number
  /** Personal access tokens with all scopes, one for each person. */
  readonly tokens: ReadonlyArray<string>
}

const Pool = Layer.unwrap(
  Effect.map(AppConfig, ({ databaseUrl }) =>
    layerPool({ url: databaseUrl, maxConnections: 2, applicationName: "millrace-demo" })
  )
)

export const OperatorLayer = Services.pipe(
  Layer.provideMerge(HealthProbes.layer),
  Layer.provideMerge(Layer.mergeAll(RelayWake.layerRemote, Wakes.layerRemote)),
  Layer.provideMerge(Pool),
  Layer.provideMerge(Secrets.layer),
  Layer.provideMerge(AppConfig.layer)
)

/**
 * An organization with `people` owners, each with a token.
 * @param webhooksPerMinute the organization's own limit of webhook executions for each app and window
 */
export const makeTenant = Effect.fn("makeTenant")(function* (name: string, people: number, webhooksPerMinute: number) {
  const sql = yield* Sql
  const organizations = yield* Organizations
  const persons = yield* People
  const credentials = yield* ApiCredentials
  const { org_id } = yield* organizations.create(name)
  yield* organizations.setLimit(org_id, "webhook_per_minute", webhooksPerMinute)
  const tokens: Array<string> = []
  for (let i = 1; i <= people; i++) {
    const email = `import-${i}.org-${org_id}@millrace.example`
    const { person_id } = yield* persons.create({ email, name: `Importer ${i}` })
    // A person with a password is active at once. Nobody learns this one, and no earlier one exists that sessions could belong to. The
    // statement is plain SQL as the schema may be that of the release before (bench/disturb/releases.ts).
    const hash = yield* hashPassword(randomBytes(24).toString("base64url"))
    yield* sql`UPDATE people SET password_hash = ${hash}, password_set_on = now() WHERE person_id = ${person_id}`
    const user = yield* organizations.addUser(org_id, email, "owner")
    const minted = yield* credentials.mintToken(user.user_id, { name: "Import", scopes: allScopes, selection: "all" })
    tokens.push(minted.token)
  }
  return { orgId: org_id, tokens } satisfies Tenant
})
