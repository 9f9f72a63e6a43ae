// What the description says of a parameter is what holds (developer-api.md 1.2, 1.4): what lies within its bounds is no mistake of the caller's,
// what lies beyond them is refused.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer } from "../support/app.ts"
import { createApp, field, seedWorkspace } from "../support/records.ts"

type Json = Record<string, any>

interface Place {
  readonly method: string
  readonly path: string
  readonly operation: Json
  readonly parameter: Json
}

const wholeNumbers = (spec: Json): ReadonlyArray<Place> =>
  Object.entries<Json>(spec["paths"]).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, operation]) =>
      (operation["parameters"] as ReadonlyArray<Json>)
        .filter(({ schema }) => schema?.type === "integer" && path.startsWith("/v1/"))
        .map((parameter) => ({ method, path, operation, parameter }))
    )
  )

layer(appLayer(), { excludeTestServices: true })("bounds of parameters", (it) => {
  it.effect("stand in the description: every whole number has a least one, every page a largest", () =>
    Effect.gen(function* () {
      const app = yield* App
      const spec = (yield* app.call("GET", "/openapi.json")).json as Json
      const boundedParameters = wholeNumbers(spec)
      assert.isAbove(boundedParameters.length, 100)
      for (const { method, parameter, path } of boundedParameters) {
        const what = `${method} ${path} ${parameter["name"]}`
        assert.isDefined(parameter["schema"].minimum, what)
        if (parameter["name"] === "limit") assert.isDefined(parameter["schema"].maximum, what)
        if (parameter["in"] === "path" && parameter["name"] !== "revision")
          assert.strictEqual(parameter["schema"].minimum, 1, what)
      }
    })
  )

  it.effect("hold: within them nothing is refused for its bounds, beyond them everything is", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
      const spec = (yield* app.call("GET", "/openapi.json")).json as Json
      const readParameters = wholeNumbers(spec).filter(({ method }) => method === "get")
      const call = (path: string, parameter: Json, value: number) => {
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
          String(parameter["in"] === "path" && name === parameter["name"] ? value : name === "app_id" ? app_id : 1)
        )
        const query = parameter["in"] === "query" ? `?${parameter["name"]}=${value}` : ""
        return app.call("GET", filled + query, { token: owner.key })
      }
      for (const { parameter, path } of readParameters) {
        const { maximum, minimum } = parameter["schema"]
        const what = `${path} ${parameter["name"]}`
        // A stream goes on.
        if (path !== "/v1/events") {
          const least = yield* call(path, parameter, minimum)
          assert.notInclude(least.text, `${parameter["name"]}: Expected`, `${what}=${minimum}`)
          if (maximum !== undefined) {
            const most = yield* call(path, parameter, maximum)
            assert.notInclude(most.text, `${parameter["name"]}: Expected`, `${what}=${maximum}`)
          }
        }
        const beyond = [minimum - 1, -7, ...(maximum === undefined ? [] : [maximum + 1])]
        for (const value of beyond) {
          const reply = yield* call(path, parameter, value)
          // What is not there is told first (developer-api.md 1.5).
          assert.include([400, 404], reply.status, `${what}=${value}`)
        }
      }
    })
  )
})
