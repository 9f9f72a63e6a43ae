// The types of the API description, as generators of clients need them: named once, unions told apart, what the domain decodes and what it
// describes of one source (developer-api.md 3.2, 3.4, 4.4).
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { pascal } from "../../src/api/description/names.ts"
import { automationSchema } from "../../src/domain/automations/meta/definitionSchema.ts"
import { triggers } from "../../src/domain/automations/triggers/registry.ts"
import { assignableTags, type FieldTypeTag, fieldTypeTags } from "../../src/domain/records/fields/registry.ts"

type Json = Record<string, any>

const spec = OpenApi.fromApi(Api) as unknown as Json
const schemas: Json = spec["components"].schemas
const operations = Object.entries<Json>(spec["paths"]).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, operation }))
)

const walk = (node: unknown, path: ReadonlyArray<string>, visit: (node: Json, path: ReadonlyArray<string>) => void) => {
  if (typeof node !== "object" || node === null) return
  if (!Array.isArray(node)) visit(node, path)
  for (const [key, value] of Object.entries(node)) walk(value, [...path, key], visit)
}

/** The tags that a union is told apart by, and the schema of each. */
const membersOf = (name: string): ReadonlyArray<readonly [string, string]> => {
  const { discriminator, oneOf } = schemas[name]
  const entries = Object.entries<string>(discriminator.mapping)
  assert.deepStrictEqual(
    oneOf.map(({ $ref }: Json) => $ref),
    entries.map(([, ref]) => ref)
  )
  return entries.map(([tag, ref]) => [tag, ref.split("/").at(-1)!])
}
const named = (tags: ReadonlyArray<FieldTypeTag>, what: string) => tags.map((tag) => [tag, pascal(tag) + what] as const)
const writableTags = fieldTypeTags.filter((tag) => tag !== "unique_id")

