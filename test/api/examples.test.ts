// The description shows each operation at work: what it is sent and answers, as its schemas say, and where what was made goes on.

import { assert, describe, it } from "@effect/vitest"
import Ajv2020 from "ajv/dist/2020.js"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"

type Json = Record<string, any>

const Ajv = Ajv2020 as unknown as typeof Ajv2020.default
const spec = OpenApi.fromApi(Api) as unknown as Json
const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).addSchema(spec, "api")

/** The JSON that operations of the API are sent or answer when they succeed. */
const parts = Object.entries<Json>(spec["paths"]).flatMap(([path, item]) =>
  Object.entries<Json>(item).flatMap(([method, { requestBody, responses }]) => {
    const operation = `${method} ${path}`
    const answers = Object.entries<Json>(responses).filter(([status]) => status.startsWith("2"))
    return [
      { name: `${operation} request`, part: requestBody?.content["application/json"] },
      ...answers.map(([status, answer]) => ({
        name: `${operation} ${status}`,
        part: answer["content"]?.["application/json"]
      }))
    ].filter(({ part }) => part !== undefined)
  })
)
const linksOf = (method: string, path: string, status: number): Json =>
  spec["paths"][path][method].responses[status].links

describe("examples of the API description", () => {
  it("each operation has one of what it is sent and of what it answers", () => {
    assert.isAbove(parts.length, 150)
    assert.deepStrictEqual(
      parts.filter(({ part }) => part.example === undefined).map(({ name }) => name),
      []
    )
  })

  it("each is as its schema says", () => {
    const refs = (node: unknown): unknown =>
      JSON.parse(JSON.stringify(node).replaceAll('"#/components/', '"api#/components/'))
    for (const { name, part } of parts) {
      const valid = ajv.validate(refs(part.schema) as object, part.example)
      assert.isTrue(valid, `${name}: ${ajv.errorsText()}`)
    }
  })

  it("what was made is linked to what reads, changes and deletes it", () => {
    assert.deepStrictEqual(linksOf("post", "/v1/record/app/{app_id}", 200), {
      GetRecord: { operationId: "records.get", parameters: { record_id: "$response.body#/record_id" } },
      UpdateRecord: { operationId: "records.update", parameters: { record_id: "$response.body#/record_id" } },
      DeleteRecord: { operationId: "records.remove", parameters: { record_id: "$response.body#/record_id" } }
    })
    const parameters = { automation_id: "$response.body#/automation/id" }
    assert.deepStrictEqual(linksOf("post", "/v1/automation/app/{app_id}", 201)["GetAutomation"], {
      operationId: "automations.get",
      parameters: parameters
    })
    for (const [path, status, link] of [
      ["/v1/workspace", 200, "GetWorkspace"],
      ["/v1/app", 200, "UpdateApp"],
      ["/v1/view/app/{app_id}", 201, "GetView"],
      ["/v1/comment/record/{record_id}", 200, "DeleteComment"],
      ["/v1/comment/{comment_id}/reply", 200, "GetReply"],
      ["/v1/hook/app/{app_id}", 200, "GetHook"],
      ["/v1/hook/{hook_id}/replay", 202, "GetReplay"],
      ["/v1/secret/org", 200, "GetSecret"],
      ["/v1/org/user", 200, "UpdateUser"]
    ] as const)
      assert.property(linksOf("post", path, status), link, path)
  })
})
