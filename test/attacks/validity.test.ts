// Attacks on what a check of a definition tells (decisions A20, A21; developer-api.md 7.1, 7.3, 7.12): what is in a private workspace reads
// as what is nowhere, whatever asks; and nobody starts what has no owner any more.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { runsOver } from "../domain/automations/runSupport.ts"
import { makeApp } from "../domain/automations/support.ts"
import { seedToken } from "../support/app.ts"
import { spineLayer } from "../support/spine.ts"
import { call, code, completed, done, ran, recordIn, seedVault, type Vault } from "./support.ts"

const UNKNOWN = 999_999_999
const created = { type: "record_created", config: {} }
const field = (field_id: number, field_type: string, more: object = {}) => ({
  ...{ kind: "variable", source: "field", field_id, field_type },
  ...more
})
const is = (subject: object, value: object, operator = "is") => ({
  operator: "and",
  rows: [{ id: "row", subject, operator, value }]
})

/** What there is in the vault, kind by kind, and nowhere. */
const kinds = Effect.fnUntraced(function* (vault: Vault) {
  const { keeper, token, vaultId, workspaceId } = vault
  // A relation out of the vault, which whoever is outside does not see.
  yield* done(token, "POST", `/v1/workspace/${workspaceId}/member`, { user_id: keeper.userId, role: "member" })
  const { appId, fields } = yield* makeApp(keeper.key, vaultId, [
    { field_type: "single_text", config: { label: "Name" } },
    { field_type: "single_category", config: { label: "Kind", settings: { options: [{ text: "A", color: "gray" }] } } },
    {
      field_type: "single_relation",
      config: { label: "Of", settings: { referenced_apps: [{ app_id: vault.appId }] } }
    }
  ])
  const app = yield* done(keeper.key, "GET", `/v1/app/${appId}`)
  const option = app.fields.find((one: any) => one.field_id === fields["kind"]).config.settings.options[0].id as number
  const record = yield* done(keeper.key, "POST", `/v1/record/app/${appId}`, { fields: { name: "Plan" } })
  const createdAutomation = yield* done(keeper.key, "POST", `/v1/automation/app/${appId}`, {
    name: "Called",
    trigger: { type: "automation_called", config: {} },
    actions: [code("return 1", "X")]
  })
  const view = yield* done(keeper.key, "POST", `/v1/app/${appId}/views`, { name: "All", type: "table" }).pipe(
    Effect.catchDefect(() => Effect.succeed({ view_id: UNKNOWN }))
  )
  return {
    app: appId,
    field: fields["name"]!,
    kindField: fields["kind"]!,
    option,
    relation: fields["of"]!,
    record: record.record_id as number,
    automation: createdAutomation.automation.id as number,
    view: (view.view_id ?? UNKNOWN) as number
  }
})
type Ids = Effect.Success<ReturnType<typeof kinds>>
const nowhere: Ids = {
  ...{ app: UNKNOWN, field: UNKNOWN, kindField: UNKNOWN, option: UNKNOWN, relation: UNKNOWN },
  ...{ record: UNKNOWN, automation: UNKNOWN, view: UNKNOWN }
}

/** Definitions, each of which names one kind of id. */
const definitions = (own: { readonly name: number }, ids: Ids): Record<string, object> => {
  const note = (value: unknown) => ({
    id: "note",
    type: "custom_variable",
    config: { assignment_code: [value], custom_variable_defs: [{ custom_type: "any", label: "X" }] }
  })
  const step = (type: string, config: object) => ({ id: "step", type, config })
  const assigned = (field_value: unknown) => ({
    app_id: ids.app,
    field_assignments: [
      {
        ...{ field_type: "single_text", variable_def: field(ids.field, "single_text") },
        ...{ assignment_type: "set", field_value }
      }
    ]
  })
  const definitionOf = (...actions: ReadonlyArray<object>) => ({ trigger: created, actions })
  const updateWith = (value: object) => ({
    ...step("current_record_update", {
      field_assignments: [
        {
          ...{ field_type: "single_text", variable_def: field(own.name, "single_text") },
          ...{ assignment_type: "set", field_value: [value] }
        }
      ]
    })
  })
  return {
    app: definitionOf(step("collect_app_records", { app_id: ids.app })),
    "app with its field": definitionOf(step("record_create", assigned(["x"]))),
    "app of a view": definitionOf(step("collect_app_view_records", { app_id: ids.app, app_view_id: ids.view })),
    "related app": definitionOf(step("referenced_records_update", assigned(["x"]))),
    "app of a meta reference": definitionOf(
      step("collect_app_records", { app_id: ids.app }),
      note({ kind: "variable", source: "meta", meta_type: "record_id", app_id: ids.app, collection: true })
    ),
    "field in code": definitionOf(note(field(ids.field, "single_text"))),
    "field of a filter": {
      trigger: created,
      actions: [],
      filter: is(field(ids.field, "single_text"), { type: "text", text: ["x"] })
    },
    "field of a date": { trigger: { type: "date_field_arrived", config: { date_field_id: ids.field } }, actions: [] },
    "changed fields": {
      trigger: { type: "record_updated", config: { trigger_on_changes_field_ids: [ids.field] } },
      actions: []
    },
    "option in a filter": {
      trigger: created,
      actions: [],
      filter: is(field(ids.kindField, "single_category"), { type: "ids", ids: [ids.option] })
    },
    "option constant": definitionOf(
      updateWith({ kind: "value", value_type: "option", field_id: ids.kindField, option_id: ids.option })
    ),
    "record constant": definitionOf(updateWith({ kind: "value", value_type: "record", record_id: ids.record })),
    "called automation": definitionOf(step("current_record_call_automation", { automation_id: ids.automation })),
    "automation after failure": { ...definitionOf(note("1")), on_failure_automation_id: ids.automation },
    "apps of a call": {
      trigger: {
        type: "automation_called",
        config: { triggering_app_ids: [ids.app], triggering_app_ids_enabled: true }
      },
      actions: []
    }
  }
}

