// docs/decisions.md, "The console": what uses a field or an app is told before it is removed (developer-api.md 3.1, 7.2, 2.3).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const reference = (field_id: number) => ({ kind: "variable", source: "field", field_id, field_type: "single_text" })

/** An app whose field is used by everything that can use one, and another app that points at it. */
const used = Effect.gen(function* () {
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const by = as(owner)
  const ships = yield* createApp(owner, workspaceId, [field("single_text", "Name"), field("number", "Length")])
  const [name, length] = ships.fields
  const { app_id } = ships
  const crews = yield* createApp(owner, workspaceId, [
    field("single_text", "Who"),
    field("single_relation", "Ship", { referenced_apps: [{ app_id }] })
  ])
  const filter = { field_id: name.field_id, type: "text", match_type: "contains", values: [{ value: "gull" }] }
  yield* by("POST", `/v1/view/app/${app_id}`, { name: "Gulls", layout: "table", filters: [filter] })
  yield* by("POST", `/v1/view/app/${app_id}`, { name: "By name", layout: "table", sort_by: name.field_id })
  yield* by("POST", `/v1/view/app/${app_id}`, { name: "By length", layout: "table", sort_by: length.field_id })
  const records: ReadonlyArray<any> = (yield* by("POST", `/v1/record/app/batch/${app_id}`, {
    inputs: [{ fields: { name: "Gull" } }, { fields: { name: "Tern" } }, { fields: { length: 4 } }]
  })).json.records
  yield* by("DELETE", `/v1/record/${records[1].record_id}`)
  yield* by("POST", `/v1/comment/record/${records[0].record_id}`, { value: "Seen" })
  const { automation } = (yield* by("POST", `/v1/automation/app/${crews.app_id}`, {
    name: "Names a ship",
    trigger: { type: "record_created", config: {} },
    actions: [
      {
        type: "record_create",
        config: {
          app_id,
          field_assignments: [
            {
              field_type: "single_text",
              variable_def: reference(name.field_id),
              assignment_type: "set",
              field_value: ["Gull"]
            }
          ]
        }
      }
    ]
  })).json
  return { app_id, automation, by, crews, length, name, orgId }
})

layer(appLayer(), { excludeTestServices: true })("what uses a field or an app", (it) => {
  it.effect(
    "of a field: records with a value, also in the trash, views by filter and sort, automations that name it",
    () =>
      Effect.gen(function* () {
        const { automation, by, crews, length, name } = yield* used
        const { json } = yield* by("GET", `/v1/field/${name.field_id}/usage`)
        assert.deepStrictEqual(
          { ...json, views: json.views.map((view: any) => view.name) },
          {
            field_id: name.field_id,
            records: 2,
            views: ["Gulls", "By name"],
            automations: [
              { automation_id: automation.id, name: "Names a ship", app_id: crews.app_id, app_name: crews.name }
            ],
            ...{ other_automations: 0, other_views: 0 },
            hooks: []
          }
        )
        const unused = (yield* by("GET", `/v1/field/${length.field_id}/usage`)).json
        assert.deepStrictEqual([unused.records, unused.views.length, unused.automations], [1, 1, []])
      })
  )

  it.effect("of an app: what goes with it, and what of other apps names it", () =>
    Effect.gen(function* () {
      const { app_id, by, crews } = yield* used
      const { json } = yield* by("GET", `/v1/app/${app_id}/usage`)
      assert.deepStrictEqual(
        [json.records, json.trashed_records, json.comments, json.views, json.hooks, json.own_automations],
        [2, 1, 1, 4, 0, 0]
      )
      assert.deepStrictEqual(
        json.automations.map((one: any) => one.name),
        ["Names a ship"]
      )
      assert.deepStrictEqual(json.relations, [
        { field_id: crews.fields[1].field_id, label: "Ship", app_id: crews.app_id, app_name: crews.name }
      ])
    })
  )

  it.effect("a hook that filters by a field, or is told of it alone, is named", () =>
    Effect.gen(function* () {
      const { app_id, by, length, name } = yield* used
      const hook = Effect.fnUntraced(function* (more: object) {
        const body = { type: "record.update", url: "https://example.com/hook" }
        const { hook_id } = (yield* by("POST", `/v1/hook/app/${app_id}`, body)).json
        const set = yield* by("PUT", `/v1/hook/${hook_id}/settings`, more)
        assert.strictEqual(set.status, 200, set.text)
        return hook_id as number
      })
      const nameHook = yield* hook({ only_fields: [name.field_id] })
      yield* hook({ only_fields: [length.field_id] })
      const { json } = yield* by("GET", `/v1/field/${name.field_id}/usage`)
      assert.deepStrictEqual(json.hooks, [{ hook_id: nameHook, host: "example.com" }])
    })
  )

  it.effect("2.3: only who administers the app asks; what they may do there stands in the app", () =>
    Effect.gen(function* () {
      const { app_id, by, name, orgId } = yield* used
      const member = yield* seedUser(orgId, "member")
      for (const path of [`/v1/field/${name.field_id}/usage`, `/v1/app/${app_id}/usage`]) {
        const refusal = yield* as(member)("GET", path)
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [403, "restricted_resource"])
      }
      assert.strictEqual((yield* by("GET", "/v1/field/999999999/usage")).status, 404)
      const levels = [yield* by("GET", `/v1/app/${app_id}`), yield* as(member)("GET", `/v1/app/${app_id}`)]
      assert.deepStrictEqual(
        levels.map(({ json }) => json.permission_level),
        [5, 3]
      )
    })
  )
})
