// Reads the body of a request to an inbound address (developer-api.md 7.9): text in any charset and encoding becomes a payload; the files
// of a multipart form, and a body that is no text, become files.
import type * as NodeServices from "@effect/platform-node/NodeServices"
import { Data, Effect, FileSystem, type Layer, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type BodyRefused, readBytes } from "../../../platform/bounds/Body.ts"
import { readToFile } from "../../../platform/bounds/BodyFile.ts"
import { turnFor } from "../../../platform/bounds/bodyTurns.ts"
import { CODINGS } from "../../../platform/bounds/contentCoding.ts"
import { readMultipart } from "../../../platform/bounds/Multipart.ts"
import { nameInDisposition } from "../../../platform/content/contentDisposition.ts"
import { decodeText, isWrittenText } from "../../../platform/content/decodeText.ts"
import type { ValidationError } from "../../../platform/primitives/errors.ts"
import { isBinaryType, isJsonType, isTextType, mediaTypeOf } from "../../../platform/primitives/mediaType.ts"
import type { WebhookRequest } from "../model/RunScope.ts"
import { clean, fieldsOf, formOf, formText, invalid, jsonOf, type Received } from "./webhookPayload.ts"

/** Limit of a body without files. */
export const MAX_BYTES = 1024 * 1024
const FILES_MEGABYTES = 25
const MAX_PARTS = 200

/** Error for an unsupported `Content-Encoding` of the body (RFC 9110 15.5.16). */
class EncodingRefused extends Data.TaggedError("EncodingRefused")<{
  readonly message: string
  /** Codings that are accepted. */
  readonly accepted: string
}> {}

const limits = (most: number) => ({
  parts: MAX_PARTS,
  fieldBytes: MAX_BYTES,
  fileBytes: FILES_MEGABYTES * 1_000_000,
  totalBytes: Math.min(most, FILES_MEGABYTES * 1_000_000 + MAX_BYTES)
})

/** @param accepted codings that the reader decodes */
const refusedAs =
  (accepted: string) =>
  ({ message, reason }: BodyRefused) =>
    reason === "encoded" ? new EncodingRefused({ message, accepted }) : invalid(message)

const multipartOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, most: number) {
  const parts = yield* readMultipart(request, limits(most)).pipe(
    Effect.mapError((error) => {
      if (error._tag === "BodyRefused") return refusedAs("identity")(error)
      const tag = error.reason._tag
      return tag === "FileTooLarge" || tag === "BodyTooLarge" || tag === "FieldTooLarge"
        ? invalid(
            `The form is larger than ${FILES_MEGABYTES} MB of files and 1 MiB of fields, or than the organization's storage quota leaves.`
          )
        : invalid(`The body is not readable as multipart/form-data (${tag}).`)
    })
  )
  const files = parts.files.map(({ contentType, name, path }) => ({ name, mimetype: contentType, content: path }))
  return { payload: fieldsOf(parts.fields), files } satisfies Received
})

type Request = HttpServerRequest.HttpServerRequest

/** Returns the request without its body; a parameter that is sent more than once holds a list. */
export const requestAround = ({ headers, originalUrl }: Request): WebhookRequest => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [clean(name), clean(value)])),
  query: fieldsOf(new URL(originalUrl, "http://localhost").searchParams)
})

const contentTypeOf = ({ headers }: Request): string | undefined => headers["content-type"]
/** Returns the media type, in lower case. */
const typeOf = (request: Request) => mediaTypeOf(contentTypeOf(request))

const nameOf = ({ headers }: Request): string => nameInDisposition(headers["content-disposition"]) ?? ""
const mimetypeOf = (request: Request) => typeOf(request) || "application/octet-stream"

/** True for types that become files. Senders of files often use `application/octet-stream`; text of that type becomes a payload as well. */
const isFileType = (type: string): boolean => isBinaryType(type) || type === "application/octet-stream"

/** True if the request may bring files. */
export const bringsFiles = (request: Request) =>
  request.method !== "GET" && (typeOf(request) === "multipart/form-data" || isFileType(typeOf(request)))

const fileOf = Effect.fnUntraced(function* (request: Request, most: number) {
  const disk = yield* FileSystem.FileSystem
  const folder = yield* Effect.orDie(disk.makeTempDirectoryScoped({ prefix: "inbound-" }))
  const path = `${folder}/body`
  const limit = Math.min(most, FILES_MEGABYTES * 1_000_000)
  yield* Effect.mapError(readToFile(request, path, limit), refusedAs(CODINGS))
  const size = Number((yield* Effect.orDie(disk.stat(path))).size)
  if (size === 0) return { payload: { raw: "" }, files: [] } satisfies Received
  const bytes = size <= MAX_BYTES ? yield* Effect.orDie(disk.readFile(path)) : undefined
  const raw = bytes !== undefined && isWrittenText(bytes) ? { raw: clean(decodeText(bytes, undefined).text) } : {}
  const file = { name: nameOf(request), mimetype: mimetypeOf(request), content: path }
  return { payload: raw, files: [file] } satisfies Received
})

/** @param most maximum of bytes that a body with files may have */
export const receive = (
  request: Request,
  most: number
): Effect.Effect<Received, ValidationError | EncodingRefused, Scope.Scope | Layer.Success<typeof NodeServices.layer>> =>
  Effect.gen(function* () {
    if (request.method === "GET") {
      return yield* formOf(new URL(request.originalUrl, "http://localhost").search)
    }
    const type = typeOf(request)
    if (type === "multipart/form-data") return yield* multipartOf(request, most)
    if (isFileType(type)) return yield* fileOf(request, most)
    return yield* bodyOf(request, yield* bytesOf(request))
  })

/** Reads a body in memory, as its sender has signed it. */
export const receiveSigned = <E>(
  request: Request,
  check: (body: Uint8Array) => Effect.Effect<void, E>
): Effect.Effect<Received, ValidationError | EncodingRefused | E> =>
  Effect.gen(function* () {
    if (typeOf(request) === "multipart/form-data") return yield* invalid("A signed webhook takes no multipart form.")
    const bytes = yield* bytesOf(request)
    yield* check(bytes)
    return yield* bodyOf(request, bytes)
  })

const bytesOf = (request: Request) => Effect.mapError(readBytes(request, MAX_BYTES, true), refusedAs(CODINGS))

const bodyOf = (request: Request, bytes: Uint8Array): Effect.Effect<Received, ValidationError> =>
  Effect.gen(function* () {
    const type = typeOf(request)
    yield* turnFor(bytes.length)
    if (!isTextType(type) && !isWrittenText(bytes)) {
      const file = { name: nameOf(request), mimetype: mimetypeOf(request), content: bytes }
      return { payload: {}, files: [file] }
    }
    const { text } = decodeText(bytes, contentTypeOf(request))
    const rawBody = clean(text)
    if (type === "application/x-www-form-urlencoded")
      return { ...(yield* formOf(formText(bytes, contentTypeOf(request)))), rawBody }
    return isJsonType(type) ? { ...(yield* jsonOf(text)), rawBody } : { payload: { raw: rawBody }, rawBody, files: [] }
  })
