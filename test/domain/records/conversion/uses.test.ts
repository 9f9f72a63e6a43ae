// developer-api.md 11.4: what else knows the field, relations and drawn values.
import { assert, layer } from "@effect/vitest"
import { Effect, Random } from "effect"
import { seedUser } from "../../../support/app.ts"
import { createApp, field } from "../../../support/records.ts"
import { conversionLayer, valued } from "./support.ts"

layer(conversionLayer, { excludeTestServices: true })("developer-api.md 11.4: what a conversion reaches", (it) => {
  it.effect(
    "uses are named first; automations that cannot use the type break, views lose conditions it does not have",
    () =>
      Effect.gen(function* () {
        const { appId, call, convert, converted, fieldId, sql } = yield* valued("single_date", undefined, [
          "2026-04-01"
        ])
        const automation = (yield* call("POST", `/v1/automation/app/${appId}`, {
          name: "When it comes",
          trigger: { type: "date_field_arrived", config: { date_field_id: fieldId } }
        })).json.automation
        const view = (yield* call("POST", `/v1/view/app/${appId}`, {
          ...{ name: "Soon", layout: "table", sort_by: fieldId },
          filters: [
            { field_id: fieldId, type: "date", match_type: "before", relative_date_type: "today" },
            { type: "app_record_id", match_type: "larger", values: [{ value: 0 }] }
          ]
        })).json.view
        const { used_by } = (yield* convert({ field_type: "single_text", dry_run: true })).json
        assert.deepStrictEqual(
          [
            used_by.automations.map(({ automation_id }: any) => automation_id),
            used_by.views.map(({ name }: any) => name)
          ],
          [[automation.id], ["Soon"]]
        )
        const job = yield* converted({ field_type: "single_text" })
        assert.strictEqual(job.status, "completed")
        const broken = (yield* call("GET", `/v1/automation/${automation.id}`)).json.automation
        assert.strictEqual(broken.broken, true)
        assert.include(JSON.stringify(broken.broken_reason), "trigger_date_field_not_date")
        const viewAfter = (yield* call("GET", `/v1/view/${view.view_id}`)).json.view
        assert.strictEqual(viewAfter.sort_by, fieldId)
        assert.deepStrictEqual(
          viewAfter.filters.map(({ type }: any) => type),
          ["app_record_id"]
        )
        const listing = yield* call("GET", `/v1/record/view/${view.view_id}`)
        assert.strictEqual(listing.json.total, 1)
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM unique_values WHERE field_id = ${fieldId}`, [])
      })
  )

  it.effect(
    "cursors from before the conversion of the field that orders records or groups are of another listing",
    () =>
      Effect.gen(function* () {
        const { appId, call, converted } = yield* valued("single_text", undefined, ["x", "y", "z"])
        const records = (query = "") => call("GET", `/v1/record/app/${appId}?limit=1&sort_by=value${query}`)
        const groups = (query = "") =>
          call("POST", `/v1/record/filter/app/${appId}/groups?limit=1${query}`, { group_by: "value", filters: [] })
        const cursors = yield* Effect.forEach([records, groups], (page) =>
          Effect.map(page(), ({ json }) => json.cursor)
        )
        assert.strictEqual((yield* converted({ field_type: "single_category" })).status, "completed")
        for (const [index, page] of [records, groups].entries()) {
          const reply = yield* page(`&cursor=${encodeURIComponent(cursors[index])}`)
          assert.strictEqual(reply.status, 400, reply.text)
          assert.include(reply.json.error_message, "issued by another listing")
        }
      })
  )

  it.effect("views keep the column of a converted field, and lose the places that its new type does not fit", () =>
    Effect.gen(function* () {
      const { appId, call, converted, fieldId } = yield* valued("single_category", { options: [{ text: "Open" }] }, [
        "Open"
      ])
      const columns = [{ field_id: fieldId, width: 90 }]
      const { view } = (yield* call("POST", `/v1/view/app/${appId}`, {
        ...{ name: "Board", layout: "board", columns, group_by: fieldId, board_field_id: fieldId }
      })).json
      const currentView = Effect.map(call("GET", `/v1/view/${view.view_id}`), ({ json }) => json.view)
      yield* converted({ field_type: "single_user" })
      assert.deepStrictEqual(yield* currentView, view)
      yield* converted({ field_type: "multi_user" })
      assert.deepStrictEqual(yield* currentView, { ...view, board_field_id: null })
      yield* converted({ field_type: "multi_text" })
      assert.deepStrictEqual(yield* currentView, { ...view, group_by: null, board_field_id: null })
    })
  )

  it.effect("an automation that can use the new type goes on", () =>
    Effect.gen(function* () {
      const { appId, call, converted, fieldId } = yield* valued("single_date", undefined, ["2026-04-01"])
      const automation = (yield* call("POST", `/v1/automation/app/${appId}`, {
        name: "When it comes",
        trigger: { type: "date_field_arrived", config: { date_field_id: fieldId } }
      })).json.automation
      yield* converted({ field_type: "range_date" })
      assert.strictEqual((yield* call("GET", `/v1/automation/${automation.id}`)).json.automation.broken, false)
    })
  )

  it.effect("titles become relations and back; links, titles and the history follow", () =>
    Effect.gen(function* () {
      const { appId, call, converted, fieldId, owner, recordIds, shown, sql, workspaceId } = yield* valued(
        "single_text",
        undefined,
        ["Swan", "Twin", "Nobody"]
      )
      const ships = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Ships")
      const createdIds: Array<number> = []
      for (const name of ["Swan", "Twin", "Twin"]) {
        const reply = yield* call("POST", `/v1/record/app/${ships.app_id}`, { fields: { name } })
        createdIds.push(reply.json.record_id)
      }
      const referenced_apps = [{ app_id: ships.app_id }]
      yield* call("PUT", `/v1/app/${appId}/fields/order`, { fields: [{ field_id: fieldId }] })
      const job = yield* converted({ field_type: "single_relation", config: { settings: { referenced_apps } } })
      assert.deepStrictEqual(
        job.report.map(({ message }: any) => message),
        ['names 2 records: "Twin"', 'names no record: "Nobody"']
      )
      const links = yield* sql`SELECT record_id, target_id FROM record_links WHERE field_id = ${fieldId}`
      assert.deepStrictEqual(links, [{ record_id: recordIds[0], target_id: createdIds[0] }])
      const titleOf = (id: number) => Effect.map(call("GET", `/v1/record/${id}`), ({ json }) => json.title)
      assert.strictEqual(yield* titleOf(recordIds[0]!), "Swan")
      assert.include(yield* titleOf(recordIds[1]!), "#2")
      yield* call("PUT", `/v1/record/${createdIds[0]}`, { fields: { name: "Heron" } })
      assert.strictEqual(yield* titleOf(recordIds[0]!), "Heron")
      yield* call("DELETE", `/v1/record/${createdIds[0]}`)
      const many = yield* converted({ field_type: "multi_relation" })
      assert.deepStrictEqual(many.counts, { converted: 1, unconvertible: 0, empty: 2 })
      yield* call("POST", `/v1/record/${createdIds[0]}/restore`)
      assert.strictEqual((yield* shown)[0]![0].value.title, "Heron")
      yield* converted({ field_type: "single_text" })
      assert.deepStrictEqual(
        (yield* shown).map((one) => one.map(({ value }) => value)),
        [["Heron"], [], []]
      )
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM record_links WHERE field_id = ${fieldId}`, [])
      const history = (yield* call("GET", `/v1/record/${recordIds[1]}/revision/0`)).json.fields
      assert.deepInclude(history[0], { field_type: "single_text", values: [{ value: "Twin" }] })
      const middle = (yield* call("GET", `/v1/record/${recordIds[0]}/revision/1`)).json.fields
      assert.deepInclude(middle[0], { field_type: "single_relation" })
    })
  )

  it.effect("people become addresses and back", () =>
    Effect.gen(function* () {
      const seeded = yield* valued("single_user", undefined, [])
      const mira = yield* seedUser(seeded.orgId, "member", "Mira Okafor")
      const { appId, call, converted, recordIds, shown } = seeded
      const reply = yield* call("POST", `/v1/record/app/${appId}`, { fields: { value: mira.userId } })
      recordIds.push(reply.json.record_id)
      yield* converted({ field_type: "multi_email" })
      const [[address]] = (yield* shown) as any
      assert.match(address.value, /@example\.com$/)
      yield* converted({ field_type: "multi_user" })
      const [[person]] = (yield* shown) as any
      assert.strictEqual(person.value.user_id, mira.userId)
    })
  )

  it.effect("a removed field takes the history of its former types along", () =>
    Effect.gen(function* () {
      const { appId, call, converted, fieldId, recordIds, sql } = yield* valued("single_text", undefined, ["1"])
      yield* converted({ field_type: "number" })
      yield* call("PUT", `/v1/app/${appId}`, { fields_to_delete: [{ field_id: fieldId }] })
      const deltas = yield* sql<{
        delta: object
      }>`SELECT delta FROM revisions WHERE record_id = ${recordIds[0]!} ORDER BY revision`
      for (const { delta } of deltas)
        assert.deepStrictEqual(
          Object.keys(delta).filter((key) => key.startsWith(String(fieldId))),
          []
        )
    })
  )

  it.effect("drawn texts: for each target the dry run counts what the job then does", () =>
    Effect.gen(function* () {
      const pieces = [
        "1",
        "2.50",
        "2026-04-01",
        "a@example.com",
        "https://example.com",
        "Red",
        ",",
        ";",
        "\n",
        " ",
        "&",
        "<b>",
        "é",
        "x"
      ]
      const draw = Effect.gen(function* () {
        let text = "t"
        if ((yield* Random.nextIntBetween(0, 3)) > 0) text = ""
        for (let n = yield* Random.nextIntBetween(1, 4); n > 0; n--)
          text += pieces[yield* Random.nextIntBetween(0, pieces.length)]
        return text.trim() === "" ? "x" : text
      })
      for (const field_type of [
        "multi_text",
        "number",
        "multi_category",
        "single_date",
        "multi_email",
        "multi_link",
        "checklist"
      ]) {
        const values: Array<string> = []
        for (let n = 0; n < 12; n++) values.push(yield* draw)
        const { convert, converted, shown } = yield* valued("single_text", undefined, values)
        const { outcome } = (yield* convert({ field_type, dry_run: true })).json
        const job = yield* converted({ field_type })
        const { converted: done, empty, unconvertible } = outcome
        assert.deepStrictEqual(
          job.counts,
          { converted: done, unconvertible, empty },
          JSON.stringify([field_type, values])
        )
        assert.strictEqual(
          (yield* shown).filter((one) => one.length > 0).length,
          done,
          JSON.stringify([field_type, values])
        )
      }
    })
  )

  it.effect(
    "keys of other fields stay as they are; those of the field go, and are made anew once it has an index",
    () =>
      Effect.gen(function* () {
        const { app, appId, call, converted, fieldId, recordIds, sql } = yield* valued("single_text", undefined, [
          "3",
          "1"
        ])
        const noteId = app.fields[0].field_id as number
        const beginIndex = (id: number, kind: string) => sql`
        INSERT INTO field_indexes (field_id, app_id, kind, asked_on, begun_at) VALUES (${id}, ${appId}, ${kind}, now(), pg_current_xact_id())`
        const keys = Effect.map(
          sql<{ field_id: number; record_id: number; number: number | null }>`
          SELECT field_id::int, record_id::int, number::float8 FROM record_keys JOIN field_indexes USING (field_id)
          WHERE field_id IN (${noteId}::bigint, ${fieldId}::bigint) ORDER BY field_id, record_id`,
          (rows) => rows.map(({ field_id, number, record_id }) => [field_id, record_id, number])
        )
        yield* beginIndex(noteId, "text")
        yield* beginIndex(fieldId, "text")
        for (const id of recordIds) yield* call("PUT", `/v1/record/${id}`, { fields: { note: "=", value: "5" } })
        const kept = recordIds.map((id) => [noteId, id, null])
        assert.deepStrictEqual(yield* keys, [...kept, ...recordIds.map((id) => [fieldId, id, null])])
        const job = yield* converted({ field_type: "number" })
        assert.deepStrictEqual(job.counts, { converted: 2, unconvertible: 0, empty: 0 })
        assert.deepStrictEqual(yield* keys, kept)
        // Writes keep the keys again, also those of the connection that has converted.
        yield* beginIndex(fieldId, "number")
        for (const id of recordIds) yield* call("PUT", `/v1/record/${id}`, { fields: { value: id } })
        assert.deepStrictEqual(yield* keys, [...kept, ...recordIds.map((id) => [fieldId, id, id])])
      })
  )
})
