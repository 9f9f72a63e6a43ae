// Reads forms with files, the second part of the body reader (decisions P6): files go to the disk, fields together stay within their limit,
// and a sender who is slower than the pace is cut off.
import { createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import { ByteSize, Effect, type FileSystem, type Path, type Scope, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"
import { BodyPatience, type BodyRefused, messageOf, refusedUnread } from "./Body.ts"
import { refuseSlowUpload } from "./uploadPace.ts"

export interface MultipartLimits {
  readonly parts: number
  readonly fileBytes: number
  /** Most bytes of all parts together. */
  readonly totalBytes: number
  /** Most bytes of all fields together, with their names: they are kept in memory. */
  readonly fieldBytes: number
}

const fieldsTooLarge = () => Multipart.MultipartError.fromReason("FieldTooLarge")

/** Parts of a form. A field and a file may have the same name. */
export interface Parts {
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
  readonly files: ReadonlyArray<Multipart.PersistedFile>
}

/** Reads the parts; files lie on the disk until the scope closes. */
export const readMultipart = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MultipartLimits
): Effect.Effect<Parts, BodyRefused | Multipart.MultipartError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.withFiber((fiber) => {
    const refusal = refusedUnread(request, Number.POSITIVE_INFINITY)
    if (refusal !== undefined) return Effect.fail(refusal)
    let bytes = 0
    const fields: Array<readonly [string, string]> = []
    // Keeps the fields here: of a field and a file of the same name the library would drop one.
    const parts = Stream.filterEffect(request.multipartStream, (part) => {
      if (part._tag === "File") return Effect.succeed(true)
      bytes += Buffer.byteLength(part.key) + Buffer.byteLength(part.value)
      if (bytes > limits.fieldBytes) return Effect.fail(fieldsTooLarge())
      fields.push([part.key, part.value])
      return Effect.succeed(false)
    })
    const toDisk = (path: string, file: Multipart.File) =>
      Effect.tryPromise({
        try: (signal) => pipeline(NodeMultipart.fileToReadable(file), createWriteStream(path), { signal }),
        catch: (cause) => Multipart.MultipartError.fromReason("InternalError", cause)
      })
    const persisted =
      messageOf(request) === undefined ? Multipart.toPersisted(parts) : Multipart.toPersisted(parts, toDisk)
    return Effect.raceFirst(
      Effect.provideContext(
        Effect.map(persisted, (kept) => ({
          fields,
          files: Object.values(kept).flat().filter(Multipart.isPersistedFile)
        })),
        Multipart.limitsServices({
          maxParts: limits.parts,
          maxFieldSize: ByteSize.bytes(limits.fieldBytes),
          maxFileSize: ByteSize.bytes(limits.fileBytes),
          maxTotalSize: ByteSize.bytes(limits.totalBytes)
        })
      ),
      refuseSlowUpload(request, fiber.getRef(BodyPatience))
    )
  })
