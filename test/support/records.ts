// Seeds for tests of records: a workspace, and apps made through the API.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CallerShape } from "../../src/domain/accounts/Caller.ts"
import { App, type Person, seedOrganization } from "./app.ts"

/** A fresh organization with an owner and a default workspace. */
export const seedWorkspace = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner } = yield* seedOrganization()
  const [row] = yield* sql<{ workspace_id: number }>`
    INSERT INTO workspaces (org_id, name, slug, type, created_on)
    VALUES (${orgId}, 'Main', 'main', 'default', now()) RETURNING workspace_id`
  return { orgId, owner, workspaceId: row!.workspace_id }
})

/** Somebody with a key of theirs, for a service that is called without HTTP. */
export const callerOf = (
  { orgId, personId, userId }: Pick<Person, "orgId" | "personId" | "userId">,
  role: CallerShape["role"] = "owner"
): CallerShape => ({
  ...{ orgId, personId, role, userId, scopes: "all", selection: "all" },
  author: { type: "user", user_id: userId },
  credential: { type: "user_api_key", id: 1, clientId: null, expiresOn: null }
})

export interface FieldSpec {
  readonly field_type: string
  readonly config: { readonly label: string; readonly [key: string]: unknown }
}

/** `field("number", "Weight", { decimals: 1 })` */
export const field = (field_type: string, label: string, settings?: object, config: object = {}): FieldSpec => ({
  field_type,
  config: { label, ...config, ...(settings === undefined ? {} : { settings }) }
})

export const createApp = Effect.fnUntraced(function* (
  person: Person,
  workspaceId: number,
  fields: ReadonlyArray<FieldSpec>,
  name = "Deliveries",
  more: object = {}
) {
  const app = yield* App
  const reply = yield* app.call("POST", "/v1/app", {
    token: person.key,
    body: { workspace_id: workspaceId, name, fields, ...more }
  })
  if (reply.status !== 200) return yield* Effect.die(new Error(`app: ${reply.text}`))
  return reply.json
})

/** Calls as one person: `as(person)("POST", "/v1/…", body)`. */
export const as = (person: { readonly key: string }) =>
  Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const app = yield* App
    return yield* app.call(method, path, { token: person.key, ...(body === undefined ? {} : { body }) })
  })

/** Outbox rows of a record or app, oldest first. */
export const eventsOf = Effect.fnUntraced(function* (column: "record_id" | "app_id", id: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ type: string; payload: any; hook: boolean; workflow: boolean; silent: boolean }>`
    SELECT type, payload, hook, workflow, silent FROM outbox WHERE ${sql(column)} = ${id} ORDER BY event_id`
})
