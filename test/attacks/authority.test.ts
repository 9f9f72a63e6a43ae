// Attacks on authority (decisions A20, A21, O9; developer-api.md 1.7, 2.2, 2.3, 7.1) against the whole service with its worker:
// whose rights a run has, what ids inside values reach, what is kept in the clear. Beside each attack what has to go on working.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ApiCredentials } from "../../src/domain/accounts/ApiCredentials.ts"
import { Workspaces } from "../../src/domain/accounts/Workspaces.ts"
import { assignCode, assignTo, compute, custom, upload } from "../domain/automations/actions/support.ts"
import { endDelays, runsOver, waiting } from "../domain/automations/runSupport.ts"
import { startSmtp } from "../platform/mail/smtp.ts"
import { App, seedToken, seedUser } from "../support/app.ts"
import { eventually, spineLayer } from "../support/spine.ts"
import {
  call,
  code,
  completed,
  done,
  failedWith,
  ran,
  recordIn,
  roleOf,
  saved,
  seedVault,
  type Vault
} from "./support.ts"

class Smtp extends Context.Service<Smtp, Effect.Success<ReturnType<typeof startSmtp>>>()("test/Smtp") {}
const world = Layer.unwrap(
  Effect.map(startSmtp(), (smtp) => spineLayer({ SMTP_URL: smtp.url }).pipe(Layer.merge(Layer.succeed(Smtp, smtp))))
)

/** Makes the user an organization admin, and says what the API answered. */
const promote = (userId: number) =>
  code(
    `try { const a = await api.request("PUT", "/org/user/${userId}", { role: "admin" }); return a.status ?? "done" } catch (error) { return String(error.message) }`,
    "answer"
  )
const text = (vault: Vault, field_value: ReadonlyArray<unknown>) => ({
  type: "current_record_update",
  config: {
    field_assignments: [
      assignTo(
        { kind: "variable", source: "field", field_id: vault.fields["name"]!, field_type: "single_text" },
        field_value
      )
    ]
  }
})
const nameOf = (recordId: number, fieldId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ name: string | null }>`
        SELECT cells -> ${String(fieldId)} ->> 0 AS name FROM records WHERE record_id = ${recordId}`,
      ([row]) => row!.name
    )
  )
const scopesOfAutomations = ["automations:read", "automations:edit", "automations:run"] as const

