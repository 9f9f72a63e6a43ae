// developer-api.md 11.1: GET /v1/search.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const find = (by: ReturnType<typeof as>, q: string, more = "") =>
  Effect.map(by("GET", `/v1/search?q=${encodeURIComponent(q)}${more}`), ({ json, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(json))
    return json.results as ReadonlyArray<any>
  })
const titles = (results: ReadonlyArray<any>) => results.map(({ title }) => title)

layer(appLayer(), { excludeTestServices: true })("GET /v1/search", (it) => {
  it.effect("finds a record by prefixes of its words, without case and accents, at once", () =>
    Effect.gen(function* () {
      const { owner, workspaceId } = yield* seedWorkspace
      const by = as(owner)
      const app = yield* createApp(owner, workspaceId, [field("single_text", "Title"), field("multi_text", "Notes")])
      const { record_id } = (yield* by("POST", `/v1/record/app/${app.app_id}`, {
        fields: { title: "Crème brûlée", notes: "<p>Two spoons &amp; a <b>torch</b></p>" }
      })).json
      const [result, ...others] = yield* find(by, "BRUL creme tor")
      assert.deepStrictEqual(others, [])
      const { score, ...rest } = result
      assert.isAbove(score, 0)
      assert.deepStrictEqual(rest, {
        kind: "record",
        id: record_id,
        app_id: app.app_id,
        title: "Crème brûlée",
        field_id: app.fields[0].field_id,
        snippet: "Crème brûlée"
      })
      assert.deepStrictEqual(yield* find(by, "brul zebra"), [])
      const [byNote] = yield* find(by, '"spoons a torch"')
      assert.strictEqual(byNote.snippet, "Two spoons & a torch")
      assert.strictEqual(byNote.field_id, app.fields[1].field_id)
      assert.deepStrictEqual(titles(yield* find(by, '"torch a"')), [])
    })
  )
})