describe("types of the API description", () => {
  it("every reference leads somewhere, and every schema is used", () => {
    const used = new Set<string>()
    walk(spec, [], ({ $ref }) => {
      if (typeof $ref !== "string") return
      const [, ...steps] = $ref.split("/")
      assert.isDefined(
        steps.reduce<any>((at, step) => at?.[step], spec),
        $ref
      )
      used.add($ref.split("/").at(-1)!)
    })
    assert.deepStrictEqual(
      Object.keys(schemas).filter((name) => !used.has(name)),
      []
    )
    for (const name of Object.keys(schemas)) assert.match(name, /^[A-Z][A-Za-z0-9]*[A-Za-z]$/)
  })

  it("compiles in every language: no default without a literal, no literal booleans, lists in unions have names", () => {
    walk({ schemas, paths: spec["paths"], webhooks: spec["webhooks"] }, [], (node, path) => {
      const location = path.join("/")
      if (path.includes("example") || path.includes("examples") || path.at(-1) === "properties") return
      if ("default" in node) {
        const { default: value, type } = node
        assert.isString(type, location)
        if (typeof value === "object") assert.deepStrictEqual([type, value], ["array", []], location)
      }
      if (Array.isArray(node["enum"]))
        assert.isFalse(
          node["enum"].some((one: unknown) => typeof one === "boolean"),
          location
        )
      for (const member of node["anyOf"] ?? []) assert.notStrictEqual(member.type, "array", location)
    })
    // Names that languages have themselves.
    for (const name of [
      "Record",
      "Object",
      "String",
      "Number",
      "Boolean",
      "Array",
      "Map",
      "Set",
      "Date",
      "Error",
      "File",
      "Promise"
    ])
      assert.notProperty(schemas, name)
  })

  it("bodies that hooks are sent have names", () => {
    for (const [type, { post }] of Object.entries<Json>(spec["webhooks"])) {
      const { $ref } = post.requestBody.content["application/json"].schema
      assert.strictEqual($ref, `#/components/schemas/${pascal(type)}Webhook`)
      assert.deepStrictEqual(schemas[`${pascal(type)}Webhook`].properties.type.enum, [type])
    }
  })

  it("no object stands in two places without a name; configs of steps and triggers belong to their own", () => {
    const locations = new Map<string, Array<string>>()
    walk(spec, [], (node, path) => {
      if (path.length === 3 && path[0] === "components") return
      if (node["type"] !== "object" || node["properties"] === undefined || path.at(-1) === "config") return
      const text = JSON.stringify(node)
      locations.set(text, [...(locations.get(text) ?? []), path.join(".")])
    })
    assert.deepStrictEqual(
      [...locations.values()].filter((all) => all.length > 1),
      []
    )
  })

  it("tells the field types apart, in definitions and in records, for reading and for writing", () => {
    assert.deepStrictEqual(membersOf("Field"), named(fieldTypeTags, "Field"))
    assert.deepStrictEqual(membersOf("FieldDefinitionInput"), named(fieldTypeTags, "FieldInput"))
    assert.deepStrictEqual(membersOf("RecordField"), named(writableTags, "RecordField"))
    assert.deepStrictEqual(membersOf("FieldChange"), named(writableTags, "FieldChange"))
    assert.deepStrictEqual(
      schemas["FieldValueInput"].anyOf.map(({ $ref }: Json) => $ref.split("/").at(-1)),
      // Lists of user ids and of files are those of records and of other files.
      assignableTags
        .filter((tag) => tag !== "multi_user" && tag !== "multi_image")
        .map((tag) => `${pascal(tag)}ValueInput`)
    )
    assert.deepStrictEqual(schemas["StatusRecordField"].properties.values.items, {
      $ref: "#/components/schemas/StatusEntry"
    })
  })

  it("describes automations by the schema that is published, steps and triggers told apart", () => {
    const { $defs, $schema: _, title: __, description: ___, ...published } = automationSchema() as Json
    const same = (node: unknown): string =>
      JSON.stringify(node, (key, value) => (["minimum", "maximum"].includes(key) ? undefined : value))
        .replaceAll("#/$defs/", "#/components/schemas/")
        .replaceAll(/"items":\{\},?/g, "")
    assert.deepStrictEqual(JSON.parse(same(schemas["AutomationCreate"])), JSON.parse(same(published)))
    for (const [type, name] of membersOf("Action")) {
      const member = $defs.Action.anyOf.find((one: Json) => one["properties"].type.enum[0] === type)
      assert.deepStrictEqual(Object.keys(schemas[name].properties), Object.keys(member.properties), type)
      assert.deepStrictEqual(schemas[name].description, member.description)
    }
    assert.deepStrictEqual(
      membersOf("Trigger").map(([type]) => type),
      Object.keys(triggers)
    )
    const { post } = spec["paths"]["/v1/automation/app/{app_id}"]
    assert.deepStrictEqual(post.requestBody.content["application/json"].schema, {
      $ref: "#/components/schemas/AutomationCreate"
    })
    const hookFilter = schemas["HookSettingsUpdate"].properties.filter
    assert.deepStrictEqual(hookFilter.anyOf[0], { $ref: "#/components/schemas/FilterGroup" })
  })

  it("gives each operation with a body `invalid_json`, and tells errors apart by their code", () => {
    for (const { name, operation } of operations) {
      const jsonBody = operation["requestBody"]?.content["application/json"]
      const errorSchema = operation["responses"][400]?.content["application/json"].schema
      const codes = Object.keys(errorSchema?.discriminator?.mapping ?? {})
      assert.strictEqual(codes.includes("invalid_json"), jsonBody !== undefined, name)
      if (errorSchema?.discriminator !== undefined)
        assert.strictEqual(errorSchema.discriminator.propertyName, "error_code", name)
    }
  })

  it("closes what is sent and leaves what is answered open", () => {
    assert.isFalse(schemas["AppCreate"].additionalProperties)
    assert.isUndefined(schemas["AppRecord"].additionalProperties)
  })
})
