// decisions P6: one reader of request bodies. Who takes the bytes, text or parts of a request anywhere else fails here.
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { withText } from "../../../src/platform/bounds/Body.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const readers = new Set(["src/platform/bounds/Body.ts", "src/platform/bounds/Multipart.ts"])
const sources = ["src", "activities"].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path}`)
)

/** Members of a request that read its body, on anything that is called a request. */
const member =
  /\b(?:request|req|httpRequest|incoming)\s*\.\s*(?:text|json|arrayBuffer|stream|multipart|multipartStream|urlParamsBody|formData|blob)\b/
/** Ways of the libraries to a body that name no request. */
const library =
  /\b(?:schemaBody\w*|HttpServerRequest\.toWeb\w*|NodeHttpServerRequest|toIncomingMessage|NodeMultipart|Multipart\.(?:toPersisted|makeChannel|limitsServices|collectUint8Array)|HttpIncomingMessage|multipartPersisted|HttpApiSchema\.(?:asMultipart\w*|Multipart\w*|StreamUint8Array|StreamNdjson|asFormUrlEncoded|asText|asUint8Array))\b/

const strays = (pattern: RegExp) =>
  sources
    .filter((path) => !readers.has(path))
    .flatMap((path) =>
      readFileSync(root + path, "utf8")
        .split("\n")
        .flatMap((line, index) =>
          pattern.test(line.replace(/\/\/.*/, "")) ? [`${path}:${index + 1}: ${line.trim()}`] : []
        )
    )

describe("decisions P6: one reader of request bodies", () => {
  it("no other file takes the body of a request", () => {
    assert.deepStrictEqual(strays(member), [])
  })

  it("no other file uses what the libraries offer for it", () => {
    // A description alone: its handler is raw, and reads with readMultipart. And what an answer is, which nobody reads here.
    const described =
      /^src\/api\/records\/files\/Api\.ts:\d+: payload: .*asMultipart|Api\.ts:\d+: success: HttpApiSchema\.Stream/
    assert.deepStrictEqual(
      strays(library).filter((line) => !described.test(line)),
      []
    )
  })

  it("the check sees what it is for", () => {
    for (const sample of [
      "yield* request.text",
      "request.multipart.pipe(",
      "const a = yield* req.json",
      "request\n.text"
    ]) {
      assert.match(sample, member)
    }
    for (const librarySample of ["HttpServerRequest.schemaBodyJson(X)", "HttpApiSchema.asMultipart(S)"])
      assert.match(librarySample, library)
  })

  it.effect("a request whose text was read is a copy: as the prototype of one it would outlive its answer", () =>
    Effect.gen(function* () {
      const headers = { "content-type": "application/json" }
      const request = HttpServerRequest.fromWeb(
        new Request("http://localhost/", { method: "POST", headers, body: "{}" })
      )
      for (const text of ["{ }", ""]) {
        const readRequest = withText(request, text)
        assert.strictEqual(Object.getPrototypeOf(readRequest), Object.getPrototypeOf(request))
        assert.strictEqual(yield* readRequest.text, text)
        assert.strictEqual(readRequest.headers["content-type"], text === "" ? undefined : "application/json")
      }
    })
  )
})
