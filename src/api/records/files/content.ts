// The contents of files behind signed links (developer-api.md 6 rule 3): whole, in part, or not again. What a file holds never changes,
// so its tag is the name under which it is kept.
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Contents } from "../../../domain/records/files/Contents.ts"
import type { FileRow } from "../../../domain/records/files/File.ts"
import { Files } from "../../../domain/records/files/Files.ts"
import { pathOf } from "../../../platform/primitives/requestPath.ts"
import { attachmentNamed } from "../../../platform/text/attachmentNamed.ts"
import { devApiError } from "../../middleware/errorBodies.ts"
import { rangeAnswer } from "./ranges.ts"

const refusedAt =
  (path: string) =>
  (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
    HttpServerResponse.jsonUnsafe(devApiError(status, code, message, path), { status, headers })

export const FileContentRoute = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const files = yield* Files
    const contents = yield* Contents

    const renderFile = (
      { name, mimetype, size, storage_key }: FileRow,
      request: HttpServerRequest.HttpServerRequest
    ) => {
      const refuse = refusedAt(pathOf(request.originalUrl))
      const tag = { etag: `"${storage_key}"`, "accept-ranges": "bytes" }
      const want = rangeAnswer(request.method, request.headers, tag.etag, size)
      switch (want.type) {
        case "unchanged":
          return HttpServerResponse.empty({ status: 304, headers: tag })
        case "other":
          return refuse(412, "invalid_request", "If-Match: the file is another one.", tag)
        case "unsatisfiable":
          return refuse(416, "invalid_request", `Range: the file has ${size} bytes.`, {
            ...tag,
            "content-range": `bytes */${size}`
          })
      }
      const part = want.type === "part" ? want.span : undefined
      return HttpServerResponse.stream(contents.read(storage_key, part), {
        status: part === undefined ? 200 : 206,
        contentType: mimetype,
        contentLength: part?.length ?? size,
        headers: {
          ...tag,
          ...(part === undefined
            ? {}
            : { "content-range": `bytes ${part.start}-${part.start + part.length - 1}/${size}` }),
          "content-disposition": attachmentNamed(name),
          "content-security-policy": "default-src 'none'; sandbox"
        }
      })
    }

    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const query = new URL(request.url, "http://localhost").searchParams
      const { params } = yield* HttpRouter.RouteContext
      const [id, expires] = [Number(params["file_id"]), Number(query.get("expires"))]
      const valid = Number.isSafeInteger(id) && Number.isSafeInteger(expires)
      const openFile = valid ? files.open(id, expires, query.get("signature") ?? "") : files.open(0, 0, "")
      return yield* Effect.match(openFile, {
        onFailure: ({ message }) => refusedAt(pathOf(request.originalUrl))(404, "not_found", message),
        onSuccess: (file) => renderFile(file, request)
      })
    })
    yield* router.add("GET", "/file/:file_id", answer)
  })
)
