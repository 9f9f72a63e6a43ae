// RFC 9110 8.4 and 12.5.3: answers are compressed for who asks, with what it likes best; what must not be is not.
import { type IncomingHttpHeaders, request } from "node:http"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import { assert, describe, layer, it as plain } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import { codingFor, makeCompression } from "../../../src/interfaces/http/compression.ts"
import { signedIn } from "../../support/oauth.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"
import { Served, servedLayer } from "../../support/served.ts"

const allCodings = new Set(["br", "zstd", "gzip"])

describe("RFC 9110 12.5.3: which coding", () => {
  plain("the one that the client likes best; ours among those that it likes alike", () => {
    for (const [accepted, coding] of [
      ["gzip", "gzip"],
      ["deflate, gzip, br, zstd", "br"],
      ["gzip, zstd", "zstd"],
      ["GZIP;Q=0.5 , identity;q=0.1", "gzip"],
      ["br;q=0.1, gzip;q=0.9", "gzip"],
      ["br;q=0, *", "zstd"],
      ["*", "br"],
      ["gzip ; q=1.000,br ; q=0.999", "gzip"],
      ["identity, gzip", "gzip"]
    ] as const)
      assert.strictEqual(codingFor(accepted, allCodings), coding, accepted)
    assert.strictEqual(codingFor("br, gzip;q=0.2", new Set(["gzip", "deflate"])), "gzip")
  })

  plain("none without the header, where none is acceptable, and where the plain answer is liked better", () => {
    for (const accepted of [
      undefined,
      "",
      "identity",
      "deflate, compress",
      "gzip;q=0",
      "*;q=0",
      "*;q=0.000, identity",
      "gzip;q=0.5, identity;q=0.8",
      "gzip;q=2",
      "gzip;q=-1",
      "gzip;level=9",
      "br gzip",
      ";q=1",
      ",".repeat(9_000)
    ])
      assert.isUndefined(codingFor(accepted, allCodings), accepted)
  })
})

interface Told {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** As it came over the connection: `fetch` would undo the coding. */
const ask = (path: string, headers: Record<string, string> = {}, method = "GET", body?: string) =>
  Effect.flatMap(Served, ({ origin }) =>
    Effect.promise(
      () =>
        new Promise<Told>((resolve, reject) => {
          const clientRequest = request(`${origin}${path}`, { method, headers }, (response) => {
            const pieces: Array<Buffer> = []
            response.on("data", (piece) => pieces.push(piece))
            response.on("error", reject)
            response.on("end", () =>
              resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(pieces) })
            )
          })
          clientRequest.on("error", reject)
          clientRequest.end(body)
        })
    )
  )

const undo = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const
const everything = { "accept-encoding": "gzip, deflate, br, zstd" }

/** A page of records over the limit, asked for by their owner. */
const setting = Effect.gen(function* () {
  const { owner, workspaceId } = yield* seedWorkspace
  const call = as(owner)
  const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
  for (let i = 0; i < 5; i++) {
    const createReply = yield* call("POST", `/v1/record/app/${app_id}`, {
      fields: { reference: `DLV-${i} ${"水".repeat(40)}` }
    })
    assert.strictEqual(createReply.status, 200, createReply.text)
  }
  return { owner, call, path: `/v1/record/app/${app_id}`, authorization: `Bearer ${owner.key}` }
})

