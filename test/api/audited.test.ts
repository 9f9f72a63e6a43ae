// decisions P14: what each change over the API leaves in the audit log, or why it leaves nothing. A new one that is in no row fails the first
// test; what a row promises is done over the API in the second, or in the test that it names.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Api } from "../../src/api/Api.ts"
import { allScopes } from "../../src/domain/accounts/Scope.ts"
import { deliveryId } from "../../src/domain/webhooks/Delivery.ts"
import type { AuditKind } from "../../src/platform/audit/auditKinds.ts"
import { upload } from "../domain/imports/importSupport.ts"
import { App, appLayer, seedOrganization, seedToken } from "../support/app.ts"

type Row = { readonly leaves: ReadonlyArray<AuditKind>; readonly shownIn?: string } | { readonly nothing: string }

const content = "content: a record's history, comments, views and files tell who made and changed it"
const asks = "asks, and changes nothing"
const run = "a run: its log and its page tell who asked for it"
const accounts = "test/api/providers/providers.test.ts"
const policies = "test/api/administration/administration.test.ts"
const sessions = "test/api/accounts/sessions.test.ts"

// biome-ignore format: one operation a line
const rows: Readonly<Record<string, Row>> = {
  "POST /v1/org/user": { leaves: ["user.added", "user.invitation_sent", "workspace.member_added"] },
  "POST /v1/org/user/:user_id/invitation": { leaves: ["user.invitation_sent", "user.invitation_resent"] },
  "DELETE /v1/org/user/:user_id/invitation": { leaves: ["user.invitation_withdrawn"] },
  "PUT /v1/org/user/:user_id": { leaves: ["user.changed"] },
  "DELETE /v1/org/user/:user_id": { leaves: ["user.removed"] },
  "DELETE /v1/user/session/:session_id": { leaves: ["person.signed_out"], shownIn: sessions },
  "DELETE /v1/user/session": { leaves: ["person.signed_out"], shownIn: sessions },
  "POST /v1/workspace": { leaves: ["workspace.created"] },
  "PUT /v1/workspace/:workspace_id": { leaves: ["workspace.changed"] },
  "DELETE /v1/workspace/:workspace_id": { leaves: ["workspace.deleted", "app.deleted"] },
  "POST /v1/workspace/:workspace_id/member": { leaves: ["workspace.member_added", "workspace.member_changed"] },
  "DELETE /v1/workspace/:workspace_id/member/:user_id": { leaves: ["workspace.member_removed"] },
  "POST /v1/app": { leaves: ["app.created", "field.added"] },
  "PUT /v1/app/:app_id": { leaves: ["app.changed", "field.added", "field.changed", "field.removed"] },
  "PUT /v1/app/:app_id/fields/order": { leaves: ["app.changed"] },
  "DELETE /v1/app/:app_id": { leaves: ["app.deleted"] },
  "POST /v1/record/app/:app_id": { nothing: content },
  "PUT /v1/record/:record_id": { nothing: content },
  "DELETE /v1/record/:record_id": { leaves: ["record.destroyed"] },
  "POST /v1/record/:record_id/restore": { nothing: content },
  "POST /v1/comment/record/:record_id": { nothing: content },
  "PUT /v1/comment/:comment_id": { nothing: content },
  "DELETE /v1/comment/:comment_id": { nothing: content },
  "POST /v1/comment/:comment_id/reply": { nothing: content },
  "PUT /v1/reply/:reply_id": { nothing: content },
  "DELETE /v1/reply/:reply_id": { nothing: content },
  "POST /v1/file/upload": { nothing: content },
  "POST /v1/view/app/:app_id": { nothing: content },
  "PUT /v1/view/:view_id": { nothing: content },
  "POST /v1/view/:view_id/default": { nothing: content },
  "DELETE /v1/view/:view_id": { nothing: content },
  "POST /v1/record/filter/app/:app_id": { nothing: asks },
  "POST /v1/record/filter/app/:app_id/groups": { nothing: asks },
  "POST /v1/record/app/:app_id/ref/:ref_app_id": { nothing: asks },
  "POST /v1/record/field/:field_id/match": { nothing: asks },
  "POST /v1/record/app/batch/:app_id": { nothing: content },
  "POST /v1/record/app/:app_id/upsert": { nothing: content },
  "POST /v1/record/app/:app_id/import/preview": { nothing: asks },
  "POST /v1/record/app/:app_id/import": { leaves: ["job.started"] },
  "POST /v1/automation/schedule/preview": { nothing: asks },
  "PUT /v1/record/app/batch/:app_id": { nothing: content },
  "POST /v1/record/app/batch/:app_id/delete": { leaves: ["record.destroyed"] },
  "POST /v1/hook/app/:app_id": { leaves: ["hook.created"] },
  "PUT /v1/hook/:hook_id": { leaves: ["hook.changed"] },
  "PUT /v1/hook/:hook_id/settings": { leaves: ["hook.settings_changed", "hook.paused", "hook.resumed"] },
  "POST /v1/hook/:hook_id/test": { nothing: "a sample, of no event" },
  "POST /v1/hook/:hook_id/verify/request": { nothing: "a code, which the next one uses" },
  "POST /v1/hook/:hook_id/verify/validate": { leaves: ["hook.verified"], shownIn: "test/domain/webhooks/audit.test.ts" },
  "DELETE /v1/hook/:hook_id": { leaves: ["hook.deleted"] },
  "POST /v1/hook/:hook_id/secret/rotate": { leaves: ["hook.secret_rotated"] },
  "POST /v1/hook/delivery/:delivery_id/replay": { leaves: ["hook.delivery_replayed"] },
  "POST /v1/hook/:hook_id/replay": { leaves: ["hook.replay_started"] },
  "DELETE /v1/hook/replay/:replay_id": { leaves: ["hook.replay_cancelled"] },
  "GET /v1/hook/:hook_id/delivery/export": { leaves: ["hook.log_exported"] },
  "POST /v1/automation/app/:app_id": { leaves: ["automation.created"] },
  "PUT /v1/automation/:automation_id": { leaves: ["automation.changed", "automation.owner_changed"] },
  "PUT /v1/automation/:automation_id/trigger": { leaves: ["automation.changed"] },
  "POST /v1/automation/:automation_id/activate": { leaves: ["automation.activated"] },
  "POST /v1/automation/:automation_id/pause": { leaves: ["automation.paused"] },
  "DELETE /v1/automation/:automation_id": { leaves: ["automation.deleted"] },
  "POST /v1/automation/:automation_id/duplicate": { leaves: ["automation.created"] },
  "GET /v1/automation/:automation_id/portable": { leaves: ["automation.exported"] },
  "POST /v1/automation/portable": { leaves: ["automation.created", "automation.changed"] },
  "POST /v1/automation/:automation_id/revision/:revision_id/restore": { leaves: ["automation.changed"] },
  "POST /v1/automation/:automation_id/manual-run": { nothing: run },
  "POST /v1/automation/:automation_id/simulate": { nothing: run },
  "POST /v1/automation/:automation_id/test-step": { nothing: run },
  "POST /v1/automation/:automation_id/trigger": { nothing: run },
  "POST /v1/workflow/:automation_id/trigger": { nothing: run },
  "POST /v1/automation/weblink/generate": { nothing: "a link to start a run, which tells who made it" },
  "POST /v1/workflow/weblink/generate": { nothing: "a link to start a run, which tells who made it" },
  "POST /v1/automation-run": { nothing: asks },
  "POST /v1/automation-run/summary": { nothing: asks },
  "POST /v1/automation-run/app/:id": { nothing: asks },
  "POST /v1/automation-run/workspace/:id": { nothing: asks },
  "POST /v1/automation-run/automation/:id": { nothing: asks },
  "POST /v1/automation-run/cancel": { leaves: ["job.started"] },
  "POST /v1/automation-run/retry": { leaves: ["job.started"] },
  "POST /v1/automation-run/delete": { leaves: ["job.started"] },
  "POST /v1/job/:job_id/cancel": { leaves: ["job.cancelled"] },
  "POST /v1/field/:field_id/convert": { leaves: ["job.started"], shownIn: "test/domain/records/conversion/convert.test.ts" },
  "POST /v1/automation-run/:run_id/cancel": { nothing: run },
  "POST /v1/automation-run/:run_id/retry": { nothing: run },
  "POST /v1/secret/org": { leaves: ["secret.created"] },
  "POST /v1/secret/workspace/:workspace_id": { leaves: ["secret.created"] },
  "POST /v1/secret/app/:app_id": { leaves: ["secret.created"] },
  "PUT /v1/secret/:secret_id": { leaves: ["secret.changed", "secret.replaced"] },
  "DELETE /v1/secret/:secret_id": { leaves: ["secret.removed"] },
  "DELETE /v1/connection/:connection_id": { leaves: ["connection.ended"], shownIn: policies },
  "POST /v1/connection/end": { leaves: ["connection.ended"], shownIn: policies },
  "PUT /v1/app-policy": { leaves: ["app_policy.mode_set"], shownIn: policies },
  "PUT /v1/app-policy/app": { leaves: ["app_policy.access_set"], shownIn: policies },
  "PUT /v1/app-policy/user": { leaves: ["app_policy.user_blocked", "app_policy.user_unblocked"], shownIn: policies },
  "POST /v1/smtp-account": { leaves: ["smtp_account.created"], shownIn: accounts },
  "PUT /v1/smtp-account/:smtp_account_id": { leaves: ["smtp_account.changed"], shownIn: accounts },
  "DELETE /v1/smtp-account/:smtp_account_id": { leaves: ["smtp_account.removed"], shownIn: accounts },
  "POST /v1/smtp-account/:smtp_account_id/try": { leaves: ["smtp_account.tried"], shownIn: accounts },
  "POST /v1/authentication-provider": { leaves: ["authentication_provider.created"], shownIn: accounts },
  "PUT /v1/authentication-provider/:authentication_provider_id": { leaves: ["authentication_provider.changed"], shownIn: accounts },
  "DELETE /v1/authentication-provider/:authentication_provider_id": { leaves: ["authentication_provider.removed"], shownIn: accounts },
  "POST /v1/authentication-provider/:authentication_provider_id/try": { leaves: ["authentication_provider.tried"], shownIn: accounts }
}

