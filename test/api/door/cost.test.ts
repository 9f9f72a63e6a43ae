// developer-api.md 1.6: what an upload costs goes by its size.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedOrganization } from "../../support/app.ts"

layer(appLayer(), { excludeTestServices: true })("the cost of an upload", (it) => {
  it.effect("1.6: goes by its Content-Length; without one it is that of the largest", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const form = new FormData()
      form.append("file", new Blob(["tide"]), "tide.txt")
      const made = new Response(form)
      const type = made.headers.get("content-type")!
      const body = yield* Effect.promise(() => made.arrayBuffer())
      const costs = Effect.fnUntraced(function* (length: Record<string, string>) {
        const headers = { authorization: `Bearer ${owner.key}`, "content-type": type, ...length }
        const reply = yield* app.fetch(
          new Request("http://127.0.0.1:8080/v1/file/upload", { method: "POST", headers, body })
        )
        assert.strictEqual(reply.status, 200)
        return reply.headers.get("x-retry-cost")
      })
      assert.strictEqual(yield* costs({ "content-length": String(body.byteLength) }), "20")
      assert.strictEqual(yield* costs({}), "220")
    })
  )
})
