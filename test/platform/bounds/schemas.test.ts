// decisions P7: every list, map and text of every schema that outside input meets has a largest size. A new one without fails here;
// a new place that decodes is listed here with its schema.
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../../src/api/Api.ts"
import * as Definitions from "../../../src/domain/automations/input/automationBodies.ts"
import { Document } from "../../../src/domain/oauth/clients/metadataDocument.ts"
import { Metadata } from "../../../src/domain/oauth/registration.ts"
import { tools } from "../../../src/interfaces/mcp/tools/registry.ts"
import { shapeOf, unbounded } from "../../../src/platform/bounds/schemaSizes.ts"

const endpoints = Object.values(Api.groups).flatMap(
  (group) => Object.values(group.endpoints) as unknown as ReadonlyArray<HttpApiEndpoint.Top>
)

/** A form with files has the limits of readMultipart. */
const ofReader = new Set(["upload"])

/** Texts of paths and queries stand in the request line, which takes 16 KiB with all headers. */
const inRequestLine = (place: string) => place.endsWith(": text")

const unboundedPathsIn = (name: string, schemas: ReadonlyArray<Schema.Top>) =>
  unbounded(shapeOf(...schemas)).map((place) => `${name}${place}`)

describe("decisions P7: sizes", () => {
  it("of every body, path and query of the Developer API", () => {
    const unboundedParts = endpoints.flatMap((endpoint) => {
      const lines = [endpoint.params, endpoint.query, endpoint.headers].filter((schema) => schema !== undefined)
      return [
        ...unboundedPathsIn(`${endpoint.path} line`, lines as unknown as ReadonlyArray<Schema.Top>).filter(
          (place) => !inRequestLine(place)
        ),
        ...[...endpoint.payload.values()].flatMap(({ schemas }) =>
          ofReader.has(endpoint.identifier) ? [] : unboundedPathsIn(`${endpoint.method} ${endpoint.path}`, schemas)
        )
      ]
    })
    assert.deepStrictEqual(unboundedParts, [])
  })

  it("of every tool's arguments", () => {
    assert.deepStrictEqual(
      [...tools.values()].flatMap(({ input, name }) => unboundedPathsIn(name, [input])),
      []
    )
  })

  it("of automations' definitions, at every depth", () => {
    const { CreateBody, DuplicateBody, TriggerInput, UpdateBody } = Definitions
    assert.deepStrictEqual(
      Object.entries({ CreateBody, DuplicateBody, TriggerInput, UpdateBody }).flatMap(([name, schema]) =>
        unboundedPathsIn(name, [schema as unknown as Schema.Top])
      ),
      []
    )
  })

  it("of what clients say of themselves", () => {
    assert.deepStrictEqual(
      [...unboundedPathsIn("registration", [Metadata]), ...unboundedPathsIn("document", [Document])],
      []
    )
  })

  it("no other place decodes with a schema", () => {
    const root = fileURLToPath(new URL("../../../", import.meta.url))
    const decoders = ["src", "activities"]
      .flatMap((folder) =>
        readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`)
      )
      .filter((path) => path.endsWith(".ts"))
      .filter((path) => /Schema\.(?:decode(?!To\b)\w+|is|asserts)\(/.test(readFileSync(root + path, "utf8")))
    assert.deepStrictEqual(decoders.sort(), [
      "src/domain/accounts/Authority.ts", // what a revision was stored with
      "src/domain/automations/inbound/Catches.ts", // a constant
      "src/domain/automations/input/automationBodies.ts",
      "src/domain/automations/input/storedDefinition.ts", // what automationBodies.ts let in
      "src/domain/automations/requests/runJobKinds.ts", // what SelectBody let in
      "src/domain/conversion/convertFieldKind.ts", // what FieldConvert let in, and how far it was itself
      "src/domain/imports/importJobKind.ts", // what begins an import, as it was stored
      "src/domain/oauth/clients/metadataDocument.ts",
      "src/domain/oauth/registration.ts",
      "src/domain/records/apps/fieldChanges.ts", // settings within the sizes of FieldInput
      "src/domain/records/fields/types/calculation.ts", // the same
      "src/domain/records/recalculation/recalculationKind.ts", // what the change of the app stored
      "src/domain/search/searchIndexKind.ts", // what a job was stored with
      "src/domain/webhooks/replays/replayKind.ts", // what a job was stored with
      "src/interfaces/cli/accountCommands.ts", // the operator's arguments
      "src/interfaces/cli/exportFiles.ts", // the operator's own file, of a size that is looked at first
      "src/interfaces/cli/import/exportSource.ts", // a manifest of a size that is looked at first
      "src/interfaces/cli/import/importProgress.ts", // how far it was itself
      "src/interfaces/cli/import/importReading.ts", // lines whose size, depth and values are looked at first
      "src/interfaces/cli/import/importedAccounts.ts", // parts of such lines
      "src/interfaces/cli/import/importedContent.ts", // the same
      "src/interfaces/cli/import/importedLooks.ts", // the same
      "src/interfaces/cli/scheduleCommands.ts", // the operator's own argument
      "src/interfaces/cli/secretCommands.ts", // the same
      "src/interfaces/cli/tryCommands.ts", // the operator's own files
      "src/interfaces/console/pageCalls.ts", // bodies of a size that is looked at first
      "src/interfaces/mcp/Tool.ts",
      "src/platform/sandbox/hostCalls.ts", // messages of a script's own process
      "src/platform/sandbox/scriptFailures.ts", // the same
      "src/platform/sealing/Cursors.ts", // signed by us
      "src/platform/sql/laterChanges.ts", // how far it was itself
      "src/platform/sql/rows.ts" // rows that we wrote
    ])
  })

  it("the check sees a list, a map, a text and a value without a size, behind defaults, unions and recursion", () => {
    const Inner = Schema.Struct({ a: Schema.optionalKey(Schema.Array(Schema.Int)), b: Schema.NullOr(Schema.String) })
    const Outer = Schema.Struct({
      list: Schema.Array(Schema.suspend(() => Inner)).check(Schema.isMaxLength(3)),
      map: Schema.Record(Schema.String, Schema.Json),
      sized: Schema.String.check(Schema.isBetweenLength(1, 4))
    })
    assert.deepStrictEqual(unbounded(shapeOf(Outer)), [
      ".list[].a: list",
      ".list[].b: text",
      ".map: map",
      ".map.*: anything"
    ])
  })
})