/** An answer with the ids that were asked about made alike; that of the own field stays. */
const alike = (reply: { readonly status: number; readonly text: string }, ids: Ids, own?: number) => {
  const knownIds = [...new Set(Object.values(ids))].filter((id) => id !== UNKNOWN)
  const text = knownIds.reduce(
    (all, id) => all.replaceAll(new RegExp(`(?<!and )\\b${id}\\b`, "g"), String(UNKNOWN)),
    reply.text.replaceAll(`"field_id":${own},`, '"field_id":"own",')
  )
  return { status: reply.status, text: text.replaceAll(/\/v1\/(automation|hook)\/\d+/g, "/v1/$1/n") }
}

layer(spineLayer(), { excludeTestServices: true, timeout: 300_000 })("what a check tells", (it) => {
  it.effect("A21: whatever is in a private workspace validates as what is nowhere, kind by kind", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { admin, appId, fields, keeper, owner, token } = vault
      const recordId = yield* recordIn(vault)
      const ids = yield* kinds(vault)
      const ownFields = { name: fields["name"]! }
      const repliesTo = Effect.fnUntraced(function* (as: string, what: string, ids: Ids) {
        const createReply = yield* call(as, "POST", `/v1/automation/app/${appId}`, {
          name: "Probe",
          ...(definitions(ownFields, ids)[what] as object)
        })
        assert.strictEqual(createReply.status, 201, `${what}: ${createReply.text}`)
        const path = `/v1/automation/${createReply.json.automation.id}`
        const replies = [yield* call(as, "GET", `${path}/validate`)]
        // What refuses for the same reasons, once for each kind.
        if (as === admin.key)
          replies.push(
            yield* call(as, "POST", `${path}/activate`),
            yield* call(as, "POST", `${path}/simulate`, { record_id: recordId }),
            yield* call(as, "POST", `${path}/manual-run`, { record_id: recordId })
          )
        return replies.map((reply) => alike(reply, ids, ownFields.name))
      })
      const narrowToken = yield* seedToken(
        owner.userId,
        ["automations:read", "automations:edit", "automations:run", "apps:read", "records:read"],
        { appIds: [appId] }
      )
      for (const what of Object.keys(definitions(ownFields, ids))) {
        for (const as of [admin.key, narrowToken])
          assert.deepStrictEqual(yield* repliesTo(as, what, ids), yield* repliesTo(as, what, nowhere), what)
      }
      // The filter of a hook is checked by the same rules.
      const { hook_id } = yield* done(admin.key, "POST", `/v1/hook/app/${appId}`, {
        url: "https://93.184.215.14/in",
        type: "record.create"
      })
      const sifted = Effect.fnUntraced(function* (as: string, filter: object) {
        return yield* call(as, "PUT", `/v1/hook/${hook_id}/settings`, { filter })
      })
      for (const filter of [
        ({ field: id }: Ids) => is(field(id, "single_text"), { type: "text", text: ["x"] }),
        ({ kindField, option }: Ids) => is(field(kindField, "single_category"), { type: "ids", ids: [option] }),
        ({ record }: Ids) =>
          is(field(ownFields.name, "single_text"), {
            type: "text",
            text: [{ kind: "value", value_type: "record", record_id: record }]
          })
      ]) {
        const [seen, unseen] = [yield* sifted(admin.key, filter(ids)), yield* sifted(admin.key, filter(nowhere))]
        assert.strictEqual(seen.status, 400, seen.text)
        assert.deepStrictEqual(alike(seen, ids), alike(unseen, nowhere))
      }
      // Whoever sees it is told more.
      yield* done(keeper.key, "POST", `/v1/workspace/${vault.vaultId}/member`, { user_id: owner.userId, role: "admin" })
      const replies = yield* repliesTo(token, "app", ids)
      assert.strictEqual(JSON.parse(replies[0]!.text).valid, true, replies[0]!.text)
      const called = yield* repliesTo(token, "called automation", ids)
      assert.include(called[0]!.text, "belongs to another app")
    })
  )

  it.effect("A20: the author's sight decides whether it may run; who asks is told of what both see", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { admin, appId, keeper, owner, token } = vault
      const ids = yield* kinds(vault)
      yield* done(keeper.key, "POST", `/v1/workspace/${vault.vaultId}/member`, { user_id: owner.userId, role: "admin" })
      const collects = { id: "c", type: "collect_app_records", config: { app_id: ids.app } }
      const createdAutomation = yield* done(token, "POST", `/v1/automation/app/${appId}`, {
        name: "Both",
        trigger: created,
        actions: [collects]
      })
      const path = `/v1/automation/${createdAutomation.automation.id}`
      // It works for whoever starts it.
      yield* done(admin.key, "POST", `${path}/activate`)
      yield* done(admin.key, "POST", `${path}/pause`)
      completed(yield* ran(admin.key, createdAutomation.automation.id, yield* recordIn(vault)))
      // What the admin names in it without becoming its author is not looked up with the author's rights.
      const validateWith = Effect.fnUntraced(function* (id: number) {
        yield* done(admin.key, "PUT", path, { on_failure_automation_id: id })
        return alike(yield* call(admin.key, "GET", `${path}/validate`), ids)
      })
      assert.deepStrictEqual(yield* validateWith(ids.automation), yield* validateWith(UNKNOWN))
    })
  )

  it.effect("A20, 7.1: what has lost its owner is not started by anybody, until somebody saves it", () =>
    Effect.gen(function* () {
      const vault = yield* seedVault
      const { admin, appId, owner, token, workspaceId } = vault
      const recordId = yield* recordIn(vault)
      const body = { name: "Orphan", trigger: created, actions: [{ id: "one", ...code("return 1", "X") }] }
      const createdAutomation = yield* done(admin.key, "POST", `/v1/automation/app/${appId}`, body)
      const id = createdAutomation.automation.id as number
      const path = `/v1/automation/${id}`
      yield* done(admin.key, "POST", `${path}/activate`)
      yield* done(token, "DELETE", `/v1/workspace/${workspaceId}/member/${admin.userId}`)
      const lost = Effect.gen(function* () {
        for (const [method, what, sent] of [
          ["GET", "validate", undefined],
          ["POST", "activate", undefined],
          ["POST", "manual-run", { record_id: recordId }],
          ["POST", "simulate", { record_id: recordId }],
          ["POST", "test-step", { action_id: "one", record_id: recordId }]
        ] as const) {
          const reply = yield* call(token, method, `${path}/${what}`, sent)
          assert.deepStrictEqual([what, reply.status, reply.json.error_code], [what, 409, "automation_owner_lost"])
          assert.match(reply.json.error_message, /save it to take it over/)
        }
      })
      yield* lost
      assert.strictEqual((yield* done(token, "GET", path)).automation.paused, true)
      // A new name changes nobody's rights; a saved definition does.
      yield* done(token, "PUT", path, { name: "Still an orphan" })
      yield* lost
      const saved = yield* done(token, "PUT", path, { filter: null })
      assert.strictEqual(saved.automation.owner_id, owner.userId)
      assert.strictEqual((yield* done(token, "GET", `${path}/validate`)).valid, true)
      yield* done(token, "POST", `${path}/activate`)
      yield* done(token, "POST", `${path}/manual-run`, { record_id: recordId })
      completed((yield* runsOver(id, 1)).at(-1)!)
      // A person who is out of the organization altogether.
      const other = yield* done(token, "PUT", `/v1/org/user/${admin.userId}`, { status: "active" })
      assert.strictEqual(other.user_id, admin.userId)
      yield* done(token, "POST", `/v1/workspace/${workspaceId}/member`, { user_id: admin.userId, role: "admin" })
      yield* done(admin.key, "PUT", path, { filter: null })
      yield* done(token, "PUT", `/v1/org/user/${admin.userId}`, { status: "deactivated" })
      yield* lost
    })
  )
})
