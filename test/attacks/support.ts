// A world with something to steal: an organization with its owner, a workspace with an admin of its own, and a private workspace
// in which a third person keeps a record with a file.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { shown, upload } from "../domain/automations/actions/support.ts"
import { runsOver } from "../domain/automations/runSupport.ts"
import { makeApp, seedApp } from "../domain/automations/support.ts"
import { App, seedUser } from "../support/app.ts"

const fields = [
  { field_type: "single_text", config: { label: "Name" } },
  { field_type: "multi_attachment", config: { label: "Papers" } }
]

export const call = Effect.fnUntraced(function* (token: string, method: string, path: string, body?: unknown) {
  const app = yield* App
  return yield* app.call(method, path, { token, ...(body === undefined ? {} : { body }) })
})

/** The same, which has to succeed. */
export const done = Effect.fnUntraced(function* (token: string, method: string, path: string, body?: unknown) {
  const reply = yield* call(token, method, path, body)
  assert.isBelow(reply.status, 300, `${method} ${path}: ${reply.text}`)
  return reply.json
})

export const seedVault = Effect.gen(function* () {
  const seeded = yield* seedApp(fields)
  const { orgId, token, workspaceId } = seeded
  const admin = yield* seedUser(orgId, "member", "Workspace admin")
  yield* done(token, "POST", `/v1/workspace/${workspaceId}/member`, { user_id: admin.userId, role: "admin" })
  const keeper = yield* seedUser(orgId, "member", "Keeper")
  const vault = yield* done(keeper.key, "POST", "/v1/workspace", { name: "Vault", type: "private" })
  const secret = yield* makeApp(keeper.key, vault.workspace_id, fields)
  const [paper] = yield* upload(keeper.key, [{ name: "secret.txt" }])
  const record = yield* done(keeper.key, "POST", `/v1/record/app/${secret.appId}`, {
    fields: { name: "Takeover plans", papers: [paper] }
  })
  const kept = yield* shown(keeper.key, record.record_id)
  return {
    ...seeded,
    admin,
    keeper,
    vaultId: vault.workspace_id as number,
    secret: {
      appId: secret.appId,
      fields: secret.fields,
      recordId: record.record_id as number,
      fileId: kept.values["papers"][0].value.id as number
    }
  }
})
export type Vault = Effect.Success<typeof seedVault>

export const roleOf = (userId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ role: string }>`SELECT role FROM users WHERE user_id = ${userId}`, ([row]) => row!.role)
  )

export const code = (source: string, ...labels: ReadonlyArray<string>) => ({
  type: "custom_code",
  config: { code: [source], custom_variable_defs: labels.map((label) => ({ custom_type: "any", label })) }
})

/** Makes an automation of the steps with the credential; answers its id. */
export const saved = Effect.fnUntraced(function* (token: string, appId: number, actions: ReadonlyArray<object>) {
  const createdAutomation = yield* done(token, "POST", `/v1/automation/app/${appId}`, {
    name: "Steps",
    trigger: { type: "record_created", config: {} },
    actions
  })
  return createdAutomation.automation.id as number
})

/** Runs it by hand on a record; answers the run with its variables. */
export const ran = Effect.fnUntraced(function* (token: string, id: number, recordId: number, n = 1) {
  const sql = yield* SqlClient.SqlClient
  yield* done(token, "POST", `/v1/automation/${id}/manual-run`, { record_id: recordId })
  const run = (yield* runsOver(id, n)).at(-1)!
  const rows = yield* sql<{ label: string; value: any }>`
    SELECT label, value FROM run_variables WHERE run_id = ${run.run_id}::bigint`
  return {
    ...run,
    variables: Object.fromEntries(rows.map(({ label, value }) => [label, value])) as Record<string, any>
  }
})

export const recordIn = Effect.fnUntraced(function* ({ appId, token }: Vault, name = "Bolt") {
  const createdRecord = yield* done(token, "POST", `/v1/record/app/${appId}?workflow=false`, { fields: { name } })
  return createdRecord.record_id as number
})

export const failedWith = (
  run: { readonly status: string; readonly error_message: string | null; readonly logs: unknown },
  message: RegExp
) => {
  assert.strictEqual(run.status, "failed", JSON.stringify(run.logs))
  assert.match(run.error_message ?? "", message)
}
export const completed = (run: {
  readonly status: string
  readonly error_message: string | null
  readonly logs: unknown
}) => assert.strictEqual(run.status, "completed", `${run.error_message} ${JSON.stringify(run.logs)}`)
