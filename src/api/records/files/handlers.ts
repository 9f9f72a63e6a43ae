// Translates developer-api.md 6 between HTTP and the files service. Contents are served by content.ts.

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, FileSystem, Layer, type Path, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse, type Multipart } from "effect/http"
import { Caller } from "../../../domain/accounts/Caller.ts"
import { Files } from "../../../domain/records/files/Files.ts"
import { Storage } from "../../../domain/records/files/Storage.ts"
import type { BodyRefused } from "../../../platform/bounds/Body.ts"
import { readMultipart } from "../../../platform/bounds/Multipart.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { TooManyRequests, ValidationError } from "../../../platform/primitives/errors.ts"
import { mediaTypeOf } from "../../../platform/primitives/mediaType.ts"
import { baseName } from "../../../platform/text/fileName.ts"
import { costOfBytes } from "../../middleware/cost.ts"
import { RateLimit } from "../../middleware/RateLimit.ts"
import { Requires } from "../../middleware/Requires.ts"
import { group } from "../../middleware/requestContext.ts"
import { FilesApi, upload } from "./Api.ts"

export const FilesHandlers = group(
  FilesApi,
  Effect.fnUntraced(function* (handlers) {
    const files = yield* Files
    const storage = yield* Storage
    const disk = yield* FileSystem.FileSystem
    const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const { uploadMaxMegabytes } = yield* AppConfig
    const budget = yield* RateLimit
    const limits = (most: number) => ({
      parts: 100,
      fieldBytes: 64 * 1024,
      fileBytes: uploadMaxMegabytes * 1_000_000,
      totalBytes: Math.min(most, uploadMaxMegabytes * 10_000_000)
    })
    const problem = (error: BodyRefused | Multipart.MultipartError) => {
      if (error._tag === "BodyRefused") return new ValidationError({ message: `file: ${error.message}` })
      const tag = error.reason._tag
      const large = tag === "FileTooLarge" || tag === "BodyTooLarge"
      return new ValidationError({
        message: large
          ? `file: at most ${uploadMaxMegabytes} MB a file, and no more than the organization's storage quota leaves.`
          : `file: not readable as multipart/form-data (${tag}).`
      })
    }

    // The parts go to the disk first: a slow client holds no database connection.
    const received = Effect.fnUntraced(function* (orgId: number) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (mediaTypeOf(request.headers["content-type"]) !== "multipart/form-data") {
        return yield* new ValidationError({ message: "file: send multipart/form-data with a part named file." })
      }
      const most = yield* storage.admit(orgId, request.headers["content-length"])
      const parts = yield* Effect.mapError(readMultipart(request, limits(most)), problem)
      return parts.files.filter(({ key }) => key === "file")
    }, Effect.provideContext(platform))

    /** Charges an upload that came without Content-Length, before its files are stored. */
    const paid = Effect.fnUntraced(function* (userId: number, parts: ReadonlyArray<Multipart.PersistedFile>) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      if (headers["content-length"] !== undefined) return
      const fileStats = yield* Effect.forEach(parts, ({ path }) => Effect.orDie(disk.stat(path)))
      const bytes = fileStats.reduce((sum, { size }) => sum + Number(size), 0)
      const cost = costOfBytes(Context.get(upload.annotations, Requires), bytes)
      const { allowed, retryAfterSeconds } = yield* budget.spend(userId, cost)
      if (!allowed)
        return yield* new TooManyRequests({ message: "file: its size costs more than is left.", retryAfterSeconds })
    })

    return handlers
      .handleRaw("upload", () =>
        Effect.gen(function* () {
          const caller = yield* Caller
          const parts = yield* received(caller.orgId)
          yield* paid(caller.userId, parts)
          const storedFiles = yield* files.upload(
            caller,
            parts.map((part) => ({
              name: partName(part.name),
              mimetype: part.contentType.slice(0, 255),
              content: Stream.orDie(disk.stream(part.path))
            }))
          )
          return HttpServerResponse.jsonUnsafe(storedFiles.length === 1 ? storedFiles[0] : storedFiles)
        })
      )
      .handle("get", ({ params }) => Effect.flatMap(Caller, (caller) => files.get(caller, params.file_id)))
  })
).pipe(Layer.provide(NodeServices.layer))

/** Browsers escape quotes and line ends in the name of a part (HTML, multipart/form-data encoding); some send the whole path. */
export const partName = (sent: string) => baseName(sent.replaceAll("%22", '"').replace(/%0[AD]/gi, " "))
