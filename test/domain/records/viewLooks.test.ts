// developer-api.md 11.6: what a view keeps of its look, and what becomes of it as fields go or change.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const options = [{ text: "x" }, { text: "y" }]

layer(appLayer(), { excludeTestServices: true })("developer-api.md 11.6: looks of views", (it) => {
  const setup = Effect.gen(function* () {
    const seed = yield* seedWorkspace
    const app = yield* createApp(seed.owner, seed.workspaceId, [
      field("single_text", "Name"),
      field("single_category", "Kind", { options }),
      field("multi_category", "Tags", { options }),
      field("single_user", "Clerk"),
      field("single_date", "Due"),
      field("range_date", "Stay"),
      field("multi_image", "Photos"),
      field("created_by", "Author")
    ])
    const call = as(seed.owner)
    const ids = Object.fromEntries(app.fields.map((f: any) => [f.slug, f.field_id])) as Record<string, number>
    const create = (body: object) =>
      call("POST", `/v1/view/app/${app.app_id}`, { name: "Mine", layout: "table", ...body })
    return { ...seed, appId: app.app_id as number, call, create, ids }
  })

  it.effect("columns, frozen, group_by and the fields of layouts read back; null clears, omitted stays", () =>
    Effect.gen(function* () {
      const { call, create, ids } = yield* setup
      const sentLook = {
        columns: [
          { field_id: ids["kind"], width: 60 },
          { field_id: ids["name"], hidden: true },
          { field_id: ids["due"] }
        ],
        frozen: 3,
        group_by: ids["author"],
        board_field_id: ids["clerk"],
        calendar_field_ids: [ids["due"], ids["stay"]],
        cover_field_id: ids["photos"]
      }
      const creation = yield* create({ layout: "gallery", ...sentLook })
      assert.strictEqual(creation.status, 201, creation.text)
      const { view } = creation.json
      assert.deepInclude(view, { layout: "gallery", ...sentLook })
      const update = (body: object) => call("PUT", `/v1/view/${view.view_id}`, body)
      assert.deepStrictEqual((yield* update(view)).json.view, view)
      assert.deepStrictEqual((yield* update({ layout: "calendar", frozen: 0 })).json.view, {
        ...view,
        layout: "calendar",
        frozen: 0
      })
      const none = { columns: null, frozen: null, group_by: null, board_field_id: null, calendar_field_ids: null }
      assert.deepInclude((yield* update({ ...none, cover_field_id: null })).json.view, {
        ...{ ...none, cover_field_id: null },
        ...{ columns: [], frozen: 1, calendar_field_ids: [] }
      })
    })
  )

  it.effect("fields of other apps, of unfitting types, named twice or out of bounds are refused with their place", () =>
    Effect.gen(function* () {
      const { create, call, ids } = yield* setup
      const elsewhere = yield* setup
      const { view } = (yield* create({})).json
      const column = { field_id: ids["name"] }
      const refusals: ReadonlyArray<readonly [object, string, string]> = [
        [{ columns: [column, { field_id: elsewhere.ids["name"] }] }, "validation", "columns[1].field_id"],
        [{ columns: [column, column] }, "validation", "columns[1].field_id"],
        [{ columns: [{ ...column, width: 59 }] }, "input_validation", "columns[0].width"],
        [{ columns: [{ ...column, width: 801 }] }, "input_validation", "columns[0].width"],
        [{ columns: [{ ...column, colour: "red" }] }, "input_validation", "columns[0].colour"],
        [{ columns: Array.from({ length: 201 }, () => column) }, "input_validation", "columns"],
        [{ frozen: 21 }, "input_validation", "frozen"],
        [{ group_by: ids["photos"] }, "validation", "group_by"],
        [{ group_by: elsewhere.ids["kind"] }, "validation", "group_by"],
        [{ board_field_id: ids["author"] }, "validation", "board_field_id"],
        [{ board_field_id: ids["due"] }, "validation", "board_field_id"],
        [{ board_field_id: ids["tags"] }, "validation", "board_field_id"],
        [{ calendar_field_ids: [ids["due"], ids["kind"]] }, "validation", "calendar_field_ids[1]"],
        [{ calendar_field_ids: [ids["due"], ids["due"]] }, "validation", "calendar_field_ids[1]"],
        [{ calendar_field_ids: [1, 2, 3] }, "input_validation", "calendar_field_ids"],
        [{ cover_field_id: ids["name"] }, "validation", "cover_field_id"]
      ]
      for (const [body, code, place] of refusals) {
        for (const refusal of [yield* create(body), yield* call("PUT", `/v1/view/${view.view_id}`, body)]) {
          assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, code], refusal.text)
          assert.include(refusal.json.error_message, place)
        }
      }
      assert.deepStrictEqual((yield* call("GET", `/v1/view/${view.view_id}`)).json.view, view)
    })
  )

  it.effect("a deleted field leaves every place of the app's views, and its usage names them first", () =>
    Effect.gen(function* () {
      const { appId, call, create, ids } = yield* setup
      const columns = [{ field_id: ids["name"] }, { field_id: ids["kind"], hidden: true }, { field_id: ids["due"] }]
      const { view } = (yield* create({
        ...{ columns, group_by: ids["kind"], board_field_id: ids["kind"], cover_field_id: ids["photos"] },
        calendar_field_ids: [ids["due"], ids["stay"]]
      })).json
      const other = (yield* create({ name: "Columns alone", columns })).json.view
      for (const slug of ["kind", "due", "photos"]) {
        const usage = yield* call("GET", `/v1/field/${ids[slug]}/usage`)
        assert.deepStrictEqual(usage.json.views, [{ view_id: view.view_id, name: "Mine" }], slug)
      }
      const removedFields = ["kind", "due", "photos"].map((slug) => ({ field_id: ids[slug] }))
      const deletion = yield* call("PUT", `/v1/app/${appId}`, { fields_to_delete: removedFields })
      assert.strictEqual(deletion.status, 200, deletion.text)
      assert.deepStrictEqual((yield* call("GET", `/v1/view/${view.view_id}`)).json.view, {
        ...view,
        ...{ columns: [{ field_id: ids["name"] }], group_by: null, board_field_id: null, cover_field_id: null },
        calendar_field_ids: [ids["stay"]]
      })
      const otherColumns = (yield* call("GET", `/v1/view/${other.view_id}`)).json.view.columns
      assert.deepStrictEqual(otherColumns, [{ field_id: ids["name"] }])
    })
  )
})
