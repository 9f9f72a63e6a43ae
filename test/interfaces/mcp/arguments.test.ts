// Arguments as models send them, and the schemas that they are asked for with.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { meantArguments } from "../../../src/interfaces/mcp/argumentCorrection.ts"
import { exactSchema } from "../../../src/interfaces/mcp/jsonSchema.ts"
import { tools } from "../../../src/interfaces/mcp/tools/registry.ts"
import { appLayer } from "../../support/app.ts"
import { callTool, fails, harbor, ok, rpc } from "./support.ts"

const keywords = ["$ref", "$defs", "allOf", "anyOf", "oneOf", "not", "const"]

/** Each schema within, with its place. */
const schemasIn = (node: any, at: string): ReadonlyArray<readonly [string, any]> => [
  [at, node],
  ...Object.entries(node.properties ?? {}).flatMap(([name, one]) => schemasIn(one, `${at}.${name}`)),
  ...(node.items === undefined ? [] : schemasIn(node.items, `${at}[]`))
]

describe("input schemas", () => {
  it("are written out, typed and described, as every client reads them", () => {
    for (const { inputSchema, name } of tools.values()) {
      for (const [at, one] of schemasIn(inputSchema, name)) {
        for (const keyword of keywords) assert.notProperty(one, keyword, at)
        if (one.enum !== undefined)
          assert.isTrue(
            one.enum.every((value: unknown) => typeof value === "string"),
            at
          )
        if (!at.endsWith("]")) assert.isDefined(one.type, at)
        if ([one.type].flat().includes("array")) assert.isDefined(one.items, at)
        if (/\.[^[]*$/.test(at)) assert.isAbove((one.description ?? "").length, 2, at)
      }
    }
  })
})

const Args = Schema.Struct({
  id: Schema.Int,
  name: Schema.optionalKey(Schema.String),
  note: Schema.optionalKey(Schema.String),
  state: Schema.optionalKey(Schema.Literals(["on", "off"])),
  cleared: Schema.optionalKey(Schema.NullOr(Schema.String)),
  filter: Schema.optionalKey(Schema.Struct({ type: Schema.String, field_id: Schema.optionalKey(Schema.Int) })),
  list: Schema.optionalKey(
    Schema.Array(Schema.Struct({ fields: Schema.Record(Schema.String, Schema.NullOr(Schema.String)) }))
  ),
  anything: Schema.optionalKey(Schema.Unknown),
  either: Schema.optionalKey(Schema.Union([Schema.String, Schema.Struct({ a: Schema.Int })]))
})
const meant = meantArguments(exactSchema(Args), new Set(["note"]))

describe("arguments as they are meant", () => {
  it("null and empty texts of optional ones are left out, unless they mean something", () => {
    assert.deepStrictEqual(meant(null), {})
    assert.deepStrictEqual(meant(undefined), {})
    const empty = { name: "", note: "", state: "", cleared: "", filter: "", list: "", anything: null, either: null }
    assert.deepStrictEqual(meant({ id: 1, ...empty }), { id: 1, note: "" })
    assert.deepStrictEqual(meant({ id: null, cleared: null, name: null }), { id: null, cleared: null })
    assert.deepStrictEqual(meant({ filter: { type: "x", field_id: null } }), { filter: { type: "x" } })
    // Values of a record are cleared by null.
    const list = [{ fields: { reference: null, other: "" } }]
    assert.deepStrictEqual(meant({ list }), { list })
    assert.deepStrictEqual(meant({ stray: null }), { stray: null })
  })

  it("an object or a list as JSON text is taken where no text may stand", () => {
    assert.deepStrictEqual(meant({ filter: '{"type":"x","field_id":null}' }), { filter: { type: "x" } })
    assert.deepStrictEqual(meant({ list: ' [{"fields":{}}]' }), { list: [{ fields: {} }] })
    assert.deepStrictEqual(meant({ list: ['{"fields":{"a":"b"}}'] }), { list: [{ fields: { a: "b" } }] })
    for (const text of ["{", "[1", "7", "x", `${"[".repeat(500)}${"]".repeat(500)}`])
      assert.deepStrictEqual(meant({ filter: text }), { filter: text })
    // A text may stand here.
    const texts = { name: '{"a":1}', anything: '{"a":1}', either: '{"a":1}' }
    assert.deepStrictEqual(meant(texts), texts)
  })
})

layer(appLayer(), { excludeTestServices: true })("MCP calls", (it) => {
  it.effect("of strict function calling and of models that write JSON as text are carried out", () =>
    Effect.gen(function* () {
      const { appId, fields, token } = yield* harbor
      const createdRecord = yield* ok(token, "create_record", {
        app_id: appId,
        fields: JSON.stringify({ reference: "DLV-1", weight: 4 }),
        hook: null,
        workflow: null,
        idempotency_key: null
      })
      const nothing = { filters: null, sort_by: null, sort_desc: null, limit: null, cursor: null }
      assert.strictEqual((yield* ok(token, "search_records", { app_id: appId, ...nothing })).total, 1)
      assert.strictEqual((yield* ok(token, "search_records", { app_id: appId, cursor: "", sort_by: "" })).total, 1)
      const filters = [
        { field_id: fields[1].field_id, type: "number", match_type: "larger", values: [{ value: 3 }], weekday: null }
      ]
      assert.strictEqual((yield* ok(token, "search_records", { app_id: appId, filters })).total, 1)
      assert.strictEqual(
        (yield* ok(token, "search_records", { app_id: appId, filters: JSON.stringify(filters) })).total,
        1
      )
      assert.strictEqual((yield* ok(token, "list_apps", { workspace_id: null, cursor: null })).total, 1)
      for (const args of [null, "", "{}"]) {
        const me = yield* rpc("tools/call", { name: "who_am_i", arguments: args === "" ? null : args }, { token })
        assert.isUndefined(me.json.error, String(args))
        assert.isUndefined(me.json.result.isError)
      }
      assert.isUndefined((yield* rpc("tools/list", { cursor: null }, { token })).json.error)
      assert.isUndefined((yield* rpc("ping", null, { token })).json.error)
      // What null says is said: it clears a field, and a description.
      const { record_id } = createdRecord
      const cleared = yield* ok(token, "update_record", { record_id, fields: { weight: null } })
      assert.notInclude(JSON.stringify(cleared), '"value":4')
      assert.match(yield* fails(token, "read_record", { record_id: null }), /^input_validation: record_id: /)
      const app = yield* ok(token, "update_app", { app_id: appId, description: "Parcels", name: null })
      assert.strictEqual(app.description, "Parcels")
      assert.notStrictEqual((yield* ok(token, "update_app", { app_id: appId, description: "" })).description, "Parcels")
      assert.isTrue((yield* callTool(token, "update_record", { record_id, fields: "7" })).isError)
    })
  )
})
