// decisions A26, an upgrade: what an organization has may afterwards be used in the workspaces in which it was used, by definitions, runs
// that go on and hooks, and nowhere else.
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AuthenticationProviders } from "../../../src/platform/mail/AuthenticationProviders.ts"
import { SmtpAccounts } from "../../../src/platform/mail/SmtpAccounts.ts"
import allowedUse from "../../../src/platform/sql/migrations/0056_allowed_use.ts"
import { makeApp } from "../../domain/automations/support.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { asOwner } from "../../support/database.ts"

const upgraded = asOwner(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const table of ["secrets", "smtp_accounts", "authentication_providers"])
      yield* sql.unsafe(`ALTER TABLE ${table} DROP COLUMN allowed_workspaces`)
    yield* allowedUse
  })
)

const named = (name: string) => ({ kind: "variable", source: "secret", name })
const script = (...code: ReadonlyArray<unknown>) => ({ type: "custom_code", config: { code } })
const mail = (more: object = {}) => ({
  type: "send_email",
  config: { to_address: ["a@example.com"], subject: ["Hello"], ...more }
})

layer(appLayer(), { excludeTestServices: true })("the upgrade to who may use what", (it) => {
  it.effect("existing uses go on, and there are no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { call } = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const callApi = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
        const answer = yield* call(method, path, { token: owner.key, ...(body === undefined ? {} : { body }) })
        assert.isBelow(answer.status, 300, answer.text)
        return answer.json
      })
      const makePlace = Effect.fnUntraced(function* (name: string) {
        const { workspace_id } = yield* callApi("POST", "/v1/workspace", { name, type: "closed" })
        const { appId } = yield* makeApp(owner.key, workspace_id, [
          { field_type: "single_text", config: { label: "Name" } }
        ])
        return { workspaceId: workspace_id as number, appId }
      })
      const [one, two, three, four] = [
        yield* makePlace("One"),
        yield* makePlace("Two"),
        yield* makePlace("Three"),
        yield* makePlace("Four")
      ]
      const secrets = ["by_reference", "by_script", "by_run", "nearer", "unused", "removed"] as const
      for (const name of secrets) yield* callApi("POST", "/v1/secret/org", { name, value: "a long value" })
      yield* callApi("POST", `/v1/secret/app/${one.appId}`, { name: "nearer", value: "of the app" })
      const provider = (name: string) =>
        AuthenticationProviders.use((providers) =>
          providers.create(orgId, {
            ...{ name, grant_type: "client_credentials", token_url: "https://example.com/token", client_id: "c" },
            client_secret: Redacted.make("secret")
          })
        )
      const [stepped, hooked, idle] = [yield* provider("Stepped"), yield* provider("Hooked"), yield* provider("Idle")]
      const account = (name: string) =>
        SmtpAccounts.use((accounts) =>
          accounts.create(orgId, {
            ...{ name, host: "mail.example.com", port: 587, security: "starttls", from_address: "a@example.com" }
          })
        )
      const [first, second, third] = [yield* account("Default"), yield* account("Named"), yield* account("Idle")]
      const automation = (appId: number, actions: ReadonlyArray<object>) =>
        Effect.map(
          callApi("POST", `/v1/automation/app/${appId}`, {
            ...{ name: "Uses", trigger: { type: "record_created", config: {} }, actions }
          }),
          ({ automation }) => automation as { readonly id: number }
        )
      yield* automation(one.appId, [
        {
          type: "conditional",
          config: {
            condition: null,
            action_rows: [
              {
                type: "http_call",
                config: {
                  http_call_type: "post",
                  http_call_url: ["https://example.com/"],
                  http_call_body: [named("by_reference")]
                }
              }
            ]
          }
        },
        script('const a = secret( "nearer" ); notsecret("unused")'),
        mail()
      ])
      yield* automation(two.appId, [
        script("return `:` + secret('by_script')", " + secret(`by_reference`)"),
        mail({ smtp_account_id: second.smtp_account_id }),
        {
          type: "authenticated_http_call",
          config: {
            ...{ http_call_type: "get", http_call_url: ["https://example.com/"] },
            authentication_provider_id: stepped.authentication_provider_id
          }
        }
      ])
      const running = yield* automation(three.appId, [
        script('secret("by_run")'),
        { type: "delay", config: { delay_ms: 60_000 } }
      ])
      const removedAutomation = yield* automation(four.appId, [script('secret("removed")')])
      yield* callApi("DELETE", `/v1/automation/${removedAutomation.id}`)
      // It goes on with the definition that it began with.
      yield* sql`
        INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on)
        SELECT ${orgId}, ${three.appId}, automation_id, revision_id, 1, 'regular', 'running', true, 0, '{}', now()
        FROM automation_revisions WHERE automation_id = ${running.id}`
      yield* callApi("PUT", `/v1/automation/${running.id}`, { actions: [] })
      const hook = yield* callApi("POST", `/v1/hook/app/${four.appId}`, {
        type: "record.create",
        url: "https://93.184.215.14/"
      })
      yield* sql`
        UPDATE hooks SET sending = ${JSON.stringify({
          authentication: { type: "oauth2", authentication_provider_id: hooked.authentication_provider_id }
        })}::jsonb WHERE hook_id = ${hook.hook_id}`

      yield* upgraded

      const { secrets: shown } = yield* callApi("GET", "/v1/secret/org")
      assert.deepStrictEqual(
        Object.fromEntries(shown.map((secret: any) => [secret.name, secret.allowed.workspace_ids])),
        {
          by_reference: [one.workspaceId, two.workspaceId],
          by_script: [two.workspaceId],
          by_run: [three.workspaceId],
          nearer: [],
          unused: [],
          removed: []
        }
      )
      const { smtp_accounts } = yield* callApi("GET", "/v1/smtp-account")
      assert.deepStrictEqual(
        smtp_accounts.map((it: any) => [it.smtp_account_id, it.allowed.workspace_ids]),
        [
          [first.smtp_account_id, [one.workspaceId]],
          [second.smtp_account_id, [two.workspaceId]],
          [third.smtp_account_id, []]
        ]
      )
      const { authentication_providers } = yield* callApi("GET", "/v1/authentication-provider")
      assert.deepStrictEqual(
        authentication_providers.map((it: any) => [it.authentication_provider_id, it.allowed.workspace_ids]),
        [
          [stepped.authentication_provider_id, [two.workspaceId]],
          [hooked.authentication_provider_id, [four.workspaceId]],
          [idle.authentication_provider_id, []]
        ]
      )
      // A workspace that goes is in no list any more.
      yield* callApi("DELETE", `/v1/app/${two.appId}`)
      yield* callApi("DELETE", `/v1/workspace/${two.workspaceId}`)
      const listing = yield* callApi("GET", "/v1/secret/org")
      const byReference = listing.secrets.find((it: any) => it.name === "by_reference")
      assert.deepStrictEqual(byReference.allowed, { workspace_ids: [one.workspaceId] })
    })
  )
})
