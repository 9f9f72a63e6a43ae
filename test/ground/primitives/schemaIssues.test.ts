// Mistakes in a body or a query name what is allowed (developer-api.md 1.5), and no schema by a name that only the description has.
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { issuesOf } from "../../../src/ground/primitives/schemaIssues.ts"

const Type = Schema.Literals(["create", "delete"]).annotate({ identifier: "HookType" })
const Authentication = Schema.Union([
  Schema.Struct({ type: Schema.Literal("basic"), username: Schema.String }),
  Schema.Struct({ type: Schema.Literal("bearer"), token: Schema.String })
]).annotate({ identifier: "HookAuthentication" })
const Body = Schema.Struct({
  type: Schema.optionalKey(Type),
  types: Schema.optionalKey(Schema.Array(Type)),
  maybe: Schema.optionalKey(Schema.NullOr(Type)),
  authentication: Schema.optionalKey(Schema.NullOr(Authentication)),
  step: Schema.optionalKey(Schema.Int)
})

const mistakes = (body: unknown) => {
  const decoded = Schema.decodeUnknownResult(Body, { errors: "all" })(body)
  return Result.isSuccess(decoded)
    ? []
    : issuesOf(decoded.failure.issue).map(({ message, path = [] }) => `${path.map(String).join(".")}: ${message}`)
}

describe("what does not fit a schema", () => {
  it("a named set of texts is spelled out, alone, in a list and where null is allowed too", () => {
    const words = 'Expected "create" | "delete"'
    assert.deepStrictEqual(mistakes({ type: "change", types: ["create", "change"], maybe: "change" }), [
      `type: ${words}`,
      `types.1: ${words}`,
      `maybe: ${words}`
    ])
  })

  it("of named objects that a member tells apart, this member's texts", () => {
    assert.deepStrictEqual(mistakes({ authentication: { type: "digest" } }), [
      'authentication.type: Expected "basic" | "bearer"'
    ])
    assert.deepStrictEqual(mistakes({ authentication: { type: "basic" } }), ["authentication.username: Missing key"])
  })

  it("what has no name of its own is told as it was", () => {
    assert.deepStrictEqual(mistakes({ step: "x" }), ["step: Expected number"])
    assert.deepStrictEqual(mistakes({ type: "create", types: ["delete"], maybe: null }), [])
  })
})
