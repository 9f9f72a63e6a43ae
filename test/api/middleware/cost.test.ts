// developer-api.md 1.6: what an upload costs goes by its size.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedOrganization } from "../../support/app.ts"

const MEGABYTE = 1_000_000

/** Parts of a form with a file of so many megabytes, which comes in pieces. */
const form = function* (megabytes: number) {
  const piece = new Uint8Array(MEGABYTE)
  yield new TextEncoder().encode('--b\r\nContent-Disposition: form-data; name="file"; filename="tide.bin"\r\n\r\n')
  for (let sentCount = 0; sentCount < megabytes; sentCount++) yield piece
  yield new TextEncoder().encode("\r\n--b--\r\n")
}

// Three calls at 10 credits: an upload is two, and one is left.
layer(appLayer({ RATE_BUDGET: "30", UPLOAD_MAX_MEGABYTES: "200" }), { excludeTestServices: true })(
  "the cost of an upload",
  (it) => {
    const upload = Effect.fnUntraced(function* (megabytes: number, headers: Record<string, string> = {}) {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const request = new Request("http://127.0.0.1:8080/v1/file/upload", {
        method: "POST",
        headers: {
          authorization: `Bearer ${owner.key}`,
          "content-type": "multipart/form-data; boundary=b",
          ...headers
        },
        body: ReadableStream.from(form(megabytes)),
        duplex: "half"
      } as RequestInit)
      const reply = yield* app.fetch(request)
      return {
        status: reply.status,
        cost: reply.headers.get("x-retry-cost"),
        text: yield* Effect.promise(() => reply.text())
      }
    })

    it.effect("1.6: is two calls' for a small one, with its length or without", () =>
      Effect.gen(function* () {
        for (const headers of [{}, { "content-length": String(MEGABYTE) }]) {
          const { cost, status } = yield* upload(1, headers)
          assert.deepStrictEqual([status, cost], [200, "20"])
        }
      })
    )

    it.effect("1.6: goes by the size of a large one, also where that is known when it has come only", () =>
      Effect.gen(function* () {
        const announcedReply = yield* upload(0, { "content-length": String(100 * MEGABYTE) })
        assert.strictEqual(announcedReply.status, 429, announcedReply.text)
        const countedReply = yield* upload(100)
        assert.strictEqual(countedReply.status, 429, countedReply.text)
        assert.match(countedReply.text, /its size costs more than is left/)
      })
    )
  }
)
