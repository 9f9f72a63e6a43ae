// What breaks callers since the last release is named by CHANGELOG.md; and what counts as breaking (docs/api.md: answers may gain members).
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { breakingChanges } from "../../contract/breaking.ts"
import { unnamedIn } from "../../contract/changelog.ts"
import { descriptionText } from "../../src/api/descriptionText.ts"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
const text = descriptionText()
const currentSpec = JSON.parse(text)

/** What a change to the description of today is found to break. */
const broken = (change: (spec: any) => void) => {
  const next = JSON.parse(text)
  change(next)
  return breakingChanges(currentSpec, next).map(
    ({ id, operation, path, text: told }) => `${operation} ${path}: ${told} (${id})`
  )
}
const record = (spec: any) => spec.paths["/v1/record/{record_id}"]
const schemas = (spec: any) => spec.components.schemas

describe("changes that break callers", () => {
  it("are named by CHANGELOG.md, if there are any since the last release", () => {
    const changes = breakingChanges(JSON.parse(read("contract/released.json")), currentSpec)
    assert.deepStrictEqual(unnamedIn(read("CHANGELOG.md"), changes), [])
    const removals = breakingChanges(currentSpec, { ...currentSpec, paths: {} })
    assert.isAbove(unnamedIn(read("CHANGELOG.md"), removals).length, 100)
  })

  const breaking: ReadonlyArray<readonly [what: string, change: (spec: any) => void, told: RegExp]> = [
    ["an operation that is gone", (spec) => delete record(spec).get, /^GET \/v1\/record\/\{record_id\}: it is gone/],
    [
      "a parameter that has to be sent",
      (spec) => record(spec).get.parameters.push({ name: "why", in: "query", required: true, schema: {} }),
      /`why` is required/
    ],
    [
      "a parameter that is another type",
      (spec) => (record(spec).get.parameters[0].schema = { type: "boolean" }),
      /`record_id`, its type was integer and is boolean/
    ],
    ["another scope", (spec) => (record(spec).get.security = [{ oauth2: ["apps:edit"] }]), /needs `apps:edit`/],
    ["a member that has to be sent", (spec) => schemas(spec).AppCreate.required.push("icon"), /`icon` is required/],
    ["a member that is not taken", (spec) => delete schemas(spec).AppCreate.properties.name, /`name` is gone/],
    [
      "a value that is not taken",
      (spec) => schemas(spec).RecordFilter.properties.match_type.enum.shift(),
      /`match_type`, `\w+` is refused/
    ],
    [
      "a form that is not taken",
      (spec) => {
        const { discriminator, oneOf } = schemas(spec).Action
        delete discriminator.mapping.delay
        schemas(spec).Action.oneOf = oneOf.filter(({ $ref }: any) => !$ref.endsWith("/DelayAction"))
      },
      /`delay` is refused/
    ],
    [
      "a bound that is tighter",
      (spec) => (schemas(spec).AppCreate.properties.name.maxLength = 3),
      /`name`, `maxLength` is 3/
    ],
    ["a member that answers lack", (spec) => delete schemas(spec).AppRecord.properties.title, /`title` is gone/],
    [
      "a member that answers may lack",
      (spec) =>
        (schemas(spec).AppRecord.required = schemas(spec).AppRecord.required.filter((one: string) => one !== "title")),
      /`title` may be missing/
    ],
    [
      "an answer that may be null",
      (spec) => (schemas(spec).AppRecord.properties.revision = { anyOf: [{ type: "integer" }, { type: "null" }] }),
      /`revision`, it may be `null`/
    ]
  ]
  for (const [what, change, told] of breaking) {
    it(`are ${what}`, () => {
      const breaks = broken(change)
      assert.isAtLeast(breaks.length, 1)
      for (const breakText of breaks) assert.match(breakText, told)
    })
  }

  it("are none where something is added that may be left alone", () => {
    assert.deepStrictEqual(
      broken((spec) => {
        spec.paths["/v1/new"] = spec.paths["/v1/user"]
        record(spec).get.parameters.push({ name: "why", in: "query", required: false, schema: {} })
        schemas(spec).AppCreate.properties.more = { type: "string" }
        schemas(spec).AppRecord.properties.more = { type: "string" }
        schemas(spec).AppRecord.required.push("more")
        schemas(spec).RecordFilter.properties.match_type.enum.push("more")
        delete schemas(spec).AppCreate.properties.name.maxLength
        delete record(spec).get.responses[404]
      }),
      []
    )
  })
})
