// The API description as machines and people read it: every operation says in words what it does, types are those that travel, what hooks
// are sent is in it (developer-api.md 1.2; service.md 6).
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { allScopes } from "../../src/domain/accounts/Scope.ts"
import { hookTypes } from "../../src/domain/webhooks/Hook.ts"

type Json = Record<string, any>

const spec = OpenApi.fromApi(Api) as unknown as Json
const operations = Object.entries<Json>(spec["paths"]).flatMap(([path, item]) =>
  Object.entries<Json>(item)
    .filter(([method]) => ["get", "post", "put", "delete", "head"].includes(method))
    .map(([method, operation]) => ({ name: `${method} ${path}`, operation }))
)

/** Every object of the document. */
const objects = (node: unknown): ReadonlyArray<Json> =>
  Array.isArray(node)
    ? node.flatMap(objects)
    : typeof node === "object" && node !== null
      ? [node, ...Object.values(node).flatMap(objects)]
      : []

describe("the API description", () => {
  it("says of each operation in words what it does, and what it needs", () => {
    assert.isAbove(operations.length, 100)
    for (const { name, operation } of operations) {
      assert.match(operation["summary"] ?? "", /^[A-Z].{4,60}[^.]$/, name)
      assert.include(operation["description"] ?? "", ".", name)
    }
    const summaries = operations.map(({ operation }) => operation["summary"])
    assert.deepStrictEqual(
      summaries.filter((summary, at) => summaries.indexOf(summary) !== at),
      []
    )
  })

  it("says of each parameter what it means", () => {
    for (const { name, operation } of operations)
      for (const parameter of operation["parameters"] ?? [])
        if (parameter.$ref === undefined)
          assert.match(parameter.description ?? "", /^\S.{7,}[^.]$/, `${name} ${parameter.name}`)
  })

  it("groups them under names that people use, each with a line", () => {
    const tags: ReadonlyArray<Json> = spec["tags"]
    for (const { description, name } of tags) {
      assert.match(name, /^[A-Z]/)
      assert.match(description ?? "", /\.$/, name)
    }
    const tagNames = new Set(tags.map(({ name }) => name))
    for (const { name, operation } of operations)
      for (const tag of operation["tags"]) assert.isTrue(tagNames.has(tag), name)
  })

  it("types ids and numbers as integers, switches as booleans, lists with their items", () => {
    for (const { name, operation } of operations)
      for (const parameter of operation["parameters"] ?? []) {
        const { schema } = parameter
        if (/^(app|record|hook|user|workspace|view|comment|automation)_id$/.test(parameter.name))
          assert.deepStrictEqual(schema, { type: "integer", minimum: 1 }, `${name} ${parameter.name}`)
        if (parameter.name === "limit") assert.strictEqual(schema.type, "integer", name)
        if (/^(silent|hook|workflow|sort_desc)$/.test(parameter.name))
          assert.deepStrictEqual(schema, { type: "boolean" }, `${name} ${parameter.name}`)
      }
    for (const node of objects(spec)) {
      if (node["type"] === "array") assert.isTrue("items" in node || "prefixItems" in node, JSON.stringify(node))
      assert.notStrictEqual(node["minimum"], Number.MIN_SAFE_INTEGER)
    }
  })

  it("offers the three ways to show who one is, with every scope in words", () => {
    const { basic, bearer, oauth2 } = spec["components"].securitySchemes
    assert.deepStrictEqual([basic.scheme, bearer.scheme, oauth2.type], ["basic", "bearer", "oauth2"])
    assert.deepStrictEqual(Object.keys(oauth2.flows.authorizationCode.scopes), allScopes)
    const { security } = spec["paths"]["/v1/record/{record_id}"].get
    assert.deepStrictEqual(security, [{ bearer: [] }, { basic: [] }, { oauth2: ["records:read"] }])
  })

  it("describes what hooks are sent: each type and the verification, signed", () => {
    for (const type of [...hookTypes, "hook.verify"]) {
      const { post } = spec["webhooks"][type]
      const { $ref } = post.requestBody.content["application/json"].schema
      const { properties, required } = spec["components"].schemas[$ref.split("/").at(-1)]
      assert.deepStrictEqual(required, Object.keys(properties), type)
      assert.deepStrictEqual(properties.type.enum, [type])
      assert.deepStrictEqual(
        post.parameters.map(({ name }: Json) => name),
        ["webhook-id", "webhook-timestamp", "webhook-signature"]
      )
    }
  })
})