layer(servedLayer(), { excludeTestServices: true })("RFC 9110 8.4: compressed answers", (it) => {
  it.effect("a listing is the same in every coding, smaller, and says that it depends on the header", () =>
    Effect.gen(function* () {
      const { authorization, path } = yield* setting
      const bare = yield* ask(path, { authorization })
      assert.isUndefined(bare.headers["content-encoding"])
      assert.match(bare.headers.vary ?? "", /Origin, Accept-Encoding/)
      const { total } = JSON.parse(bare.bytes.toString())
      assert.strictEqual(total, 5)
      for (const coding of ["gzip", "br", "zstd"] as const) {
        const reply = yield* ask(path, { authorization, "accept-encoding": coding, origin: "https://app.example" })
        assert.strictEqual(reply.headers["content-encoding"], coding)
        assert.strictEqual(reply.headers["content-type"], "application/json")
        assert.strictEqual(reply.headers["content-length"], String(reply.bytes.length))
        assert.include(reply.headers.vary, "Accept-Encoding")
        assert.include(reply.headers.vary, "Origin")
        assert.isBelow(reply.bytes.length, bare.bytes.length / 2)
        assert.strictEqual(undo[coding](reply.bytes).toString(), bare.bytes.toString(), coding)
        const head = yield* ask(path, { authorization, "accept-encoding": coding }, "HEAD")
        assert.strictEqual(head.bytes.length, 0)
        for (const name of ["content-encoding", "content-length", "content-type"] as const)
          assert.strictEqual(head.headers[name], reply.headers[name], `HEAD: ${name}`)
      }
    })
  )

  it.effect("the description, scripts and styles are compressed too, the second time as well", () =>
    Effect.gen(function* () {
      const docs = (yield* ask("/docs")).bytes.toString()
      const page = (yield* ask("/sign-in")).bytes.toString()
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(docs)![1]!
      const sheet = /href="(\/assets\/[^"]+\.css)"/.exec(page)![1]!
      for (const path of ["/openapi.json", "/v1/automation/schema.json", script, sheet]) {
        const bare = yield* ask(path)
        for (const coding of ["br", "br", "gzip", "br"] as const) {
          const reply = yield* ask(path, { "accept-encoding": coding })
          assert.strictEqual(reply.headers["content-encoding"], coding, path)
          assert.isTrue(undo[coding](reply.bytes).equals(bare.bytes), path)
          assert.strictEqual(reply.headers["cache-control"], bare.headers["cache-control"])
        }
      }
    })
  )

  it.effect("a strong tag is a weak one in a coding; either is answered with 304", () =>
    Effect.gen(function* () {
      const { authorization } = yield* setting
      const path = "/v1/automation/meta/action"
      const { etag = "" } = (yield* ask(path, { authorization })).headers
      assert.match(etag, /^"/)
      const reply = yield* ask(path, { authorization, ...everything })
      assert.strictEqual(reply.headers["content-encoding"], "br")
      assert.strictEqual(reply.headers.etag, `W/${etag}`)
      for (const tag of [etag, `W/${etag}`]) {
        const secondReply = yield* ask(path, { authorization, ...everything, "if-none-match": tag })
        assert.deepStrictEqual([secondReply.status, secondReply.bytes.length], [304, 0])
        assert.isUndefined(secondReply.headers["content-encoding"])
        assert.include(secondReply.headers.vary, "Accept-Encoding")
      }
    })
  )

  it.effect("short answers, pages, streams of events and files are sent as they are", () =>
    Effect.gen(function* () {
      const { authorization, owner } = yield* setting
      const { origin } = yield* Served
      const cookie = yield* signedIn(owner.personId)
      const form = new FormData()
      form.append("file", new Blob(["all work and no play\n".repeat(1_000)], { type: "text/plain" }), "a.txt")
      const uploaded = yield* Effect.promise(() =>
        fetch(`${origin}/v1/file/upload`, { method: "POST", body: form, headers: { authorization } }).then(
          (response) => response.json() as Promise<{ link: string }>
        )
      )
      const link = uploaded.link.replace(/^http:\/\/[^/]+/, "")
      const rpc = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
      const named = { authorization, host: "127.0.0.1:8080", "content-type": "application/json" }
      const events = { ...named, accept: "text/event-stream" }
      for (const [what, sent] of [
        ["short", ask("/v1/nothing", { authorization, ...everything })],
        ["page", ask("/sign-in", everything)],
        ["page", ask("/organization", { cookie, ...everything })],
        ["page", ask("/account/confirm", { cookie, ...everything })],
        ["events", ask("/mcp", { ...events, ...everything }, "POST", rpc)],
        ["file", ask(link, everything)],
        ["part of a file", ask(link, { ...everything, range: "bytes=0-4999" })]
      ] as const) {
        const reply = yield* sent
        assert.isUndefined(reply.headers["content-encoding"], what)
        if (what !== "short") assert.isAbove(reply.bytes.length, 1024, `${what}: ${reply.bytes}`)
        if (what !== "events") assert.strictEqual(reply.headers["content-length"], String(reply.bytes.length), what)
      }
      const tools = yield* ask("/mcp", { ...named, ...everything }, "POST", rpc)
      assert.strictEqual(tools.headers["content-encoding"], "br")
    })
  )
})

describe("compressing costs no more than it may", () => {
  const get = (accepted: string) =>
    HttpServerRequest.fromWeb(new Request("http://127.0.0.1/", { headers: { "accept-encoding": accepted } }))

  /** Compresses into one byte, when the gate is open. */
  const counting = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const startCount = yield* Ref.make(0)
    const compression: HttpPlatform.Compression = {
      algorithms: new Set(["gzip"]),
      compressResponse: (response) =>
        Ref.update(startCount, (n) => n + 1).pipe(
          Effect.andThen(Deferred.await(gate)),
          Effect.as(HttpServerResponse.setBody(response, HttpServerResponse.uint8Array(new Uint8Array(1)).body))
        )
    }
    const compressed = yield* makeCompression.pipe(
      Effect.provideService(HttpPlatform.HttpPlatform, { compression } as HttpPlatform.HttpPlatform["Service"])
    )
    return { gate, begun: startCount, compressed }
  })
  const answer = () => HttpServerResponse.jsonUnsafe({ text: "x".repeat(2_000) })

  plain("one body is compressed once, however often it is asked for", () =>
    Effect.gen(function* () {
      const { begun, compressed, gate } = yield* counting
      yield* Deferred.succeed(gate, undefined)
      const same = answer()
      for (let i = 0; i < 3; i++) {
        const reply = yield* compressed(get("gzip"), same)
        assert.strictEqual(reply.headers["content-encoding"], "gzip")
        assert.strictEqual(reply.headers["content-length"], "1")
      }
      assert.strictEqual(yield* Ref.get(begun), 1)
      yield* compressed(get("gzip"), answer())
      assert.strictEqual(yield* Ref.get(begun), 2)
    }).pipe(Effect.runPromise)
  )

  plain("beyond eight at once answers go out as they are, and are compressed again afterwards", () =>
    Effect.gen(function* () {
      const { begun, compressed, gate } = yield* counting
      const working = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.forkChild(compressed(get("gzip"), answer()), { startImmediately: true })
      )
      assert.strictEqual(yield* Ref.get(begun), 8)
      const ninth = yield* compressed(get("gzip"), answer())
      assert.isUndefined(ninth.headers["content-encoding"])
      assert.strictEqual(ninth.headers["vary"], "Accept-Encoding")
      // Who goes away gives the place back.
      yield* Fiber.interrupt(working[0]!)
      const next = yield* Effect.forkChild(compressed(get("gzip"), answer()), { startImmediately: true })
      assert.strictEqual(yield* Ref.get(begun), 9)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [...working.slice(1), next])
        assert.strictEqual((yield* Fiber.join(fiber)).headers["content-encoding"], "gzip")
      assert.strictEqual((yield* compressed(get("gzip"), answer())).headers["content-encoding"], "gzip")
    }).pipe(Effect.runPromise)
  )
})
