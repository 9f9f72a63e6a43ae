// From test to production (`automation export --portable` and `automation apply`): names instead of ids, one automation for
// one key, everything that is missing told at once.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "yaml"
import { replaceIds, secretsIn } from "../../../../src/domain/automations/definitions/portableNames.ts"
import { apply } from "../../../../src/interfaces/cli/automationCommands.ts"
import { exportPortable } from "../../../../src/interfaces/cli/portableApply.ts"
import { App, appLayer, seedUser } from "../../../support/app.ts"
import { create, field, seedApp } from "../support.ts"

/** Names an app, fields, options, a user, another automation and a mail account. */
const definition = (seeded: Effect.Success<typeof seeding>, called: number) => {
  const { appId, fields, options, owner } = seeded
  const state = field(fields["state"]!, "status")
  return {
    name: "Close deliveries",
    timezone: "Europe/Vienna",
    pause_after_failures: 3,
    trigger: { type: "record_updated", config: { trigger_on_changes_field_ids: [fields["weight"]!] } },
    filter: {
      operator: "and",
      rows: [{ id: "f", subject: state, operator: "is", value: { type: "ids", ids: [options["state"]![0]!] } }]
    },
    actions: [
      {
        id: "update",
        type: "current_record_update",
        config: {
          author_id: owner.userId,
          field_assignments: [
            { field_type: "status", variable_def: state, field_value: [options["state"]![1]!] },
            {
              field_type: "single_user",
              variable_def: field(fields["driver"]!, "single_user"),
              field_value: [owner.userId]
            }
          ]
        }
      },
      { id: "collect", type: "collect_app_records", config: { app_id: appId, limit: 7 } },
      { id: "call", type: "current_record_call_automation", config: { automation_id: called } },
      { id: "upsert", type: "record_create", config: { app_id: appId, match_field_ids: [fields["weight"]!] } }
    ]
  }
}

/** An app with an automation that is called. */
const seeding = Effect.gen(function* () {
  const seeded = yield* seedApp()
  const creation = yield* create(seeded.token, seeded.appId, {
    name: "Called",
    trigger: { type: "automation_called", config: {} }
  })
  return { ...seeded, called: creation.json.automation.id as number }
})

/** The person who owns the first organization is a user of the second, too. */
const joined = Effect.fnUntraced(function* (userId: number, orgId: number) {
  const sql = yield* SqlClient.SqlClient
  const [user] = yield* sql<{ user_id: number }>`
    INSERT INTO users (org_id, person_id, name, role, status, created_on)
    SELECT ${orgId}, person_id, name, 'admin', 'active', now() FROM users WHERE user_id = ${userId} RETURNING user_id`
  return user!.user_id
})

