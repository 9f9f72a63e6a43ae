// developer-api.md 7.1 to 7.3: automations over HTTP, their states, versions, revisions and listings.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedToken, seedUser } from "../../../support/app.ts"
import { commands, create, field, makeApp, seedApp } from "../support.ts"

const runnable = {
  trigger: { type: "record_created", config: {} },
  actions: [{ type: "delay", config: { delay_ms: 1000 } }]
}

layer(appLayer(), { excludeTestServices: true })("developer-api.md 7: automations", (it) => {
  it.effect("7.1: a new automation is a draft at version 1 with the documented members", () =>
    Effect.gen(function* () {
      const { appId, owner, token, workspaceId } = yield* seedApp()
      const creation = yield* create(token, appId, { name: "Close deliveries" })
      assert.strictEqual(creation.status, 201)
      const { created_at, updated_at, id, ...rest } = creation.json.automation
      assert.match(created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      assert.strictEqual(updated_at, created_at)
      assert.isTrue(Number.isInteger(id))
      assert.deepStrictEqual(rest, {
        app_id: appId,
        workspace_id: workspaceId,
        name: "Close deliveries",
        status: "draft",
        paused: true,
        broken: false,
        broken_reason: null,
        version: 1,
        timezone: "UTC",
        owner_id: owner.userId,
        trigger: null,
        filter: null,
        actions: []
      })
      const app = yield* App
      const read = yield* app.call("GET", `/v1/automation/${id}`, { token })
      assert.deepStrictEqual(read.json, creation.json)
    })
  )

  it.effect("7.3: null for description or trigger on create is a 400; on update it clears, as it does filter", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, token } = yield* seedApp()
      for (const key of ["description", "trigger"]) {
        const refusal = yield* create(token, appId, { [key]: null })
        assert.strictEqual(refusal.status, 400)
        assert.strictEqual(refusal.json.error_code, "input_validation")
        assert.match(refusal.json.error_message, new RegExp(`^${key}: `))
      }
      const filter = { operator: "and", rows: [{ subject: field(fields["weight"]!, "number"), operator: "is_empty" }] }
      const creation = yield* create(token, appId, { ...runnable, description: "Marks", filter })
      const path = `/v1/automation/${creation.json.automation.id}`
      const body = { description: null, trigger: null, filter: null }
      const cleared = (yield* app.call("PUT", path, { token, body })).json.automation
      assert.isFalse("description" in cleared)
      assert.deepStrictEqual([cleared.trigger, cleared.filter, cleared.version], [null, null, 2])
      assert.deepStrictEqual(cleared.actions, creation.json.automation.actions)
    })
  )

  it.effect("7.3: PUT …/trigger takes the whole body as the trigger and answers the automation", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const { id } = (yield* create(token, appId)).json.automation
      const putTrigger = (body: unknown) => app.call("PUT", `/v1/automation/${id}/trigger`, { token, body })
      const set = yield* putTrigger({ type: "record_updated", config: { app_id: 5 } })
      assert.strictEqual(set.status, 200)
      assert.deepStrictEqual(set.json.automation.trigger, {
        type: "record_updated",
        config: { trigger_on_changes_field_ids: null }
      })
      const bad = yield* putTrigger({ type: "record_updated", config: { fields: [] } })
      assert.strictEqual(bad.status, 400)
      assert.match(bad.json.error_message, /^config\.fields: unknown key/)
    })
  )

  it.effect(
    "7.9: webhook_url is minted once, stable while the type stays, new after it changed, refused on input",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, token } = yield* seedApp()
        const createdAutomation = (yield* create(token, appId, { trigger: { type: "webhook_received", config: {} } }))
          .json.automation
        const url = createdAutomation.trigger.config.webhook_url
        assert.match(url, /^http:\/\/127\.0\.0\.1:8080\/api\/catch\/[\w-]{43}$/)
        const putTrigger = (trigger: unknown) =>
          app.call("PUT", `/v1/automation/${createdAutomation.id}`, { token, body: { trigger } })
        const kept = yield* putTrigger({ type: "webhook_received", config: { response_mode: "sync" } })
        assert.strictEqual(kept.json.automation.trigger.config.webhook_url, url)
        const refusal = yield* putTrigger({ type: "webhook_received", config: { webhook_url: url } })
        assert.strictEqual(refusal.status, 400)
        assert.strictEqual(
          refusal.json.error_message,
          "trigger.config.webhook_url: is assigned by the service and cannot be written"
        )
        yield* putTrigger({ type: "record_created", config: {} })
        const restoredTrigger = yield* putTrigger({ type: "webhook_received", config: {} })
        assert.notStrictEqual(restoredTrigger.json.automation.trigger.config.webhook_url, url)
      })
  )

  it.effect("7.2: activate, pause and their commands; both are idempotent", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const { id } = (yield* create(token, appId, runnable)).json.automation
      const post = (what: string) => app.call("POST", `/v1/automation/${id}/${what}`, { token })
      for (const status of ["active", "active"]) {
        const on = yield* post("activate")
        assert.strictEqual(on.json.automation.status, status)
        assert.strictEqual(on.json.automation.paused, false)
      }
      for (let n = 0; n < 2; n++) assert.strictEqual((yield* post("pause")).json.automation.status, "paused")
      const ownCommands = (yield* commands).filter(([automation]) => automation === id)
      assert.deepStrictEqual(
        ownCommands.map(([, change]) => change),
        ["activated", "paused"]
      )
    })
  )

  it.effect("7.2, 7.12: activate with mistakes is 409 with errors and changes nothing", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const { id } = (yield* create(token, appId)).json.automation
      const refusal = yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      assert.strictEqual(refusal.status, 409)
      assert.strictEqual(refusal.json.error_code, "conflict_error")
      assert.deepStrictEqual(
        refusal.json.errors.map((error: any) => [error.code, error.block_id, error.action_id]),
        [
          ["trigger_missing", "trigger", null],
          ["actions_empty", "actions", null]
        ]
      )
      const readAutomation = (yield* app.call("GET", `/v1/automation/${id}`, { token })).json.automation
      assert.deepStrictEqual([readAutomation.status, readAutomation.broken], ["draft", false])
      const valid = yield* app.call("GET", `/v1/automation/${id}/validate`, { token })
      assert.deepStrictEqual(valid.json, { valid: true, errors: [] })
    })
  )

  it.effect("7.2: a removed field breaks what needs it in the same transaction; activate clears it again", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, token } = yield* seedApp()
      const weight = fields["weight"]!
      const filter = {
        operator: "and",
        rows: [{ id: "w", subject: field(weight, "number"), operator: "is_empty" }]
      }
      const needs = (yield* create(token, appId, { ...runnable, filter })).json.automation
      const other = (yield* create(token, appId, runnable)).json.automation
      for (const { id } of [needs, other]) yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      const fieldDeletion = yield* app.call("PUT", `/v1/app/${appId}`, {
        token,
        body: { fields_to_delete: [{ field_id: weight }] }
      })
      assert.strictEqual(fieldDeletion.status, 200)
      const read = (id: number) =>
        Effect.map(app.call("GET", `/v1/automation/${id}`, { token }), (r) => r.json.automation)
      const broken = yield* read(needs.id)
      assert.deepStrictEqual([broken.status, broken.broken, broken.paused], ["broken", true, false])
      assert.deepStrictEqual(broken.broken_reason.errors, [
        {
          code: "filter_variable_missing",
          message: `There is no field ${weight}.`,
          field_id: weight,
          match_type: "is_empty",
          block_id: "w",
          action_id: null
        }
      ])
      assert.strictEqual((yield* read(other.id)).status, "active")
      assert.deepInclude(yield* commands, [needs.id, "broken"] as const)
      assert.strictEqual((yield* app.call("POST", `/v1/automation/${needs.id}/activate`, { token })).status, 409)
      const fixed = yield* app.call("PUT", `/v1/automation/${needs.id}`, { token, body: { filter: null } })
      assert.strictEqual(fixed.json.automation.status, "broken", "an update does not recompute broken")
      const on = yield* app.call("POST", `/v1/automation/${needs.id}/activate`, { token })
      assert.deepStrictEqual([on.json.automation.status, on.json.automation.broken_reason], ["active", null])
    })
  )

  it.effect("7.2: a deleted call target breaks its callers; the deleted one is gone from all reads", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const target = (yield* create(token, appId, { trigger: { type: "automation_called", config: {} } })).json
        .automation
      const caller = (yield* create(token, appId, {
        ...runnable,
        actions: [{ id: "c", type: "current_record_call_automation", config: { automation_id: target.id } }]
      })).json.automation
      assert.strictEqual((yield* app.call("POST", `/v1/automation/${caller.id}/activate`, { token })).status, 200)
      const deletion = yield* app.call("DELETE", `/v1/automation/${target.id}`, { token })
      assert.deepStrictEqual([deletion.status, deletion.json.automation.id], [200, target.id])
      assert.strictEqual((yield* app.call("GET", `/v1/automation/${target.id}`, { token })).status, 404)
      const callerAfter = (yield* app.call("GET", `/v1/automation/${caller.id}`, { token })).json.automation
      assert.strictEqual(callerAfter.status, "broken")
      assert.deepInclude(callerAfter.broken_reason.errors[0], {
        code: "action_automation_missing",
        action_id: "c",
        automation_id: target.id
      })
      const list = yield* app.call("GET", `/v1/automation/app/${appId}`, { token })
      assert.deepStrictEqual(
        list.json.automations.map((a: any) => a.id),
        [caller.id]
      )
    })
  )

  it.effect("7.2: a deleted app breaks automations of other apps that name it, and its own are deleted", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token, workspaceId } = yield* seedApp()
      const other = yield* makeApp(token, workspaceId, [])
      const naming = (yield* create(token, appId, {
        ...runnable,
        actions: [{ id: "r", type: "record_create", config: { app_id: other.appId } }]
      })).json.automation
      const inside = (yield* create(token, other.appId, runnable)).json.automation
      assert.strictEqual((yield* app.call("DELETE", `/v1/app/${other.appId}`, { token })).status, 200)
      const namingAfter = (yield* app.call("GET", `/v1/automation/${naming.id}`, { token })).json.automation
      assert.deepStrictEqual(
        [namingAfter.status, namingAfter.broken_reason.errors[0].code],
        ["broken", "action_app_missing"]
      )
      assert.deepInclude(yield* commands, [inside.id, "deleted"] as const)
    })
  )

  it.effect("7.1: when the owner loses workspace admin the automation is paused", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, orgId, token, workspaceId } = yield* seedApp()
      const maker = yield* seedUser(orgId, "member")
      const member = (role: string) =>
        app.call("POST", `/v1/workspace/${workspaceId}/member`, { token, body: { user_id: maker.userId, role } })
      yield* member("admin")
      const { id } = (yield* create(maker.key, appId, runnable)).json.automation
      yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      yield* member("member")
      const pausedAutomation = (yield* app.call("GET", `/v1/automation/${id}`, { token })).json.automation
      assert.deepStrictEqual([pausedAutomation.status, pausedAutomation.owner_id], ["paused", maker.userId])
    })
  )

  it.effect("7: who is no workspace admin gets the uniform 404, and empty lists", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, orgId, owner, token, workspaceId } = yield* seedApp()
      const { id } = (yield* create(token, appId)).json.automation
      const member = yield* seedUser(orgId, "member")
      yield* app.call("POST", `/v1/workspace/${workspaceId}/member`, {
        token,
        body: { user_id: member.userId, role: "member" }
      })
      const stranger = (yield* seedOrganization()).owner
      const elsewhere = yield* seedToken(owner.userId, ["automations:read", "automations:edit"], { appIds: [999_999] })
      for (const key of [member.key, stranger.key, elsewhere]) {
        assert.strictEqual((yield* app.call("GET", `/v1/automation/${id}`, { token: key })).status, 404)
        assert.strictEqual((yield* create(key, appId)).status, 404)
        for (const path of [`app/${appId}`, `workspace/${workspaceId}`, "org"]) {
          const list = yield* app.call("GET", `/v1/automation/${path}`, { token: key })
          assert.deepStrictEqual(list.json, { total: 0, cursor: null, automations: [] })
        }
      }
    })
  )

  it.effect("each answer with an automation has its version as its ETag, which If-Match takes", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* seedApp([])
      const app = yield* App
      const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body: { name: "A" } })
      const path = `/v1/automation/${creation.json.automation.id}`
      const tagOf = (reply: typeof creation) => {
        assert.strictEqual(reply.headers.get("etag"), `"${reply.json.automation.version}"`, reply.text)
        return reply.headers.get("etag")!
      }
      tagOf(creation)
      const tag = tagOf(yield* app.call("GET", path, { token }))
      const putName = (name: string) => app.call("PUT", path, { token, body: { name }, headers: { "if-match": tag } })
      assert.notStrictEqual(tagOf(yield* putName("B")), tag)
      assert.strictEqual((yield* putName("C")).status, 409)
      tagOf(yield* app.call("POST", `${path}/pause`, { token }))
      tagOf(yield* app.call("POST", `${path}/duplicate`, { token, body: {} }))
    })
  )

  it.effect("If-Match on the version: another one is 409 and changes nothing; parallel writers, one wins", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const { id } = (yield* create(token, appId)).json.automation
      const putName = (name: string, version: string) =>
        app.call("PUT", `/v1/automation/${id}`, { token, body: { name }, headers: { "if-match": version } })
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, (_, n) => putName(`writer ${n}`, '"1"')),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map((a) => a.status).toSorted(), [200, 409, 409, 409, 409])
      assert.strictEqual((yield* putName("late", "1")).json.error_code, "conflict_error")
      assert.strictEqual((yield* putName("next", "2")).json.automation.version, 3)
      assert.strictEqual((yield* putName("bad", "x")).status, 400)
      // 1.5: input before state.
      assert.strictEqual((yield* putName("", "1")).status, 400)
    })
  )

  it.effect("7.3: every update adds a revision; a PUT of an old one's members rolls back", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const firstAutomation = (yield* create(token, appId, { ...runnable, name: "One" })).json.automation
      yield* app.call("PUT", `/v1/automation/${firstAutomation.id}`, { token, body: { name: "Two", actions: [] } })
      const { revisions } = (yield* app.call("GET", `/v1/automation/${firstAutomation.id}/revision`, { token })).json
      assert.deepStrictEqual(
        revisions.map((r: any) => [typeof r.id, r.name]),
        [
          ["string", "Two"],
          ["string", "One"]
        ]
      )
      const versions = (query: string) =>
        Effect.map(app.call("GET", `/v1/automation/${firstAutomation.id}/revision${query}`, { token }), ({ json }) =>
          json.revisions.map((one: any) => [one.version, typeof one.author.user_id, typeof one.author.name])
        )
      assert.deepStrictEqual(yield* versions("?limit=1"), [[revisions.length, "number", "string"]])
      assert.deepStrictEqual(yield* versions("?before_version=2"), [[1, "number", "string"]])
      const old = (yield* app.call("GET", `/v1/automation/${firstAutomation.id}/revision/${revisions[1].id}`, {
        token
      })).json.revision
      const { name, trigger, filter, actions, ...rest } = old
      assert.deepStrictEqual(Object.keys(rest).toSorted(), [
        "author",
        "automation_id",
        "broken",
        "created_at",
        "id",
        "paused",
        "version"
      ])
      const restoration = yield* app.call("PUT", `/v1/automation/${firstAutomation.id}`, {
        token,
        body: { name, trigger, filter, actions }
      })
      const { name: n, trigger: t, filter: f, actions: a, version } = restoration.json.automation
      assert.deepStrictEqual([n, t, f, a, version], ["One", firstAutomation.trigger, null, firstAutomation.actions, 3])
      for (const id of ["999999999", "x", "99999999999999999999"]) {
        assert.strictEqual(
          (yield* app.call("GET", `/v1/automation/${firstAutomation.id}/revision/${id}`, { token })).status,
          404
        )
      }
    })
  )

  it.effect("7.3: duplicate is a draft with new node ids and a new inbound URL, into another app when asked", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, token, workspaceId } = yield* seedApp()
      const other = yield* makeApp(token, workspaceId, [])
      const source = (yield* create(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        filter: {
          operator: "and",
          rows: [{ id: "f", subject: field(fields["weight"]!, "number"), operator: "is_empty" }]
        },
        actions: [{ id: "a", type: "conditional", config: { action_rows: [{ id: "b", type: "exit", config: {} }] } }]
      })).json.automation
      const copied = yield* app.call("POST", `/v1/automation/${source.id}/duplicate`, {
        token,
        body: { app_id: other.appId, name: "Copy" }
      })
      assert.strictEqual(copied.status, 201)
      const copy = copied.json.automation
      assert.deepStrictEqual([copy.app_id, copy.name, copy.status, copy.version], [other.appId, "Copy", "draft", 1])
      assert.notStrictEqual(copy.trigger.config.webhook_url, source.trigger.config.webhook_url)
      const ids = [copy.filter.rows[0].id, copy.actions[0].id, copy.actions[0].config.action_rows[0].id]
      assert.strictEqual(new Set([...ids, "f", "a", "b"]).size, 6)
      const missing = yield* app.call("POST", `/v1/automation/${source.id}/duplicate`, {
        token,
        body: { app_id: 999_999 }
      })
      assert.strictEqual(missing.status, 404)
    })
  )

  it.effect("1.4, 7.3: listings go by ascending id with a frozen total, a status filter and bound cursors", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token, workspaceId } = yield* seedApp()
      const automationIds: Array<number> = []
      for (let n = 0; n < 3; n++) automationIds.push((yield* create(token, appId, runnable)).json.automation.id)
      yield* app.call("POST", `/v1/automation/${automationIds[1]}/activate`, { token })
      const get = (query: string, path = `app/${appId}`) =>
        app.call("GET", `/v1/automation/${path}?${query}`, { token })
      const firstPage = (yield* get("limit=2")).json
      assert.deepStrictEqual(
        [firstPage.total, firstPage.automations.map((a: any) => a.id)],
        [3, [automationIds[0], automationIds[1]]]
      )
      const second = (yield* get(`limit=2&cursor=${encodeURIComponent(firstPage.cursor)}`)).json
      assert.deepStrictEqual([second.total, second.cursor, second.automations[0].id], [3, null, automationIds[2]])
      const foreign = yield* get(`cursor=${encodeURIComponent(firstPage.cursor)}`, `workspace/${workspaceId}`)
      assert.deepStrictEqual([foreign.status, foreign.json.error_code], [400, "validation"])
      assert.deepStrictEqual(
        (yield* get("status=active", "org")).json.automations.map((a: any) => a.id),
        [automationIds[1]]
      )
      for (const [bad, code] of [
        ["limit=0", "validation"],
        ["limit=101", "validation"],
        ["limit=x", "invalid_request_url"],
        ["limit=1.5", "invalid_request_url"],
        ["status=live", "invalid_request_url"]
      ] as const) {
        const refusal = yield* get(bad)
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, code], bad)
      }
    })
  )

  it.effect("7.3, 9: an app holds at most 500 automations; deleted ones do not count, copies do", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { appId, token, workspaceId } = yield* seedApp()
      const id = (yield* create(token, appId, runnable)).json.automation.id
      yield* sql`
        WITH copies AS (
          INSERT INTO automations (org_id, app_id, owner_id, name, timezone, revision_id, actions, field_ids, app_ids,
            automation_ids, created_on, updated_on)
          SELECT org_id, app_id, owner_id, 'Copy ' || n, timezone, nextval(pg_get_serial_sequence('automation_revisions',
            'revision_id')), '[]', '{}', '{}', '{}', created_on, updated_on
          FROM automations, generate_series(1, 498) n WHERE automation_id = ${id} RETURNING *
        )
        INSERT INTO automation_revisions (revision_id, automation_id, version, name, timezone, paused, broken, actions, created_on)
        OVERRIDING SYSTEM VALUE
        SELECT revision_id, automation_id, 1, name, timezone, true, false, actions, created_on FROM copies`
      assert.strictEqual((yield* create(token, appId)).status, 201, "the 500th")
      const refusal = yield* create(token, appId)
      assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
      assert.match(refusal.json.error_message, /500/)
      const duplicate = (body: object) => app.call("POST", `/v1/automation/${id}/duplicate`, { token, body })
      assert.strictEqual((yield* duplicate({})).status, 400)
      const other = yield* makeApp(token, workspaceId, [{ field_type: "single_text", config: { label: "A" } }])
      assert.strictEqual((yield* duplicate({ app_id: other.appId })).status, 201)
      yield* app.call("DELETE", `/v1/automation/${id}`, { token })
      assert.strictEqual((yield* create(token, appId)).status, 201)
      assert.strictEqual((yield* create(token, appId)).status, 400)
    })
  )

  it.effect("7.6: a node id that stands twice is a 400, also beside what is stored", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, token } = yield* seedApp()
      const subject = field(fields["reference"]!, "single_text")
      const filter = (id: string) => ({ operator: "and", rows: [{ id, subject, operator: "is_empty" }] })
      const stop = (id: string) => ({ id, type: "exit", config: { exit_type: "success" } })
      const creation = yield* create(token, appId, { filter: filter("f"), actions: [stop("a")] })
      const id = creation.json.automation.id
      const putAutomation = (body: object) => app.call("PUT", `/v1/automation/${id}`, { token, body })
      for (const [body, place] of [
        [{ filter: filter("a") }, "actions[0].id"],
        [{ actions: [stop("f")] }, "actions[0].id"],
        [{ actions: [stop("b"), { type: "conditional", config: { action_rows: [stop("b")] } }] }, "actions[1].config"],
        [{ filter: filter("b"), actions: [stop("b")] }, "actions[0].id"]
      ] as const) {
        const refusal = yield* putAutomation(body)
        assert.strictEqual(refusal.status, 400, JSON.stringify(body))
        assert.include(refusal.json.error_message, place)
      }
      assert.strictEqual((yield* app.call("GET", `/v1/automation/${id}`, { token })).json.automation.version, 1)
      assert.strictEqual((yield* putAutomation({ filter: filter("a"), actions: [stop("f")] })).status, 200)
    })
  )
})