layer(world, { excludeTestServices: true })("authority", (it) => {
  it.effect("A20: a workspace admin who edits the owner's automation acts as themselves, and becomes its owner", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { admin, appId, owner, token } = vault
      const recordId = yield* recordIn(vault)
      const id = yield* saved(token, appId, [code("return 1", "answer")])
      const putReply = yield* done(admin.key, "PUT", `/v1/automation/${id}`, { actions: [promote(admin.userId)] })
      assert.strictEqual(putReply.automation.owner_id, admin.userId)
      yield* ran(admin.key, id, recordId)
      assert.strictEqual(yield* roleOf(admin.userId), "member")
      const sql = yield* SqlClient.SqlClient
      const { taken } = yield* Smtp
      const [former] = yield* sql<{ email: string }>`SELECT email FROM people WHERE person_id = ${owner.personId}`
      const mails = yield* eventually(
        "the former owner is told",
        Effect.sync(() => taken.filter(({ to }) => to.includes(former!.email))),
        (all) => all.length > 0
      )
      assert.match(mails[0]!.mail.subject ?? "", /Automation "Steps" of Deliveries/)
      assert.match(mails[0]!.mail.text ?? "", /Workspace admin/)
      const audited = yield* sql<{ user_id: number; details: any }>`
        SELECT user_id, details FROM audit_log WHERE event = 'automation.owner_changed' AND org_id = ${owner.orgId}`
      assert.deepStrictEqual(audited, [
        { user_id: admin.userId, details: { automation_id: id, owner: admin.userId, former_owner: owner.userId } }
      ])
      // The owner saves it: it does what the owner may do, whoever starts it.
      const ownPut = yield* done(token, "PUT", `/v1/automation/${id}`, { actions: [promote(admin.userId)] })
      assert.strictEqual(ownPut.automation.owner_id, owner.userId)
      completed(yield* ran(admin.key, id, recordId, 2))
      assert.strictEqual(yield* roleOf(admin.userId), "admin")
    })
  )

  it.effect(
    "A20: name, description, pause and activation leave the owner; a copy, a filter and a rollback do not",
    () =>
      Effect.gen(function* () {
        const vault = yield* seedVault
        const { admin, appId, owner, token } = vault
        const id = yield* saved(token, appId, [code("return 1", "answer")])
        const ownerOf = Effect.map(done(token, "GET", `/v1/automation/${id}`), (it) => it.automation.owner_id as number)
        yield* done(admin.key, "PUT", `/v1/automation/${id}`, { name: "Other", description: "Now" })
        yield* done(admin.key, "POST", `/v1/automation/${id}/activate`)
        yield* done(admin.key, "POST", `/v1/automation/${id}/pause`)
        assert.strictEqual(yield* ownerOf, owner.userId)
        const copy = yield* done(admin.key, "POST", `/v1/automation/${id}/duplicate`, {})
        assert.strictEqual(copy.automation.owner_id, admin.userId)
        yield* done(admin.key, "PUT", `/v1/automation/${id}`, { filter: null })
        assert.strictEqual(yield* ownerOf, admin.userId)
        const { revisions } = yield* done(token, "GET", `/v1/automation/${id}/revision`)
        const { actions, filter, name, trigger } = revisions.at(-1)
        yield* done(token, "PUT", `/v1/automation/${id}`, { actions, filter, name, trigger })
        assert.strictEqual(yield* ownerOf, owner.userId)
      })
  )

  it.effect("A20: a token's scopes and selection hold for what it saves: scripts", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { appId, orgId, owner, secret, token, workspaceId } = vault
      const recordId = yield* recordIn(vault)
      const thief = yield* seedUser(orgId, "member", "Thief")
      const steal = [
        code(
          `const tried = async (...call) => { try { const { data } = await api.request(...call); return data } catch (error) { return String(error.message) } }
           return { users: await tried("GET", "/org/user"), record: await tried("GET", "/record/${secret.recordId}"),
             own: await tried("GET", "/record/${recordId}"),
             admin: await tried("PUT", "/org/user/${thief.userId}", { role: "admin" }),
             again: await tried("POST", "/automation/app/${appId}", { name: "Again", actions: [] }) }`,
          "loot"
        )
      ]
      // The token's owner sees all of it.
      yield* done(vault.keeper.key, "POST", `/v1/workspace/${vault.vaultId}/member`, {
        user_id: owner.userId,
        role: "admin"
      })
      const pat = yield* seedToken(owner.userId, scopesOfAutomations, { appIds: [appId] })
      const limited = yield* ran(pat, yield* saved(pat, appId, steal), recordId)
      const { admin, again, own, record, users } = limited.variables["loot"]
      for (const result of [users, record, own, admin])
        assert.match(String(result), /scope|403/, JSON.stringify(limited.variables))
      assert.strictEqual(yield* roleOf(thief.userId), "member")
      // What such a run saves has no more reach than itself.
      const storedId = again.automation.id as number
      const sql = yield* SqlClient.SqlClient
      const [kept] = yield* sql<{
        reach: any
      }>`SELECT reach FROM automation_revisions WHERE automation_id = ${storedId}`
      assert.deepStrictEqual(kept!.reach.apps, [appId])
      assert.sameMembers(kept!.reach.scopes, [...scopesOfAutomations])

      const reading = yield* seedToken(owner.userId, [...scopesOfAutomations, "records:read"], {
        workspaceIds: [workspaceId]
      })
      const some = yield* ran(reading, yield* saved(reading, appId, steal), recordId)
      assert.match(String(some.variables["loot"].record), /No record with id|404/)
      assert.strictEqual(some.variables["loot"].own.record_id, recordId)

      const fullRun = yield* ran(token, yield* saved(token, appId, steal), recordId)
      assert.isArray(fullRun.variables["loot"].users.users, JSON.stringify(fullRun.variables))
      assert.strictEqual(fullRun.variables["loot"].record.record_id, secret.recordId)
      assert.strictEqual(yield* roleOf(thief.userId), "admin")
    })
  )

  it.effect("A20: a token's scopes and selection hold for what it saves: steps, values, filters", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { appId, keeper, owner, secret, token } = vault
      const recordId = yield* recordIn(vault)
      yield* done(keeper.key, "POST", `/v1/workspace/${vault.vaultId}/member`, { user_id: owner.userId, role: "admin" })
      const name = { kind: "variable", source: "field", field_id: vault.fields["name"]!, field_type: "single_text" }
      const attacks: ReadonlyArray<readonly [ReadonlyArray<string>, object, RegExp]> = [
        [["records:read"], { type: "record_create", config: { app_id: appId } }, /scope records:edit/],
        [["records:read"], text(vault, ["x"]), /scope records:edit/],
        [["records:edit"], compute("seen", name), /scope records:read/],
        [["records:edit"], compute("seen", "current_record.title"), /scope records:read/],
        [["records:edit"], { type: "collect_app_records", config: { app_id: appId } }, /scope records:read/],
        [["records:read", "records:edit"], { type: "record_create", config: { app_id: secret.appId } }, /no app/],
        [["records:read", "records:edit"], { type: "collect_app_records", config: { app_id: secret.appId } }, /no app/],
        [
          ["records:read", "records:edit"],
          { type: "current_record_comment_create", config: { comment_content: ["Hi"] } },
          /scope records.comments:edit/
        ],
        [
          ["records:read", "records:edit"],
          text(vault, [{ kind: "value", value_type: "record", record_id: secret.recordId }]),
          /[Rr]ecord/
        ],
        [
          ["records:read", "records:edit"],
          text(vault, [{ kind: "value", value_type: "user", user_id: keeper.userId }]),
          /scope organization:read/
        ],
        [
          ["records:read"],
          { type: "send_email", config: { to_address: ["a@example.com"], subject: ["Hi"], message_body: ["x"] } },
          /scope email:send/
        ]
      ]
      for (const [scopes, action, message] of attacks) {
        const pat = yield* seedToken(owner.userId, [...scopesOfAutomations, ...(scopes as ReadonlyArray<any>)], {
          appIds: [appId]
        })
        const id = yield* saved(pat, appId, [action])
        const startReply = yield* call(pat, "POST", `/v1/automation/${id}/manual-run`, { record_id: recordId })
        // What lies out of its reach is not there when the definition is checked; a scope is missed by the step.
        if (/scope/.test(message.source)) failedWith((yield* runsOver(id)).at(-1)!, message)
        else {
          assert.strictEqual(startReply.status, 409, startReply.text)
          assert.match(JSON.stringify(startReply.json.errors), message)
        }
        completed(yield* ran(token, yield* saved(token, appId, [action]), recordId))
      }
      const blind = yield* seedToken(owner.userId, [...scopesOfAutomations, "records:edit"], { appIds: [appId] })
      const filtered = yield* done(blind, "POST", `/v1/automation/app/${appId}`, {
        name: "Filtered",
        trigger: { type: "record_created", config: {} },
        filter: { operator: "and", rows: [{ subject: name, operator: "is_not_empty" }] },
        actions: [code("return 1")]
      })
      const judged = yield* ran(token, filtered.automation.id, recordId)
      failedWith(judged, /scope records:read/)
      assert.strictEqual(judged.failure_reason, "filters_failed")
    })
  )

  it.effect(
    "A20: an admin demoted in the middle of a script has lost the right with its next call, and with the next step",
    () =>
      Effect.gen(function* () {
        const vault = yield* seedVault
        const { appId, orgId, token, workspaceId } = vault
        const recordId = yield* recordIn(vault)
        const fallen = yield* seedUser(orgId, "admin", "Fallen")
        const target = yield* seedUser(orgId, "member", "Target")
        yield* done(token, "POST", `/v1/workspace/${workspaceId}/member`, { user_id: fallen.userId, role: "member" })
        const long = code(
          `await api.request("PUT", "/org/user/${target.userId}", { phone: "1" })
         for (let n = 0; n < 55; n++) {
           const { data } = await api.Record.get(${recordId})
           if (data.title === "Go") break
           await sleep(1000)
         }
         try { await api.request("PUT", "/org/user/${target.userId}", { role: "admin" }); return "done" } catch (error) { return String(error.message) }`,
          "answer"
        )
        const id = yield* saved(fallen.key, appId, [long, promote(target.userId), text(vault, ["Fallen"])])
        yield* done(token, "POST", `/v1/automation/${id}/manual-run`, { record_id: recordId })
        const sql = yield* SqlClient.SqlClient
        yield* eventually(
          "the script's first call",
          sql<{ phone: string | null }>`SELECT phone FROM users WHERE user_id = ${target.userId}`,
          ([row]) => row?.phone === "1"
        )
        yield* done(token, "PUT", `/v1/org/user/${fallen.userId}`, { role: "member" })
        yield* done(token, "PUT", `/v1/record/${recordId}?workflow=false`, { fields: { name: "Go" } })
        const [run] = yield* runsOver(id)
        completed(run!)
        const rows = yield* sql<{
          value: string
        }>`SELECT value FROM run_variables WHERE run_id = ${run!.run_id}::bigint`
        assert.match(rows[0]!.value, /Only owners and organization admins|403/)
        assert.strictEqual(yield* roleOf(target.userId), "member")
        // A member may still write records.
        assert.strictEqual(yield* nameOf(recordId, vault.fields["name"]!), "Fallen")
      })
  )

  it.effect("A20: a run that waits acts for its revision's author, with the rights of when it goes on", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { admin, appId, token, workspaceId } = vault
      const recordId = yield* recordIn(vault)
      const steps = [{ type: "delay", config: { delay_ms: 86_400_000 } }, text(vault, ["Late"])]
      const id = yield* saved(admin.key, appId, steps)
      yield* done(admin.key, "POST", `/v1/automation/${id}/manual-run`, { record_id: recordId })
      yield* waiting(id)
      // Somebody else's save is about later runs.
      yield* done(token, "PUT", `/v1/automation/${id}`, { actions: [code("return 1")] })
      yield* done(token, "DELETE", `/v1/workspace/${workspaceId}/member/${admin.userId}`)
      yield* endDelays(id)
      const [run] = yield* runsOver(id)
      failedWith(run!, /No (?:app|record) with id/)
      assert.strictEqual(yield* nameOf(recordId, vault.fields["name"]!), "Bolt")
    })
  )

  it.effect("A21: a file named by id is readable to the author or made in this run", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { admin, appId, keeper, secret } = vault
      const recordId = yield* recordIn(vault)
      const names = (fileId: number) => ({
        type: "custom_code",
        config: {
          code: [`return [{ file_id: ${fileId}, filename: "x" }]`],
          custom_variable_defs: [{ custom_type: "multi_file", label: "Loot" }]
        }
      })
      const papers = {
        kind: "variable",
        source: "field",
        field_id: vault.fields["papers"]!,
        field_type: "multi_attachment"
      }
      const uses: ReadonlyArray<object> = [
        compute("seen", custom("Loot", "multi_file")),
        compute("seen", "var_loot_download_url"),
        code("return var_loot_download_url", "seen"),
        text(vault, [{ ...custom("Loot", "multi_file"), property: "download_url" }]),
        {
          type: "send_email",
          config: {
            to_address: ["a@example.com"],
            subject: ["Loot"],
            message_body: ["x"],
            attach_files_variable_defs: [custom("Loot", "multi_file")]
          }
        },
        {
          type: "current_record_update",
          config: { field_assignments: [assignTo(papers, [custom("Loot", "multi_file")])] }
        },
        { type: "current_record_update", config: { field_assignments: [assignCode(papers, [`[${secret.fileId}]`])] } },
        {
          type: "for_loop",
          config: {
            iterable: custom("Loot", "multi_file"),
            action_rows: [compute("seen", custom("Loot", "multi_file"))]
          }
        }
      ]
      for (const use of uses) {
        const run = yield* ran(admin.key, yield* saved(admin.key, appId, [names(secret.fileId), use]), recordId)
        failedWith(run, new RegExp(`[Ff]ile.*${secret.fileId}`))
      }
      // From a list in a variable of any kind, as an item of a loop and as an attachment.
      const any = {
        ...names(secret.fileId),
        config: { ...names(secret.fileId).config, custom_variable_defs: [{ custom_type: "any", label: "Loot" }] }
      }
      const loop = {
        type: "for_loop",
        config: { iterable: custom("Loot"), action_rows: [compute("seen", custom("Loot"))] }
      }
      const attached = {
        type: "send_email",
        config: {
          to_address: ["a@example.com"],
          subject: ["Loot"],
          message_body: ["x"],
          attach_files_variable_defs: [custom("Loot")]
        }
      }
      for (const use of [loop, attached]) {
        const run = yield* ran(admin.key, yield* saved(admin.key, appId, [any, use]), recordId)
        failedWith(run, new RegExp(`[Ff]ile.*${secret.fileId}`))
      }
      // A file that the author may read, and one that the run has made.
      const [temporary] = yield* upload(admin.key, [{ name: "own.txt" }])
      yield* done(admin.key, "PUT", `/v1/record/${recordId}?workflow=false`, { fields: { papers: [temporary] } })
      const read = yield* done(admin.key, "GET", `/v1/record/${recordId}`)
      const ownFile = read.fields.find((it: any) => it.external_id === "papers").values[0].value.id as number
      for (const use of uses.filter((_, index) => index !== 6)) {
        completed(yield* ran(admin.key, yield* saved(admin.key, appId, [names(ownFile), use]), recordId))
      }
      const printed = {
        type: "create_pdf",
        config: { pdf_body: ["Hello"], custom_variable_def: { custom_type: "single_file", label: "Made" } }
      }
      const fileRun = yield* ran(
        admin.key,
        yield* saved(admin.key, appId, [
          printed,
          compute("seen", "var_made_download_url"),
          {
            type: "current_record_update",
            config: { field_assignments: [assignTo(papers, [custom("Made", "single_file")])] }
          }
        ]),
        recordId
      )
      completed(fileRun)
      assert.match(fileRun.variables["seen"], /\/file\/\d+\?/)
      // And who may read the private one may use it.
      yield* done(vault.token, "POST", `/v1/workspace/${vault.workspaceId}/member`, {
        user_id: keeper.userId,
        role: "admin"
      })
      for (const use of uses.slice(0, 5)) {
        completed(yield* ran(keeper.key, yield* saved(keeper.key, appId, [names(secret.fileId), use]), recordId))
      }
    })
  )

  it.effect("A21: a called run has the files that it was handed, and no others of the run that calls it", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { admin, appId, token } = vault
      const recordId = yield* recordIn(vault)
      const sql = yield* SqlClient.SqlClient
      const paper = { custom_type: "single_file", label: "Paper" }
      const createdAutomation = yield* done(admin.key, "POST", `/v1/automation/app/${appId}`, {
        name: "Called",
        trigger: {
          type: "automation_called",
          config: { custom_variable_defs_enabled: true, custom_variable_defs: [paper] }
        },
        actions: [compute("seen", "var_paper_download_url")]
      })
      const called = createdAutomation.automation.id as number
      yield* done(admin.key, "POST", `/v1/automation/${called}/activate`)
      const calling = (argument: string) => [
        { type: "create_pdf", config: { pdf_body: ["Hello"], custom_variable_def: { ...paper, label: "Other" } } },
        { type: "create_pdf", config: { pdf_body: ["Hello"], custom_variable_def: { ...paper, label: "Made" } } },
        {
          type: "current_record_call_automation",
          config: {
            automation_id: called,
            call_arguments: [{ variable_def: paper, assignment_type: "set_code", code: [argument] }]
          }
        }
      ]
      completed(yield* ran(token, yield* saved(token, appId, calling("var_made")), recordId))
      completed((yield* runsOver(called))[0]!)
      // A caller of the API has no such run behind it.
      const [other] = yield* sql<{
        file_id: number
      }>`SELECT max(file_id) AS file_id FROM files WHERE name LIKE 'Other%'`
      yield* done(token, "POST", `/v1/automation/${called}/trigger`, {
        trigger_on_record_id: recordId,
        trigger_with_arguments: { var_paper: { file_id: other!.file_id } }
      })
      failedWith((yield* runsOver(called, 2)).at(-1)!, new RegExp(`No file with id ${other!.file_id}`))
    })
  )

  it.effect("a private workspace keeps its last admin, like the organization its last owner: 409 (2.2, 2.3)", () =>
    Effect.gen(function* () {
      const { admin, keeper, owner, token, vaultId } = yield* seedVault
      const member = (user_id: number, role: string) =>
        call(keeper.key, "POST", `/v1/workspace/${vaultId}/member`, { user_id, role })
      const leave = (userId: number) => call(keeper.key, "DELETE", `/v1/workspace/${vaultId}/member/${userId}`)
      const user = (method: string, body?: object) => call(token, method, `/v1/org/user/${keeper.userId}`, body)
      const refusals = [
        yield* member(keeper.userId, "guest"),
        yield* member(keeper.userId, "member"),
        yield* leave(keeper.userId),
        yield* user("PUT", { role: "guest" }),
        yield* user("DELETE")
      ]
      for (const reply of refusals) {
        assert.deepStrictEqual([reply.status, reply.json.error_code], [409, "conflict_error"], reply.text)
        assert.include(reply.json.error_message, String(vaultId))
      }
      assert.strictEqual((yield* member(keeper.userId, "admin")).status, 200)
      // Who is deactivated is shut out at once, and is the admin still when they come back.
      assert.strictEqual((yield* user("PUT", { status: "deactivated" })).status, 200)
      assert.strictEqual((yield* user("PUT", { status: "active" })).status, 200)
      // Another admin counts only while they can act.
      yield* done(token, "PUT", `/v1/org/user/${keeper.userId}`, { role: "admin" })
      const key = (yield* ApiCredentials.use((keys) => keys.rotateKey(keeper.userId))).token
      yield* done(key, "POST", `/v1/workspace/${vaultId}/member`, { user_id: admin.userId, role: "admin" })
      yield* done(token, "PUT", `/v1/org/user/${admin.userId}`, { status: "deactivated" })
      assert.strictEqual((yield* call(key, "DELETE", `/v1/workspace/${vaultId}/member/${keeper.userId}`)).status, 409)
      yield* done(token, "PUT", `/v1/org/user/${admin.userId}`, { status: "active" })
      yield* done(key, "DELETE", `/v1/workspace/${vaultId}/member/${keeper.userId}`)
      // The operator's way in.
      const grant = yield* Workspaces.use((it) => it.giveAdmin(vaultId, owner.userId))
      assert.deepStrictEqual([grant.user_id, grant.role], [owner.userId, "admin"])
      const notFound = yield* Effect.flip(Workspaces.use((it) => it.giveAdmin(vaultId, 999_999)))
      assert.strictEqual(notFound._tag, "NotFound")
    })
  )

  it.effect("two admins of a private workspace who leave at the same moment: one stays", () =>
    Effect.gen(function* () {
      const { admin, keeper, vaultId } = yield* seedVault
      yield* done(keeper.key, "POST", `/v1/workspace/${vaultId}/member`, { user_id: admin.userId, role: "admin" })
      const replies = yield* Effect.all(
        [keeper, admin].map(({ key, userId }) => call(key, "DELETE", `/v1/workspace/${vaultId}/member/${userId}`)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
    })
  )

  it.effect("A21: records, users, options, views and automations named by id", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { admin, appId, keeper, secret, token, workspaceId } = vault
      const stranger = yield* seedVault
      const recordId = yield* recordIn(vault)
      const view = (yield* done(keeper.key, "GET", `/v1/app/${secret.appId}/views`)).views[0].view_id as number
      const record = (record_id: number) => ({ kind: "value", value_type: "record", record_id })
      const private_ = [
        text(vault, [record(secret.recordId)]),
        { type: "display_webpage", config: { webpage_body: [record(secret.recordId)] } },
        { type: "create_pdf", config: { pdf_body: [record(secret.recordId)] } }
      ]
      const run = (key: string, action: object) =>
        Effect.flatMap(saved(key, appId, [action]), (id) => ran(key, id, recordId))
      for (const action of private_) {
        const definition = yield* call(admin.key, "POST", `/v1/automation/app/${appId}`, {
          name: "Steps",
          trigger: { type: action === private_[1] ? "weblink_clicked" : "record_created", config: {} },
          actions: [action]
        })
        // As one that does not exist: it does not validate (7.12), so it is not even begun.
        const id = definition.json.automation.id as number
        const startReply = yield* call(admin.key, "POST", `/v1/automation/${id}/manual-run`, { record_id: recordId })
        assert.strictEqual(startReply.status, 409, startReply.text)
        assert.include(JSON.stringify(startReply.json.errors), `There is no record ${secret.recordId}.`)
      }
      // A view's id is checked for its presence only.
      const viewed = { type: "collect_app_view_records", config: { app_id: appId, app_view_id: view } }
      failedWith(yield* run(admin.key, viewed), /view/)
      // An id that only the run knows.
      const computed = code(`return (await api.Record.get(${secret.recordId})).data.title`, "answer")
      failedWith(yield* run(admin.key, computed), /[Rr]ecord/)
      yield* done(token, "POST", `/v1/workspace/${workspaceId}/member`, { user_id: keeper.userId, role: "admin" })
      completed(yield* run(keeper.key, text(vault, [record(secret.recordId)])))
      assert.strictEqual(yield* nameOf(recordId, vault.fields["name"]!), "Takeover plans")
      // Of another organization nothing is there.
      for (const item of [
        record(stranger.secret.recordId),
        { kind: "value", value_type: "user", user_id: stranger.keeper.userId }
      ]) {
        const id = yield* saved(admin.key, appId, [text(vault, [item])])
        const startReply = yield* call(admin.key, "POST", `/v1/automation/${id}/manual-run`, { record_id: recordId })
        if (startReply.status === 202) failedWith((yield* runsOver(id))[0]!, /No (?:record|user)/)
        else assert.strictEqual(startReply.status, 409, startReply.text)
      }
    })
  )

  it.effect(
    "O9: the token of a weblink stands nowhere in the clear, and later steps and called runs still have it",
    () =>
      Effect.gen(function* () {
        const vault = yield* seedVault
        const { appId, token } = vault
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { taken } = yield* Smtp
        const recordId = yield* recordIn(vault)
        const link = { custom_type: "single_link", label: "Link" }
        const make = (name: string, body: object) =>
          Effect.map(
            done(token, "POST", `/v1/automation/app/${appId}`, { name, ...body }),
            (it) => it.automation.id as number
          )
        const mail = (subject: string) => ({
          type: "send_email",
          config: { to_address: ["a@example.com"], subject: [subject], message_body: [custom("Link", "single_link")] }
        })
        const active = (id: number) => done(token, "POST", `/v1/automation/${id}/activate`)
        const clicked = yield* make("Clicked", {
          trigger: { type: "weblink_clicked", config: {} },
          actions: [{ type: "display_webpage", config: { webpage_body: ["Thanks"] } }]
        })
        const called = yield* make("Called", {
          trigger: {
            type: "automation_called",
            config: { custom_variable_defs_enabled: true, custom_variable_defs: [link] }
          },
          actions: [mail(`Called ${recordId}`)]
        })
        yield* active(clicked)
        yield* active(called)
        const each = { kind: "variable", source: "custom", custom_type: "any", label: "Links" }
        const actions = [
          {
            type: "current_record_generate_automation_weblink",
            config: { automation_id: clicked, weblink_expiration: "never", custom_variable_def: link }
          },
          compute("Links", "[var_link, var_link.split('/').pop()]"),
          {
            type: "for_loop",
            config: { iterable: each, action_rows: [{ type: "delay", config: { delay_ms: 1000 } }] }
          },
          { type: "delay", config: { delay_ms: 86_400_000 } },
          {
            type: "current_record_call_automation",
            config: {
              automation_id: called,
              call_arguments: [{ variable_def: link, assignment_type: "set", value: [custom("Link", "single_link")] }]
            }
          },
          compute("Again", "var_link.split('/').pop()"),
          mail(`Later ${recordId}`)
        ]
        const id = yield* make("Makes", { trigger: { type: "weblink_clicked", config: {} }, actions })
        yield* done(token, "POST", `/v1/automation/${id}/manual-run`, { record_id: recordId })
        yield* eventually("it waits a day", waiting(id), (run) => run.wait_until!.getTime() > Date.now() + 3_600_000)
        yield* endDelays(id)
        const [run] = yield* runsOver(id)
        completed(run!)
        const mails = yield* eventually(
          "both mails",
          Effect.sync(() => taken.filter(({ mail }) => mail.subject?.endsWith(` ${recordId}`) === true)),
          (all) => all.length >= 2
        )
        const urls = mails.map(({ mail }) => /http\S+\/trigger\/[0-9a-f-]{36}/.exec(mail.html ?? mail.text ?? "")![0])
        assert.strictEqual(urls[0], urls[1])
        const path = new URL(urls[0]!).pathname
        const secret = path.split("/").at(-1)!
        const tables = yield* sql<{ name: string }>`
        SELECT relname AS name FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`
        const tablesWithSecret: Array<string> = []
        for (const { name } of tables) {
          const [row] = yield* sql<{ n: number }>`
          SELECT count(*)::int AS n FROM ${sql(name)} t WHERE to_jsonb(t)::text LIKE ${`%${secret}%`}`
          if (row!.n > 0) tablesWithSecret.push(name)
        }
        assert.deepStrictEqual(tablesWithSecret, [])
        const page = yield* app.call("GET", path)
        assert.deepStrictEqual([page.status, page.text.includes("Thanks")], [200, true], page.text)
      })
  )
})
