// Names that are nearly right: parameters of a query (developer-api.md 1.1), keys of bodies, fields, options. The answer names the nearest.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { misspelled } from "../../src/api/middleware/misspelledParameters.ts"
import { nearest, nearestHint } from "../../src/platform/text/nearest.ts"
import { App, appLayer } from "../support/app.ts"
import { createApp, field, seedWorkspace } from "../support/records.ts"

describe("the nearest name", () => {
  it("is found through slips, case, hyphens and camel case", () => {
    const names = ["limit", "cursor", "sort_by", "sort_desc", "include_deleted"]
    assert.strictEqual(nearest("limt", names), "limit")
    assert.strictEqual(nearest("Curser", names), "cursor")
    assert.strictEqual(nearest("sortBy", names), "sort_by")
    assert.strictEqual(nearest("sort-desc", names), "sort_desc")
    assert.strictEqual(nearest("includeDeleted", names), "include_deleted")
    assert.isUndefined(nearest("colour", names))
    assert.isUndefined(nearest("x".repeat(81), names))
    assert.strictEqual(nearestHint("limt", names), '; did you mean "limit"?')
    assert.strictEqual(nearestHint("colour", names), "")
  })

  it("of a query is asked of names that are long enough to be slips", () => {
    const parameterNames = ["limit", "cursor", "sort_by", "hook", "q"]
    for (const [sent, meant] of [
      ["limt", "limit"],
      ["Limit", "limit"],
      ["curser", "cursor"],
      ["sort", "sort_by"],
      ["sortBy", "sort_by"],
      ["hoook", "hook"]
    ] as const)
      assert.strictEqual(
        misspelled([sent], parameterNames),
        `query: there is no parameter "${sent}"; did you mean "${meant}"?`
      )
    for (const unrelatedName of ["_", "t", "v", "ts", "utm_source", "page", "fbclid", "limit"])
      assert.isUndefined(misspelled([unrelatedName], parameterNames), unrelatedName)
  })
})

layer(appLayer(), { excludeTestServices: true })("developer-api.md 1.1: nearly right", (it) => {
  it.effect("a misspelled query parameter is a 400 that names the nearest; any other is ignored", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
      const get = (path: string) => app.call("GET", path, { token: owner.key })
      for (const [path, name, meant] of [
        [`/v1/record/app/${app_id}?limt=1`, "limt", "limit"],
        [`/v1/record/app/${app_id}?limit=1&sortBy=title`, "sortBy", "sort_by"],
        [`/v1/record/app/${app_id}?curser=x`, "curser", "cursor"],
        ["/v1/automation/org?statsu=active", "statsu", "status"],
        ["/v1/events?kind=records", "kind", "kinds"]
      ] as const) {
        const reply = yield* get(path)
        assert.deepStrictEqual(
          [reply.status, reply.json.error_code, reply.json.error_message],
          [400, "invalid_request_url", `query: there is no parameter "${name}"; did you mean "${meant}"?`],
          path
        )
      }
      const write = yield* app.call("POST", `/v1/record/app/${app_id}?worklfow=false`, {
        token: owner.key,
        body: { fields: {} }
      })
      assert.strictEqual(write.status, 400, write.text)
      assert.strictEqual((yield* get(`/v1/record/app/${app_id}`)).json.total, 0)
      for (const query of ["utm_source=x", "_=1700000000", "v=2"])
        assert.strictEqual((yield* get(`/v1/record/app/${app_id}?${query}`)).status, 200, query)
    })
  )

  it.effect("unknown keys, fields and options say the nearest", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [
        field("single_text", "Reference"),
        field("status", "State", {
          options: [
            { text: "Open", means_completed: false },
            { text: "Closed", means_completed: true }
          ]
        })
      ])
      const post = (path: string, body: object) => app.call("POST", path, { token: owner.key, body })
      const record = (fields: object) => post(`/v1/record/app/${app_id}`, { fields })
      for (const [reply, meant] of [
        [yield* record({ refrence: "x" }), "reference"],
        [yield* record({ state: "Opne" }), "Open"],
        [yield* post(`/v1/record/app/${app_id}`, { feilds: {} }), "fields"],
        [yield* post("/v1/app", { workspace_id: workspaceId, nmae: "A", name: "B" }), "name"],
        [yield* app.call("GET", `/v1/record/app/${app_id}?sort_by=refernce`, { token: owner.key }), "reference"],
        [
          yield* post("/v1/app", {
            workspace_id: workspaceId,
            name: "B",
            fields: [{ field_type: "singel_text", config: { label: "X" } }]
          }),
          "single_text"
        ]
      ] as const) {
        assert.strictEqual(reply.status, 400, reply.text)
        assert.include(reply.json.error_message, `did you mean "${meant}"?`)
      }
    })
  )
})
