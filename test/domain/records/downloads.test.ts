// developer-api.md 6 rule 3, RFC 9110 13 and 14: files are downloaded whole, in part and not again, wherever their address stands.
import { createHash, randomBytes } from "node:crypto"
import { get } from "node:http"
import { assert, describe, layer, it as plain } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { spanOf } from "../../../src/api/records/files/ranges.ts"
import { Contents } from "../../../src/domain/records/files/Contents.ts"
import { App } from "../../support/app.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"
import { Served, servedLayer } from "../../support/served.ts"

const ORIGIN = "http://127.0.0.1:8080"
const SIZE = 700_000

describe("RFC 9110 14.1.2: one range of bytes", () => {
  plain("first and last, from the first on, the last ones; what reaches too far is cut", () => {
    for (const [range, start, length] of [
      ["bytes=0-0", 0, 1],
      ["bytes=0-99", 0, 100],
      ["bytes=90-200", 90, 10],
      ["bytes=99-", 99, 1],
      ["bytes=0-", 0, 100],
      ["bytes=-1", 99, 1],
      ["bytes=-100", 0, 100],
      ["bytes=-5000", 0, 100],
      ["Bytes= 3-4 ", 3, 2],
      [`bytes=1-${"9".repeat(400)}`, 1, 99]
    ] as const)
      assert.deepStrictEqual(spanOf(range, 100), { start, length }, range)
  })

  plain("what begins behind the end, or asks for the last no bytes, cannot be satisfied", () => {
    for (const range of ["bytes=100-", "bytes=100-200", `bytes=${"9".repeat(400)}-`, "bytes=-0"])
      assert.strictEqual(spanOf(range, 100), "unsatisfiable", range)
  })

  plain("several, other units and what is no range count as none", () => {
    for (const range of [
      "bytes=0-1,3-4",
      "lines=0-1",
      "bytes=5-3",
      "bytes=-",
      "bytes=",
      "bytes",
      "bytes=a-b",
      "bytes=1 -2",
      "bytes=--1",
      "bytes=0x1-2",
      "bytes=1.5-2"
    ])
      assert.isUndefined(spanOf(range, 100), range)
    assert.isUndefined(spanOf("bytes=-5", 0))
  })
})

/** A file below a record's field and comment, of bytes that repeat nowhere, and the address of each place that shows it. */
const setting = Effect.gen(function* () {
  const app = yield* App
  const { owner, workspaceId } = yield* seedWorkspace
  const token = owner.key
  const { app_id } = yield* createApp(owner, workspaceId, [
    field("single_text", "Title"),
    field("single_attachment", "Paper")
  ])
  const bytes = randomBytes(SIZE)
  const upload = Effect.gen(function* () {
    const form = new FormData()
    form.append("file", new Blob([bytes], { type: "text/csv" }), "käse.csv")
    const init = { method: "POST", body: form, headers: { authorization: `Bearer ${token}` } }
    const response = yield* app.fetch(new Request(`${ORIGIN}/v1/file/upload`, init))
    return (yield* Effect.promise(() => response.json())) as { file_id: string; link: string }
  })
  const below = yield* upload
  const inField = yield* upload
  const loose = yield* upload
  const creation = yield* app.call("POST", `/v1/record/app/${app_id}`, {
    token,
    body: { fields: { title: "x", paper: inField.file_id } }
  })
  const recordId = creation.json.record_id as number
  const comment = yield* app.call("POST", `/v1/comment/record/${recordId}`, {
    token,
    body: { value: "see", file_ids: [below.file_id] }
  })
  const [attached] = comment.json.files
  const meta = yield* app.call("GET", `/v1/file/${attached.file_id}`, { token })
  const record = yield* app.call("GET", `/v1/record/${recordId}`, { token })
  const paperField = record.json.fields.find((f: any) => f.label === "Paper") ?? record.json.fields[1]
  const addresses: Record<string, string> = {
    "an upload's link": loose.link,
    "a comment's file": attached.link,
    "GET /v1/file/{file_id}": meta.json.link,
    "a field's download_url": paperField.values[0].value.download_url
  }
  return { app, bytes, addresses, link: meta.json.link as string }
})

