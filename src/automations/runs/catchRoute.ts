// `{base_url}/api/catch/{token}` (developer-api.md 7.9): POST, PUT, or GET with the query as payload; no credential.
import { NodeServices } from "@effect/platform-node"
import { ByteSize, Effect, FileSystem, Layer, type Path, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse, Multipart } from "effect/http"
import { ValidationError } from "../../errors.ts"
import { answerOf } from "../../http/wire.ts"
import { Files } from "../../records/files/Files.ts"
import type { FileOutput } from "../engine/Scope.ts"
import { Catches, type Caught } from "./Catches.ts"

const MAX_BODY = 1_048_576
const MAX_FILES_MEGABYTES = 25

const limits = Multipart.limitsServices({
  maxParts: 200,
  maxFieldSize: ByteSize.megabytes(1),
  maxFileSize: ByteSize.megabytes(MAX_FILES_MEGABYTES),
  maxTotalSize: ByteSize.megabytes(MAX_FILES_MEGABYTES)
})

/** One value as it is, several as a list. */
const fieldsOf = (pairs: Iterable<readonly [string, string]>): Record<string, unknown> => {
  const fields = new Map<string, Array<string>>()
  for (const [name, value] of pairs) fields.set(name, [...(fields.get(name) ?? []), value])
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/** Deeper nesting than this says nothing to people and costs a stack. */
const MAX_DEPTH = 200
const depthOf = (text: string): number => {
  let depth = 0
  let deepest = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth)
    else if (token === "]" || token === "}") depth--
  }
  return deepest
}

const invalid = (message: string) => new ValidationError({ message })

const textOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(request.stream, (chunk) => {
    size += chunk.length
    if (size > MAX_BODY) return Effect.fail(invalid("The body is larger than 1 MiB."))
    chunks.push(chunk)
    return Effect.void
  }).pipe(Effect.catchTag("HttpServerError", () => Effect.fail(invalid("The body could not be read."))))
  return Buffer.concat(chunks).toString("utf8")
})

const multipartOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, caught: Caught) {
  const files = yield* Files
  const disk = yield* FileSystem.FileSystem
  const parts = yield* Effect.provideContext(request.multipart, limits).pipe(
    Effect.mapError((error) => invalid(`The body is not readable as multipart/form-data (${error.reason._tag}).`))
  )
  const fields: Record<string, unknown> = {}
  const stored: Array<FileOutput> = []
  for (const [name, part] of Object.entries(parts)) {
    if (!Array.isArray(part) || !part.some((one) => Multipart.isPersistedFile(one))) {
      fields[name] = part
      continue
    }
    for (const file of part as ReadonlyArray<Multipart.PersistedFile>) {
      const row = yield* files.store({
        orgId: caught.org_id,
        userId: caught.owner_id,
        name: file.name.slice(0, 255) || "file",
        mimetype: file.contentType.slice(0, 255),
        bytes: Stream.orDie(disk.stream(file.path))
      })
      stored.push({ file_id: row.file_id, filename: row.name, size: row.size, mimetype: row.mimetype })
    }
  }
  return { payload: fields as unknown, files: stored }
})

const inputOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, caught: Caught) {
  const none: ReadonlyArray<FileOutput> = []
  if (request.method === "GET") {
    const { searchParams } = new URL(request.url, "http://localhost")
    return { payload: fieldsOf(searchParams) as unknown, files: none }
  }
  const type = (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase()
  if (type === "multipart/form-data") return yield* multipartOf(request, caught)
  const text = yield* textOf(request)
  if (type === "application/x-www-form-urlencoded") {
    return { payload: fieldsOf(new URLSearchParams(text)) as unknown, files: none }
  }
  if (type === "application/json" || type.endsWith("+json")) {
    if (depthOf(text) > MAX_DEPTH) return yield* invalid("The body is nested too deeply.")
    const payload = yield* Effect.try({
      try: () => JSON.parse(text) as unknown,
      catch: () => invalid("The body is not valid JSON.")
    })
    return { payload, files: none }
  }
  return { payload: { raw: text } as unknown, files: none }
})

const failure = (error: unknown) => {
  const { body, headers, status } = answerOf(error, "/api/catch")!
  return HttpServerResponse.jsonUnsafe(body, { status, headers })
}

export const CatchRoute = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const catches = yield* Catches
    const context = yield* Effect.context<Files | FileSystem.FileSystem | Path.Path>()
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { params } = yield* HttpRouter.RouteContext
      const caught = yield* catches.find(params["token"] ?? "")
      const { files, payload } = yield* inputOf(request, caught)
      const { body, contentType, status } = yield* catches.receive(caught, payload, files)
      return status === 204
        ? HttpServerResponse.empty({ status })
        : HttpServerResponse.text(body, {
            status,
            contentType,
            headers: { "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; sandbox" }
          })
    }).pipe(
      Effect.provideContext(context),
      Effect.scoped,
      Effect.catchTags({
        NotFound: (error) => Effect.succeed(failure(error)),
        TooManyRequests: (error) => Effect.succeed(failure(error)),
        ValidationError: (error) => Effect.succeed(failure(error))
      })
    )
    for (const method of ["POST", "PUT", "GET"] as const) yield* router.add(method, "/api/catch/:token", answer)
  })
).pipe(Layer.provide(NodeServices.layer))
