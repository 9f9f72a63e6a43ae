// Definitions generated from the published schema: accepted or answered with a 400 that names a path, never a fault; what is
// read, without what is readOnly, writes back and reads the same (service.md 2.7 normalization rule 1).
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { decodeCreate } from "../../../src/domain/automations/input/automationBodies.ts"
import { automationSchema } from "../../../src/domain/automations/meta/definitionSchema.ts"
import { App, appLayer } from "../../support/app.ts"
import { DEPTH, seedOf } from "../../support/seed.ts"
import { seedApp } from "./support.ts"

const seed = seedOf("FC_SEED")
const published = automationSchema() as any

/** Values of a JSON Schema of the shapes that the published one uses; `depth` bounds its recursion. */
const arbitrary = (schema: any, depth: number): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) return arbitrary(published.$defs[schema.$ref.slice("#/$defs/".length)], depth)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) {
    const members = schema.anyOf.filter((m: any) => depth > 0 || m.type !== "array")
    return fc.oneof(...(members.length > 0 ? members : schema.anyOf).map((m: any) => arbitrary(m, depth - 1)))
  }
  switch (schema.type) {
    case "string":
      return fc.oneof(
        fc.constantFrom("a", "08:00", "2026-01-01 00:00", "UTC", "text/plain", schema.default ?? "b"),
        fc.string({ minLength: schema.minLength ?? 0, maxLength: 12, unit: "binary" })
      )
    case "integer":
      return fc.integer({ min: Math.max(schema.minimum ?? 1, -5), max: Math.min(schema.maximum ?? 50, 2_000) })
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "array":
      return depth <= 0
        ? fc.constant([])
        : fc.array(arbitrary(schema.items, depth - 1), { maxLength: Math.min(schema.maxItems ?? 2, 2) })
    case "object": {
      const properties = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, inner]) => [
          key,
          fc.nat(0).chain(() => arbitrary(inner, depth - 1))
        ])
      )
      return fc.record(properties, { requiredKeys: schema.required ?? [], noNullPrototype: true })
    }
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}
const definitions = arbitrary(published, 7)

/** One place of the JSON replaced, removed or added to. */
const broken = fc.tuple(definitions, fc.nat(), fc.jsonValue({ maxDepth: 2 })).map(([value, at, junk]) => {
  const copy = structuredClone(value) as any
  const positions: Array<readonly [any, string]> = []
  const visit = (node: any): void => {
    if (typeof node !== "object" || node === null) return
    for (const key of Object.keys(node)) {
      positions.push([node, key])
      visit(node[key])
    }
  }
  visit(copy)
  const [node, key] = positions[at % positions.length]!
  if (at % 3 === 0) delete node[key]
  else if (at % 3 === 1) node[key] = junk
  else node[`${key}x`] = junk
  return copy
})

const counter = () => {
  let n = 0
  return () => `minted-${++n}`
}
const paths = /(^|\n)(condition ".*" at )?(body|name|description|trigger|filter|actions|timezone|[\w$]+|\[)[^\n]*: /

describe("definitions from the published schema", () => {
  it("are accepted or refused with a path; an accepted one is a fixed point", () => {
    let accepted = 0
    fc.assert(
      fc.property(definitions, (body) => {
        const firstDecoding = decodeCreate(body, counter())
        if (Result.isFailure(firstDecoding)) {
          assert.match(firstDecoding.failure.message, paths)
          return
        }
        accepted++
        const storedBody = JSON.parse(JSON.stringify(firstDecoding.success))
        const second = decodeCreate(storedBody, () => assert.fail("an id was minted for a node that had one"))
        assert.deepStrictEqual(Result.isSuccess(second) ? second.success : second.failure.message, storedBody)
      }),
      { numRuns: 1_500 * DEPTH, seed }
    )
    assert.isAbove(accepted, 100)
  })
  it("with one place broken they are never a fault", () => {
    fc.assert(
      fc.property(broken, (body) => {
        const result = decodeCreate(body, counter())
        if (Result.isFailure(result)) assert.match(result.failure.message, paths)
      }),
      { numRuns: 1_500 * DEPTH, seed: seed + 1 }
    )
  })
})

layer(appLayer(), { excludeTestServices: true })("over HTTP", (it) => {
  it.effect(
    "generated definitions answer 201 or 400; read, drop readOnly, write, read is a fixed point; validate and activate never fail",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, token } = yield* seedApp()
        const sample = fc.sample(fc.oneof(definitions, broken), { numRuns: 1_000 * DEPTH, seed: seed + 2 })
        const fits = (body: unknown) => Result.isSuccess(decodeCreate(body, counter()))
        const chosenBodies = [...sample.filter(fits).slice(0, 30), ...sample.filter((body) => !fits(body)).slice(0, 50)]
        let createdCount = 0
        for (const body of chosenBodies) {
          const answer = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
          assert.include([201, 400], answer.status, `${answer.text}\n${JSON.stringify(body)}`)
          if (answer.status === 400) continue
          createdCount++
          const path = `/v1/automation/${answer.json.automation.id}`
          const read = (yield* app.call("GET", path, { token })).json.automation
          const { name, trigger, filter, actions, timezone } = read
          if (trigger?.type === "webhook_received") delete trigger.config.webhook_url
          const update = yield* app.call("PUT", path, { token, body: { name, trigger, filter, actions, timezone } })
          assert.strictEqual(update.status, 200, update.text)
          const updatedAutomation = (yield* app.call("GET", path, { token })).json.automation
          if (updatedAutomation.trigger?.type === "webhook_received")
            delete updatedAutomation.trigger.config.webhook_url
          const { updated_at: _, version: __, ...rest } = updatedAutomation
          const { updated_at: ___, version: ____, ...before } = read
          assert.deepStrictEqual(rest, before)
          assert.strictEqual((yield* app.call("GET", `${path}/validate`, { token })).status, 200)
          assert.include([200, 409], (yield* app.call("POST", `${path}/activate`, { token })).status)
        }
        assert.isAbove(createdCount, 10)
      })
  )
})
