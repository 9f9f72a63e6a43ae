// Only reader of request bodies (decisions P6): it counts while it reads, whatever the framing says. Beyond its limit or its time nothing
// more is kept, and the connection is closed with the response. The suite fails if a body is read elsewhere.
import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ByteSize, Context, Data, Effect } from "effect"
import { Headers, HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { turnFor } from "./bodyTurns.ts"
import { CODINGS, canUnpack, codingsOf, unpack } from "./contentCoding.ts"

type Request = HttpServerRequest.HttpServerRequest

export class BodyRefused extends Data.TaggedError("BodyRefused")<{
  readonly reason: "too_large" | "too_slow" | "encoded" | "not_text" | "broken"
  readonly message: string
}> {}

/** Seconds that a body may take in all (`BODY_TIMEOUT_SECONDS`). */
export class BodyPatience extends Context.Reference<number>("millrace/bounds/BodyPatience", {
  defaultValue: () => 30
}) {}

const sized = (bytes: number) =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`
export const tooLarge = (bytes: number) =>
  new BodyRefused({ reason: "too_large", message: `The body is larger than ${sized(bytes)}.` })
export const tooSlow = (seconds: number) =>
  new BodyRefused({ reason: "too_slow", message: `The body took longer than ${seconds} s.` })
const encoded = new BodyRefused({
  reason: "encoded",
  message: "A Content-Encoding is not supported here; send the body as it is."
})
const notCoded = new BodyRefused({
  reason: "encoded",
  message: `The body has a Content-Encoding that is not supported here; ${CODINGS} are.`
})
const notText = new BodyRefused({ reason: "not_text", message: "The body is not UTF-8." })
export const broken = new BodyRefused({ reason: "broken", message: "The body could not be read." })

/** Message of the socket; undefined for a request that was made inside the process. */
export const messageOf = (request: Request): IncomingMessage | undefined => {
  const source: unknown = NodeHttpServerRequest.toIncomingMessage(request)
  return source instanceof Readable ? (source as IncomingMessage) : undefined
}

/** Sends `100 Continue`: a client that asks for it (RFC 9110 10.1.1) sends nothing before. */
export const invite = (request: Request) => {
  if (request.headers["expect"] !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
}

/** Content codings of the body (RFC 9110 8.4), in the order in which they were applied. */
export const codingsIn = (request: Request): ReadonlyArray<string> => codingsOf(request.headers["content-encoding"])

/** Refusal that is certain before a byte is read. @param unpacks the reader undoes content codings */
export const refusedUnread = (request: Request, maxBytes: number, unpacks = false): BodyRefused | undefined => {
  const codings = codingsIn(request)
  if (codings.length > 0 && !unpacks) return encoded
  if (!canUnpack(codings)) return notCoded
  const { "content-length": length } = request.headers
  return length !== undefined && Number(length) > maxBytes ? tooLarge(maxBytes) : undefined
}

/** Refusal of a body that does not have the codings that it claims. */
export const notPacked = (codings: ReadonlyArray<string>) =>
  new BodyRefused({ reason: "broken", message: `The body is not ${codings.join(", ")}, as its Content-Encoding says.` })

const fromSocket = (request: Request, source: IncomingMessage, maxBytes: number, seconds: number) =>
  Effect.callback<Uint8Array, BodyRefused>((resume) => {
    if (source.readableEnded || source.destroyed) return resume(Effect.fail(broken))
    const chunks: Array<Uint8Array> = []
    let size = 0
    const stop = () => {
      clearTimeout(timer)
      source.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onLost)
    }
    const refuse = (refused: BodyRefused) => {
      stop()
      // Leaves the rest of the body with the sender until the connection is closed.
      source.pause()
      resume(Effect.fail(refused))
    }
    const onData = (chunk: Uint8Array) => {
      size += chunk.length
      if (size > maxBytes) return refuse(tooLarge(maxBytes))
      chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      resume(Effect.succeed(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
    }
    const onLost = () => refuse(broken)
    const timer = source.complete ? undefined : setTimeout(() => refuse(tooSlow(seconds)), seconds * 1000)
    invite(request)
    source.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost)
    return Effect.sync(stop)
  })

const fromProcess = (request: Request, maxBytes: number) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
    Effect.mapError((error) => (/large|exceed|max/i.test(String(error.cause ?? error)) ? tooLarge(maxBytes) : broken)),
    Effect.flatMap((buffer) =>
      buffer.byteLength > maxBytes ? Effect.fail(tooLarge(maxBytes)) : Effect.succeed(new Uint8Array(buffer))
    )
  )

/** Reads the body, at most `maxBytes` long. @param unpacks undoes content codings, within the same bound; else they are refused */
export const readBytes = (
  request: Request,
  maxBytes: number,
  unpacks = false
): Effect.Effect<Uint8Array, BodyRefused> =>
  Effect.withFiber((fiber) => {
    const refusal = refusedUnread(request, maxBytes, unpacks)
    if (refusal !== undefined) return Effect.fail(refusal)
    const source = messageOf(request)
    const read =
      source === undefined
        ? fromProcess(request, maxBytes)
        : fromSocket(request, source, maxBytes, fiber.getRef(BodyPatience))
    const codings = codingsIn(request)
    if (codings.length === 0) return read
    return Effect.flatMap(read, (packed) =>
      Effect.flatMap(
        Effect.promise(() => unpack(packed, packed.length === 0 ? [] : codings, maxBytes)),
        ({ bytes, end }) =>
          end === "whole"
            ? Effect.succeed(bytes)
            : Effect.fail(end === "larger" ? tooLarge(maxBytes) : notPacked(codings))
      )
    )
  })

const strictly = new TextDecoder("utf-8", { fatal: true })

/** Reads the body as UTF-8 text, at most `maxBytes` long; a large one waits for its turn (bodyTurns.ts). */
export const readText = Effect.fnUntraced(function* (request: Request, maxBytes: number) {
  const bytes = yield* readBytes(request, maxBytes)
  yield* turnFor(bytes.length)
  return yield* Effect.try({ try: () => strictly.decode(bytes), catch: () => notText })
})

/**
 * Request for code that runs after the reader: its text is the one that was read. An empty body loses its content type. A copy: V8 makes a
 * class for each object that is the prototype of another, which keeps the request, with its answer, until the whole heap is collected.
 */
export const withText = (request: Request, text: string): Request =>
  Object.defineProperty(
    request.modify(text === "" ? { headers: Headers.remove(request.headers, "content-type") } : {}),
    "text",
    { value: Effect.succeed(text) }
  )

/** True if the body has arrived, together with its headers, and is no longer than so many bytes: reading it waits for nobody. */
export const hasArrived = (request: Request, maxBytes: number): boolean => {
  const source = messageOf(request)
  return source?.complete === true && Number(source.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= maxBytes
}

/** True if some of the body has not arrived: a response sent now does not wait for the rest, and the connection ends. */
export const isUnfinished = (request: Request): boolean => {
  const source = messageOf(request)
  if (source === undefined || source.complete) return false
  const { "content-length": length, "transfer-encoding": coding } = source.headers
  return coding !== undefined || (length !== undefined && length !== "0")
}
