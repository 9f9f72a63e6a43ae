// The description as others judge it: the schema of OpenAPI 3.1, and Redocly's recommended rules with the exceptions that redocly.yaml argues.
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { lintFromString, loadConfig } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"

const text = JSON.stringify(OpenApi.fromApi(Api))

const problemsOf = async (source: string) => {
  const config = await loadConfig({ configPath: fileURLToPath(new URL("../../redocly.yaml", import.meta.url)) })
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
  return problems.map(({ location, message, ruleId }) => `${ruleId}: ${message} (${location[0]?.pointer})`)
}

describe("the rules for API descriptions", () => {
  it("it is valid OpenAPI 3.1", async () => {
    const { errors, valid } = await new Validator().validate(JSON.parse(text))
    assert.deepStrictEqual([valid, errors], [true, undefined])
    const broken = { ...JSON.parse(text), info: { title: 1 } }
    assert.isFalse((await new Validator().validate(broken)).valid)
  })

  it("Redocly's recommended rules find nothing", async () => {
    assert.deepStrictEqual(await problemsOf(text), [])
    const get = { operationId: "one", responses: {} }
    const broken = {
      openapi: "3.1.0",
      info: { title: "Broken", version: "1" },
      paths: { "/a": { get }, "/b": { get } }
    }
    assert.match((await problemsOf(JSON.stringify(broken))).join(), /operation-operationId-unique/)
  })
})