const download = (address: string, headers: Record<string, string> = {}, method = "GET") =>
  Effect.gen(function* () {
    const app = yield* App
    const response = yield* app.fetch(new Request(new URL(address, ORIGIN), { method, headers }))
    const body = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()))
    return { status: response.status, headers: response.headers, body }
  })

layer(servedLayer(), { excludeTestServices: true })("developer-api.md 6: downloads", (it) => {
  it.effect("every address of a file gives it whole, says that it takes ranges, and gives a part", () =>
    Effect.gen(function* () {
      const { addresses, bytes } = yield* setting
      for (const [where, address] of Object.entries(addresses)) {
        const fullDownload = yield* download(address)
        assert.strictEqual(fullDownload.status, 200, where)
        assert.isTrue(fullDownload.body.equals(bytes), where)
        assert.strictEqual(fullDownload.headers.get("accept-ranges"), "bytes", where)
        assert.match(fullDownload.headers.get("etag") ?? "", /^"[^"]+"$/, where)
        // Over the seam of two stored chunks.
        const part = yield* download(address, { range: "bytes=262100-262200" })
        assert.strictEqual(part.status, 206, where)
        assert.strictEqual(part.headers.get("content-range"), `bytes 262100-262200/${SIZE}`)
        assert.strictEqual(part.headers.get("content-length"), "101")
        assert.strictEqual(part.headers.get("etag"), fullDownload.headers.get("etag"))
        assert.match(part.headers.get("content-disposition") ?? "", /^attachment;.*UTF-8''k%C3%A4se\.csv$/)
        assert.strictEqual(part.headers.get("content-security-policy")?.includes("sandbox"), true)
        assert.isTrue(part.body.equals(bytes.subarray(262_100, 262_201)), where)
        const lastBytes = yield* download(address, { range: "bytes=-7" })
        assert.strictEqual(lastBytes.headers.get("content-range"), `bytes ${SIZE - 7}-${SIZE - 1}/${SIZE}`)
        assert.isTrue(lastBytes.body.equals(bytes.subarray(-7)), where)
      }
    })
  )

  it.effect("a range behind the end is 416 with the file's size; several ranges and HEAD are the whole", () =>
    Effect.gen(function* () {
      const { bytes, link } = yield* setting
      const beyondEnd = yield* download(link, { range: `bytes=${SIZE}-` })
      assert.strictEqual(beyondEnd.status, 416)
      assert.strictEqual(beyondEnd.headers.get("content-range"), `bytes */${SIZE}`)
      const endpoint = new URL(link).pathname
      assert.deepInclude(JSON.parse(beyondEnd.body.toString()), {
        status_code: 416,
        endpoint,
        error_code: "invalid_request"
      })
      const several = yield* download(link, { range: "bytes=0-1,5-9" })
      assert.strictEqual(several.status, 200)
      assert.isTrue(several.body.equals(bytes))
      const head = yield* download(link, { range: "bytes=0-1" }, "HEAD")
      assert.deepStrictEqual([head.status, head.body.length], [200, 0])
      assert.strictEqual(head.headers.get("content-length"), String(SIZE))
      assert.strictEqual(head.headers.get("accept-ranges"), "bytes")
      const expired = yield* download(link.replace(/expires=\d+/, "expires=1"), { range: "bytes=0-1" })
      assert.strictEqual(expired.status, 404)
    })
  )

  it.effect("If-Range, If-None-Match and If-Match hold what the client has to the file's tag", () =>
    Effect.gen(function* () {
      const { bytes, link } = yield* setting
      const etag = (yield* download(link, {}, "HEAD")).headers.get("etag")!
      const range = "bytes=10-19"
      for (const [headers, status] of [
        [{ range, "if-range": etag }, 206],
        [{ range, "if-range": '"another"' }, 200],
        // Weak tags and dates prove no byte (RFC 9110 13.1.5).
        [{ range, "if-range": `W/${etag}` }, 200],
        [{ range, "if-range": "Sat, 21 Nov 2026 08:00:00 GMT" }, 200],
        [{ "if-none-match": etag }, 304],
        [{ "if-none-match": `"another", W/${etag}` }, 304],
        [{ "if-none-match": "*", range }, 304],
        [{ "if-none-match": '"another"' }, 200],
        [{ "if-match": etag, range }, 206],
        [{ "if-match": "*" }, 200],
        [{ "if-match": '"another"', range }, 412],
        [{ "if-match": `W/${etag}` }, 412],
        [{ "if-match": '"another"', "if-none-match": etag }, 412]
      ] as const) {
        const reply = yield* download(link, headers)
        assert.strictEqual(reply.status, status, JSON.stringify(headers))
        assert.strictEqual(reply.headers.get("etag"), etag)
        if (status === 206) assert.isTrue(reply.body.equals(bytes.subarray(10, 20)))
        if (status === 200) assert.strictEqual(reply.body.length, SIZE)
        if (status === 304) assert.strictEqual(reply.body.length, 0)
      }
    })
  )

  it.effect("a download that was broken off goes on over a connection where it ended", () =>
    Effect.gen(function* () {
      const { bytes, link } = yield* setting
      const { origin } = yield* Served
      const address = link.replace(ORIGIN, origin)
      const abortedDownload = yield* Effect.promise(
        () =>
          new Promise<{ etag: string; had: Buffer }>((resolve, reject) => {
            const request = get(address, (response) => {
              const pieces: Array<Buffer> = []
              response.on("data", (piece) => {
                pieces.push(piece)
                if (pieces.length > 1) return
                request.destroy()
                resolve({ etag: response.headers.etag!, had: Buffer.concat(pieces) })
              })
            }).on("error", reject)
          })
      )
      assert.isBelow(abortedDownload.had.length, SIZE)
      const resumption = yield* Effect.promise(() =>
        fetch(address, { headers: { range: `bytes=${abortedDownload.had.length}-`, "if-range": abortedDownload.etag } })
      )
      assert.strictEqual(resumption.status, 206)
      const resumedBytes = Buffer.from(yield* Effect.promise(() => resumption.arrayBuffer()))
      const joinedBytes = Buffer.concat([abortedDownload.had, resumedBytes])
      assert.strictEqual(
        createHash("sha256").update(joinedBytes).digest("hex"),
        createHash("sha256").update(bytes).digest("hex")
      )
    })
  )

  it.effect("any span of contents stored in chunks of any length", () =>
    Effect.gen(function* () {
      const contents = yield* Contents
      const pieces = [300_000, 1, 262_144, 5, 400_000, 17].map((length) => new Uint8Array(randomBytes(length)))
      const joinedBytes = Buffer.concat(pieces)
      const key = `test/${randomBytes(8).toString("hex")}`
      yield* contents.write(key, Stream.fromIterable(pieces))
      const edges = pieces.map(
        (
          (sum) => (piece) =>
            (sum += piece.length)
        )(0)
      )
      const starts = [0, 1, ...edges.flatMap((edge) => [edge - 1, edge, edge + 1])].filter(
        (start) => start < joinedBytes.length
      )
      for (const start of starts) {
        for (const length of [1, 2, 300_001, joinedBytes.length].map((most) =>
          Math.min(most, joinedBytes.length - start)
        )) {
          const read = Buffer.concat(yield* Stream.runCollect(contents.read(key, { start, length })))
          assert.isTrue(read.equals(joinedBytes.subarray(start, start + length)), `${length} from ${start}`)
        }
      }
      assert.strictEqual(
        (yield* Stream.runCollect(contents.read(key, { start: joinedBytes.length, length: 1 }))).length,
        0
      )
    })
  )

  it.effect("the description names the parts, the refusals and their headers", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { json } = yield* app.call("GET", "/openapi.json")
      const { parameters, responses, security } = json.paths["/file/{file_id}"].get
      assert.deepStrictEqual(security, [])
      assert.includeMembers(
        parameters.filter((p: any) => p.in === "header").map((p: any) => p.name),
        ["Range", "If-Range", "If-None-Match", "If-Match"]
      )
      assert.deepStrictEqual(Object.keys(responses), ["200", "206", "304", "404", "412", "416"])
      assert.includeMembers(Object.keys(responses[206].headers), ["Content-Range", "ETag", "Accept-Ranges"])
      assert.includeMembers(Object.keys(responses[416].headers), ["Content-Range"])
    })
  )
})
