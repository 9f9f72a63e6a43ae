// How the API description is served: as it is made of the endpoints, compressed, and once for each release to who keeps it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "../../../src/api/Api.ts"
import { Served, servedLayer } from "../../support/served.ts"

const ask = (headers: Record<string, string>) =>
  Effect.flatMap(Served, ({ origin }) => Effect.promise(() => fetch(`${origin}/openapi.json`, { headers })))

layer(servedLayer(), { excludeTestServices: true })("/openapi.json", (it) => {
  it.effect("is what the endpoints say, compressed, with a tag that is asked for each time", () =>
    Effect.gen(function* () {
      const answer = yield* ask({ "accept-encoding": "br" })
      assert.deepStrictEqual(
        ["content-type", "content-encoding", "cache-control"].map((name) => answer.headers.get(name)),
        ["application/json", "br", "public, no-cache"]
      )
      assert.match(answer.headers.get("etag")!, /^W\/"[\w-]{22}"$/)
      assert.deepStrictEqual(
        yield* Effect.promise(() => answer.json()),
        JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
      )
    })
  )

  it.effect("is not sent again to who has it", () =>
    Effect.gen(function* () {
      const tag = (yield* ask({ "accept-encoding": "identity" })).headers.get("etag")!
      for (const entityTags of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const secondReply = yield* ask({ "if-none-match": entityTags, "accept-encoding": "br" })
        assert.deepStrictEqual([secondReply.status, (yield* Effect.promise(() => secondReply.text())).length], [304, 0])
      }
      assert.strictEqual((yield* ask({ "if-none-match": '"other"' })).status, 200)
    })
  )
})
