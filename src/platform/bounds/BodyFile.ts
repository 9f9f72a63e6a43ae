// Writes a body that is one file to the disk while it comes, without its content codings and within its bound: the third part of the body
// reader (decisions P6).
import { createWriteStream } from "node:fs"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import {
  BodyPatience,
  BodyRefused,
  broken,
  codingsIn,
  invite,
  messageOf,
  notPacked,
  readBytes,
  refusedUnread,
  tooLarge
} from "./Body.ts"
import { unpackerOf } from "./contentCoding.ts"
import { refuseSlowUpload } from "./uploadPace.ts"

/** Passes at most so many bytes on. */
const bounded = (maxBytes: number) => {
  let size = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(tooLarge(maxBytes))
      else done(null, chunk)
    }
  })
}

/** Writes the body to the path, at most `maxBytes` of it. The caller removes the remains of a refused one. */
export const readToFile = (
  request: HttpServerRequest.HttpServerRequest,
  path: string,
  maxBytes: number
): Effect.Effect<void, BodyRefused> =>
  Effect.withFiber((fiber) => {
    const refusal = refusedUnread(request, maxBytes, true)
    if (refusal !== undefined) return Effect.fail(refusal)
    const codings = codingsIn(request)
    const source = messageOf(request)
    const failed = codings.length === 0 ? broken : notPacked(codings)
    const write = (from: Readable, layers: ReadonlyArray<Transform>) =>
      Effect.tryPromise({
        try: (signal) => pipeline([from, ...layers, bounded(maxBytes), createWriteStream(path)], { signal }),
        catch: (cause) => (cause instanceof BodyRefused ? cause : failed)
      })
    if (source === undefined)
      return Effect.flatMap(readBytes(request, maxBytes, true), (bytes) => write(Readable.from([bytes]), []))
    invite(request)
    // Keeps the socket open for the response.
    const from = Readable.from(source.iterator({ destroyOnReturn: false }), { objectMode: false })
    const layers = codings.toReversed().flatMap((coding) => [unpackerOf(coding), bounded(maxBytes)])
    return Effect.raceFirst(write(from, layers), refuseSlowUpload(request, fiber.getRef(BodyPatience)))
  })