layer(appLayer(), { excludeTestServices: true })("portable definitions", (it) => {
  it.effect("a file without ids makes the automation in another organization, once, and shows what would change", () =>
    Effect.gen(function* () {
      const app = yield* App
      const [from, to] = [yield* seeding, yield* seeding]
      const driver = yield* joined(from.owner.userId, to.orgId)
      const creation = yield* create(from.token, from.appId, definition(from, from.called))
      assert.strictEqual(creation.status, 201, creation.text)
      const { id } = creation.json.automation
      const text = yield* exportPortable(id, "yaml")
      assert.strictEqual(yield* exportPortable(id, "yaml"), text)
      const file = parse(text)
      assert.deepStrictEqual([file.portable, file.app, file.id], [2, { $app: "deliveries" }, undefined])
      assert.strictEqual(file.pause_after_failures, 3)
      assert.deepStrictEqual(file.trigger.config.trigger_on_changes_field_ids, [{ $field: "deliveries.weight" }])
      assert.deepStrictEqual(file.filter.rows[0].value.ids, [{ $option: "deliveries.state.Planned" }])
      assert.deepStrictEqual(file.actions[2].config.automation_id, { $automation: "deliveries.Called" })
      assert.strictEqual(file.actions[1].config.limit, 7)
      assert.deepStrictEqual(file.actions[3].config.match_field_ids, [{ $field: "deliveries.weight" }])
      assert.deepStrictEqual((yield* apply(text, undefined, undefined, false, undefined, from.orgId)).changes, [])

      const into = (more: string = text, dry = false) =>
        apply(more, undefined, undefined, dry, to.owner.userId, to.orgId)
      const planned = yield* into(text, true)
      assert.deepStrictEqual(planned, {
        automation_id: null,
        applied: false,
        changes: ['+ automation: "Close deliveries"']
      })
      const applied = yield* into()
      const copy = (yield* app.call("GET", `/v1/automation/${applied.automation_id}`, { token: to.token })).json
        .automation
      const expected = definition({ ...to, owner: { ...to.owner, userId: driver } }, to.called)
      assert.deepStrictEqual(copy.trigger, expected.trigger)
      assert.deepStrictEqual(copy.filter.rows[0].value, expected.filter.rows[0]!.value)
      const [update, collect, call, upsert] = copy.actions
      assert.deepStrictEqual(upsert.config.match_field_ids, [to.fields["weight"]])
      assert.strictEqual(update.config.author_id, driver)
      assert.deepStrictEqual(
        update.config.field_assignments.map((one: any) => [one.variable_def.field_id, one.field_value]),
        [
          [to.fields["state"], [to.options["state"]![1]]],
          [to.fields["driver"], [driver]]
        ]
      )
      assert.deepStrictEqual([collect.config.app_id, call.config.automation_id], [to.appId, to.called])
      // The key makes it one automation: again nothing, an edited file changes it in its place, and the copy's own file is the same.
      assert.deepStrictEqual(yield* into(), { automation_id: applied.automation_id, applied: false, changes: [] })
      const renamed = yield* into(text.replace("name: Close deliveries", "name: Close them"))
      assert.deepStrictEqual(renamed.changes, ['~ name: "Close deliveries" -> "Close them"'])
      assert.strictEqual(renamed.automation_id, applied.automation_id)
      yield* into()
      assert.strictEqual(yield* exportPortable(applied.automation_id!, "yaml"), text)
    })
  )

  it.effect("a private view has no name in a file (developer-api.md 11.6)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seeding
      const viewNamed = (name: string, isPrivate: boolean) =>
        Effect.map(
          app.call("POST", `/v1/view/app/${appId}`, { token, body: { name, layout: "table", private: isPrivate } }),
          ({ json }) => json.view.view_id as number
        )
      const [shared, own] = [yield* viewNamed("Ours", false), yield* viewNamed("Mine", true)]
      const collect = (app_view_id: number) => ({
        type: "collect_app_view_records",
        config: { app_id: appId, app_view_id }
      })
      const { id } = (yield* create(token, appId, {
        name: "Collects",
        trigger: { type: "record_created", config: {} },
        actions: [collect(shared), collect(own)]
      })).json.automation
      const file = parse(yield* exportPortable(id, "yaml"))
      assert.deepStrictEqual(
        file.actions.map(({ config }: any) => config.app_view_id),
        [{ $view: "deliveries.Ours" }, own]
      )
    })
  )

  it.effect("over the API: exported by who administers it, imported once, dry or not; changed by an edited file", () =>
    Effect.gen(function* () {
      const app = yield* App
      const [from, to] = [yield* seeding, yield* seeding]
      yield* joined(from.owner.userId, to.orgId)
      const creation = yield* create(from.token, from.appId, definition(from, from.called))
      const exported = yield* app.call("GET", `/v1/automation/${creation.json.automation.id}/portable`, {
        token: from.token
      })
      const { file } = exported.json
      assert.deepStrictEqual(file, JSON.parse(yield* exportPortable(creation.json.automation.id, "json")))
      const into = Effect.fnUntraced(function* (body: object, token = to.token) {
        const { json, status } = yield* app.call("POST", "/v1/automation/portable", { token, body })
        return { status, ...json }
      })
      const count = Effect.map(
        app.call("GET", `/v1/automation/app/${to.appId}`, { token: to.token }),
        ({ json }) => json.total as number
      )
      const planned = { missing: [], changes: ['+ automation: "Close deliveries"'], app_id: to.appId }
      const nothing = { status: 200, applied: false, automation_id: null }
      assert.deepStrictEqual(yield* into({ file, dry_run: true }), { ...nothing, ...planned })
      assert.strictEqual(yield* count, 1)
      const [one, twin] = yield* Effect.all([into({ file }), into({ file })], { concurrency: 2 })
      assert.strictEqual(one.automation_id, twin.automation_id)
      assert.deepStrictEqual([one.applied, twin.applied].toSorted(), [false, true])
      assert.strictEqual(yield* count, 2)
      const renamed = yield* into({ file: { ...file, name: "Close them" } })
      assert.deepStrictEqual(
        [renamed.automation_id, renamed.applied, renamed.changes],
        [one.automation_id, true, ['~ name: "Close deliveries" -> "Close them"']]
      )
    })
  )

  it.effect(
    "over the API: what is missing in a dry run's list, and a 400 else; nobody learns names that they do not see",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const [from, to] = [yield* seeding, yield* seedApp([{ field_type: "number", config: { label: "Weight" } }])]
        const creation = yield* create(from.token, from.appId, definition(from, from.called))
        const { file } = (yield* app.call("GET", `/v1/automation/${creation.json.automation.id}/portable`, {
          token: from.token
        })).json
        const into = (body: object, token = to.token) => app.call("POST", "/v1/automation/portable", { token, body })
        const dry = (yield* into({ file, dry_run: true })).json
        assert.deepStrictEqual([dry.applied, dry.automation_id, dry.app_id, dry.changes], [false, null, to.appId, []])
        assert.include(dry.missing, 'actions[2].config.automation_id: there is no automation "deliveries.Called"')
        const refusal = yield* into({ file })
        assert.strictEqual(refusal.status, 400, refusal.text)
        for (const missingPart of dry.missing) assert.include(refusal.json.error_message, missingPart)
        for (const bad of [
          { file: {} },
          { file: { portable: 3, key: "a" } },
          { file: { portable: 2, key: "a b" } },
          {}
        ])
          assert.strictEqual((yield* into(bad)).status, 400, JSON.stringify(bad))
        // A member of the other organization sees none of its apps: the file's app is missing for them as one that is not there.
        const member = yield* seedUser(from.orgId, "member")
        const blind = (yield* into({ file, dry_run: true }, member.key)).json
        assert.include(blind.missing, 'app: there is no app "deliveries"')
        assert.strictEqual((yield* into({ file, app_id: from.appId }, member.key)).status, 404)
      })
  )

  it.effect("all that is missing is told at once with its place, and nothing is changed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [from, to] = [yield* seeding, yield* seedApp([{ field_type: "number", config: { label: "Weight" } }])]
      const creation = yield* create(from.token, from.appId, definition(from, from.called))
      const text = yield* exportPortable(creation.json.automation.id, "json")
      const refusal = yield* Effect.flip(apply(text, undefined, undefined, false, to.owner.userId, to.orgId))
      const [first, ...lines] = refusal.message.split("\n")
      assert.match(first!, /nothing was changed/)
      const [person] = yield* sql<{ email: string }>`
        SELECT lower(email) AS email FROM people JOIN users USING (person_id) WHERE user_id = ${from.owner.userId}`
      for (const expectedLine of [
        '- filter.rows[0].subject, character 1, {{ record.state }}: the app "Deliveries" has no field "state"',
        '- filter.rows[0].value.ids[0]: there is no option "deliveries.state.Planned"',
        `- actions[0].config.author_id: there is no user "${person!.email}"`,
        '- actions[2].config.automation_id: there is no automation "deliveries.Called"'
      ]) {
        assert.include(lines, expectedLine)
      }
      assert.isFalse(lines.some((line) => line.includes("deliveries.weight")))
      const raw = text.replace(/\{\s*"\$field": "deliveries.weight"\s*\}/, "4403")
      const named = yield* Effect.flip(apply(raw, undefined, undefined, true, to.owner.userId, to.orgId))
      assert.include(named.message, "the field with the id 4403 has no name in the file")
      const count = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM automations WHERE org_id = ${to.orgId}`
      assert.strictEqual(count[0]!.n, 0)
      for (const [changed, message] of [
        [text.replace('"portable": 2', '"portable": 3'), /^portable: /],
        [text.replace(/"key": "\w+"/, '"key": "a b"'), /^key: /]
      ] as const) {
        assert.match(
          (yield* Effect.flip(apply(changed, undefined, undefined, false, to.owner.userId, to.orgId))).message,
          message
        )
      }
      const nowhere = yield* Effect.flip(apply(text, undefined, undefined, false, to.owner.userId))
      assert.match(nowhere.message, /--org/)
    })
  )

  it.effect(
    "a record without a title stays an id in the file, which names none; a title that many have is none either",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const seeded = yield* seedApp([
          { field_type: "single_text", config: { label: "Title" } },
          { field_type: "single_text", config: { label: "Note" } }
        ])
        const record = Effect.fnUntraced(function* (fields: object) {
          const body = { fields }
          return (yield* app.call("POST", `/v1/record/app/${seeded.appId}`, { token: seeded.token, body })).json
            .record_id
        })
        const [untitled, one] = [yield* record({ note: "x" }), yield* record({ title: "Twin" })]
        yield* record({ title: "Twin" })
        const named = (record_id: number) => ({ kind: "value", value_type: "record", record_id })
        const creation = yield* create(seeded.token, seeded.appId, {
          actions: [
            {
              id: "a",
              type: "send_email",
              config: { to_address: ["a@harbor.example"], subject: [named(untitled), named(one)] }
            }
          ]
        })
        assert.strictEqual(creation.status, 201, creation.text)
        const path = `/v1/automation/${creation.json.automation.id}/portable`
        const exported = yield* app.call("GET", path, { token: seeded.token })
        assert.strictEqual(exported.status, 200, exported.text)
        const { file } = exported.json
        const ids = file.actions[0].config.subject.map((each: any) => each.record_id)
        assert.deepStrictEqual(ids, [untitled, { $record: "deliveries.Twin" }])
        const body = { file, dry_run: true }
        const { missing } = (yield* app.call("POST", "/v1/automation/portable", { token: seeded.token, body })).json
        assert.sameMembers(missing, [
          `actions[0].config.subject[0].record_id: the record with the id ${untitled} has no name in the file`,
          'actions[0].config.subject[1].record_id: there are 2 times the record "deliveries.Twin"'
        ])
      })
  )

  it.effect("two apps of one external id are told apart by --app; secrets have to be there", () =>
    Effect.gen(function* () {
      const app = yield* App
      const seeded = yield* seedApp([])
      const body = { actions: [{ id: "a", type: "custom_code", config: { code: "return secret('token')" } }] }
      const creation = yield* create(seeded.token, seeded.appId, body)
      const text = yield* exportPortable(creation.json.automation.id, "yaml")
      const to = yield* seedApp([])
      const workspace = yield* app.call("POST", "/v1/workspace", {
        token: to.token,
        body: { name: "Other", type: "closed" }
      })
      const twin = { workspace_id: workspace.json.workspace_id, name: "Deliveries", item_name: "Delivery", fields: [] }
      assert.strictEqual((yield* app.call("POST", "/v1/app", { token: to.token, body: twin })).status, 200)
      const refusal = yield* Effect.flip(apply(text, undefined, undefined, true, to.owner.userId, to.orgId))
      assert.include(refusal.message, 'app: there are 2 times the app "deliveries"')
      assert.include(refusal.message, 'there is no secret "token" that the app may use')
      const otherRefusal = yield* Effect.flip(apply(text, to.appId, undefined, true, to.owner.userId))
      assert.notInclude(otherRefusal.message, "app: there are")
      const foreign = yield* Effect.flip(apply(text, seeded.appId, undefined, true, to.owner.userId, to.orgId))
      assert.match(foreign.message, /has no app with id/)
    })
  )
})

describe("ids in a definition", () => {
  it("are those of the keys that name something; other numbers, and values of numbers, are none", () => {
    const foundIds: Array<string> = []
    const value = {
      trigger: { config: { triggering_app_ids: [1, 2] } },
      actions: [
        { config: { delay_ms: 5, limit: 6, smtp_account_id: 7, author_id: { kind: "variable", field_id: 8 } } },
        {
          config: { field_assignments: [{ field_type: "number", variable_def: { field_id: 9 }, field_value: ["10"] }] }
        },
        { config: { value: { kind: "value", value_type: "option", field_id: 11, option_id: 12 } } },
        { config: { match_condition: { rows: [{ subject: { source: "meta" }, value: { type: "ids", ids: [13] } }] } } }
      ],
      concurrency: { at_most: 14 }
    }
    replaceIds(value, ({ id, kind }) => foundIds.push(`${kind} ${id}`))
    assert.deepStrictEqual(foundIds, [
      ...["app 1", "app 2", "smtp_account 7", "field 8", "field 9", "field 11", "option 11/12", "user 13"]
    ])
  })

  it("secrets are found in references and in scripts", () => {
    const value = {
      body: [{ kind: "variable", source: "secret", name: "a" }],
      code: ["return secret('b') + secret( \"c\" )"]
    }
    assert.deepStrictEqual([...secretsIn(value)].sort(), ["a", "b", "c"])
  })
})