const operations = Object.values(Api.groups)
  .flatMap((group) => Object.values(group.endpoints) as unknown as ReadonlyArray<HttpApiEndpoint.Top>)
  .map(({ method, path }) => `${method} ${path}`)

describe("what changes leave in the audit log", () => {
  it("every operation that is no read says what it leaves, or why nothing; reads that do have a row too", () => {
    assert.deepStrictEqual(
      operations.filter((operation) => !operation.startsWith("GET ") && !(operation in rows)),
      []
    )
    assert.deepStrictEqual(
      Object.keys(rows).filter((operation) => !operations.includes(operation)),
      []
    )
  })
})

const url = "https://93.184.215.14/in"

layer(appLayer(), { excludeTestServices: true })("over the API", (it) => {
  it.effect(
    "each leaves what its row says, by whom and with which credential, and a refused one nothing",
    () =>
      Effect.gen(function* () {
        const { call } = yield* App
        const sql = yield* SqlClient.SqlClient
        const { orgId, owner } = yield* seedOrganization()
        const token = yield* seedToken(owner.userId, allScopes)
        const doneOperations = new Set<string>()
        let lastAuditId = 0
        const entries = Effect.gen(function* () {
          const auditRows = yield* sql<{
            audit_id: number
            event: AuditKind
            user_id: number
            details: any
            credential: string
            credential_id: number | null
          }>`
            SELECT audit_id::int, event, user_id::int, details, credential, credential_id::int FROM audit_log
            WHERE org_id = ${orgId} AND audit_id > ${lastAuditId} ORDER BY audit_id`
          lastAuditId = auditRows.at(-1)?.audit_id ?? lastAuditId
          return auditRows
        })
        /** Carries it out; `expected` are the entries that it leaves this time, of those of its row. */
        const does = Effect.fnUntraced(function* (
          operation: string,
          ids: Readonly<Record<string, unknown>>,
          body: unknown,
          expected: ReadonlyArray<AuditKind>,
          query = ""
        ) {
          const [method = "", path = ""] = operation.split(" ")
          const filledPath = path.replace(/:(\w+)/g, (_, name: string) => String(ids[name]))
          const answer = yield* call(method, `${filledPath}${query}`, {
            token,
            ...(body === undefined ? {} : { body })
          })
          assert.isBelow(answer.status, 300, `${operation}: ${answer.text}`)
          const row = rows[operation]!
          const auditRows = yield* entries
          assert.deepStrictEqual(auditRows.map(({ event }) => event).toSorted(), [...expected].toSorted(), operation)
          for (const { credential, credential_id, details, event, user_id } of auditRows) {
            assert.include("leaves" in row ? row.leaves : [], event, operation)
            assert.include([user_id, details.admin, details.owner], owner.userId, `${operation}: by whom`)
            assert.strictEqual(credential, "personal_access_token", operation)
            assert.isNumber(credential_id, operation)
          }
          doneOperations.add(operation)
          return answer.json
        })

        const ws = yield* does("POST /v1/workspace", {}, { name: "Docks", type: "closed" }, ["workspace.created"])
        const inWorkspace = { workspace_id: ws.workspace_id }
        yield* does("PUT /v1/workspace/:workspace_id", inWorkspace, { name: "Quays" }, ["workspace.changed"])
        const clerk = { name: "Clerk", email: `clerk-${orgId}@example.com`, role: "member" }
        const { user_id } = yield* does("POST /v1/org/user", {}, clerk, ["user.added", "user.invitation_sent"])
        const invitation = "/v1/org/user/:user_id/invitation"
        yield* does(`POST ${invitation}`, { user_id }, undefined, ["user.invitation_resent"])
        yield* does(`DELETE ${invitation}`, { user_id }, undefined, ["user.invitation_withdrawn"])
        yield* does("PUT /v1/org/user/:user_id", { user_id }, { role: "admin" }, ["user.changed"])
        const member = "POST /v1/workspace/:workspace_id/member"
        yield* does(member, inWorkspace, { user_id, role: "member" }, ["workspace.member_added"])
        yield* does(member, inWorkspace, { user_id, role: "admin" }, ["workspace.member_changed"])
        yield* does(member, inWorkspace, { user_id, role: "admin" }, [])
        yield* does("DELETE /v1/workspace/:workspace_id/member/:user_id", { ...inWorkspace, user_id }, undefined, [
          "workspace.member_removed"
        ])

        const text = (label: string) => ({ field_type: "single_text", config: { label } })
        const app = yield* does(
          "POST /v1/app",
          {},
          { ...inWorkspace, name: "Berths", item_name: "Berth", fields: [text("Name"), text("Note")] },
          ["app.created", "field.added", "field.added"]
        )
        const { app_id } = app
        const [name, note] = app.fields.map(({ field_id }: any) => field_id)
        const change = "PUT /v1/app/:app_id"
        yield* does(
          change,
          { app_id },
          { name: "Moorings", fields: [{ field_id: name, config: { label: "Title" } }, text("More")] },
          ["app.changed", "field.changed", "field.added"]
        )
        yield* does(change, { app_id }, { fields_to_delete: [{ field_id: note }] }, ["field.removed"])
        yield* does(change, { app_id }, { name: "Moorings" }, [])
        yield* does("PUT /v1/app/:app_id/fields/order", { app_id }, { fields: [{ field_id: name }] }, ["app.changed"])

        const record = Effect.map(
          does("POST /v1/record/app/:app_id", { app_id }, { fields: { name: "A" } }, []),
          ({ record_id }) => record_id as number
        )
        yield* does("DELETE /v1/record/:record_id", { record_id: yield* record }, undefined, [])
        yield* does(
          "DELETE /v1/record/:record_id",
          { record_id: yield* record },
          undefined,
          ["record.destroyed"],
          "?skip_trash=true"
        )
        const batch = { record_ids: [yield* record, yield* record] }
        yield* does(
          "POST /v1/record/app/batch/:app_id/delete",
          { app_id },
          batch,
          ["record.destroyed"],
          "?skip_trash=true"
        )

        const { hook_id } = yield* does("POST /v1/hook/app/:app_id", { app_id }, { type: "record.create", url }, [
          "hook.created"
        ])
        const settings = "PUT /v1/hook/:hook_id/settings"
        yield* does(settings, { hook_id }, { paused: true }, ["hook.paused"])
        yield* does(settings, { hook_id }, { paused: false, description: "Pier" }, [
          "hook.resumed",
          "hook.settings_changed"
        ])
        yield* does("POST /v1/hook/:hook_id/secret/rotate", { hook_id }, undefined, ["hook.secret_rotated"])
        yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook_id}`
        yield* sql`
          INSERT INTO webhook_deliveries (hook_id, event_id, type, status, payload, created_on)
          VALUES (${hook_id}, 1, 'record.create', 'failed', '{}', now())`
        const replay = yield* does("POST /v1/hook/:hook_id/replay", { hook_id }, { since: "2026-01-01" }, [
          "hook.replay_started"
        ])
        yield* does("DELETE /v1/hook/replay/:replay_id", replay, undefined, ["hook.replay_cancelled"])
        yield* does("POST /v1/hook/delivery/:delivery_id/replay", { delivery_id: deliveryId(hook_id, 1) }, undefined, [
          "hook.delivery_replayed"
        ])
        yield* does("GET /v1/hook/:hook_id/delivery/export", { hook_id }, undefined, ["hook.log_exported"])
        yield* does("PUT /v1/hook/:hook_id", { hook_id }, { url: `${url}/next` }, ["hook.changed"])
        yield* does("DELETE /v1/hook/:hook_id", { hook_id }, undefined, ["hook.deleted"])

        const definition = {
          name: "Greet",
          trigger: { type: "record_created", config: {} },
          actions: [{ type: "exit", config: { exit_type: "success" } }]
        }
        const { automation } = yield* does("POST /v1/automation/app/:app_id", { app_id }, definition, [
          "automation.created"
        ])
        const automationId = { automation_id: automation.id }
        const automationRuns = { automation_ids: [automation.id] }
        const changed: ReadonlyArray<AuditKind> = ["automation.changed"]
        yield* does("PUT /v1/automation/:automation_id", automationId, { name: "Greet all" }, changed)
        const trigger = { type: "record_created", config: {} }
        yield* does("PUT /v1/automation/:automation_id/trigger", automationId, trigger, changed)
        yield* does("POST /v1/automation/:automation_id/activate", automationId, undefined, ["automation.activated"])
        yield* does("POST /v1/automation/:automation_id/activate", automationId, undefined, [])
        yield* does("POST /v1/automation/:automation_id/pause", automationId, undefined, ["automation.paused"])
        yield* does("POST /v1/automation/:automation_id/duplicate", automationId, {}, ["automation.created"])
        const { file } = yield* does("GET /v1/automation/:automation_id/portable", automationId, undefined, [
          "automation.exported"
        ])
        yield* does("POST /v1/automation/portable", {}, { app_id, file: { ...file, key: "copy" } }, [
          "automation.created"
        ])
        const { revisions } = (yield* call("GET", `/v1/automation/${automation.id}/revision`, { token })).json
        yield* does(
          "POST /v1/automation/:automation_id/revision/:revision_id/restore",
          { ...automationId, revision_id: revisions.at(-1).id },
          undefined,
          changed
        )
        for (const act of ["cancel", "retry", "delete"])
          yield* does(`POST /v1/automation-run/${act}`, {}, automationRuns, ["job.started"])
        const imported = { file_id: yield* upload(token, "Title\nA ship\n") }
        yield* does("POST /v1/record/app/:app_id/import", { app_id }, imported, ["job.started"])
        const { jobs } = (yield* call("GET", "/v1/job", { token })).json
        yield* does("POST /v1/job/:job_id/cancel", jobs[0], undefined, ["job.cancelled"])
        // What is refused leaves nothing.
        assert.strictEqual(
          (yield* call("PUT", `/v1/automation/${automation.id}`, { token, body: { name: "" } })).status,
          400
        )
        assert.lengthOf(yield* entries, 0)
        yield* does("DELETE /v1/automation/:automation_id", automationId, undefined, ["automation.deleted"])

        const secret = { name: "key", value: "s3cret" }
        const created: ReadonlyArray<AuditKind> = ["secret.created"]
        const { secret_id } = yield* does("POST /v1/secret/org", {}, secret, created)
        yield* does("POST /v1/secret/workspace/:workspace_id", inWorkspace, secret, created)
        yield* does("POST /v1/secret/app/:app_id", { app_id }, secret, created)
        yield* does("PUT /v1/secret/:secret_id", { secret_id }, { value: "another" }, ["secret.replaced"])
        yield* does("PUT /v1/secret/:secret_id", { secret_id }, { description: "the key" }, ["secret.changed"])
        yield* does("DELETE /v1/secret/:secret_id", { secret_id }, undefined, ["secret.removed"])

        yield* does("DELETE /v1/org/user/:user_id", { user_id }, undefined, ["user.removed"])
        yield* does("DELETE /v1/app/:app_id", { app_id }, undefined, ["app.deleted"])
        yield* does("POST /v1/app", {}, { ...inWorkspace, name: "Last", item_name: "Last" }, ["app.created"])
        yield* does("DELETE /v1/workspace/:workspace_id", inWorkspace, undefined, ["app.deleted", "workspace.deleted"])

        const promised = Object.entries(rows).flatMap(([operation, row]) =>
          "leaves" in row && row.shownIn === undefined ? [operation] : []
        )
        assert.deepStrictEqual(
          promised.filter((operation) => !doneOperations.has(operation)),
          []
        )
        assert.notInclude(JSON.stringify(yield* sql`SELECT details FROM audit_log WHERE org_id = ${orgId}`), "s3cret")
      }),
    120_000
  )
})
