// The one reader of request bodies (decisions P6): counts while it reads, whatever the framing says; beyond its limit or its time
// nothing more is kept, and the connection is closed with the answer. The suite fails where a body is read elsewhere.
import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ByteSize, Context, Data, Effect } from "effect"
import { Headers, HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { turnFor } from "./turns.ts"

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
const tooLarge = (bytes: number) =>
  new BodyRefused({ reason: "too_large", message: `The body is larger than ${sized(bytes)}.` })
export const tooSlow = (seconds: number) =>
  new BodyRefused({ reason: "too_slow", message: `The body took longer than ${seconds} s.` })
const encoded = new BodyRefused({
  reason: "encoded",
  message: "A Content-Encoding is not supported here; send the body as it is."
})
const notText = new BodyRefused({ reason: "not_text", message: "The body is not UTF-8." })
const broken = new BodyRefused({ reason: "broken", message: "The body could not be read." })

/** The socket's message; undefined for a request that was made inside the process. */
export const messageOf = (request: Request): IncomingMessage | undefined => {
  const source: unknown = NodeHttpServerRequest.toIncomingMessage(request)
  return source instanceof Readable ? (source as IncomingMessage) : undefined
}

/** A client that asks first (RFC 9110 10.1.1) sends nothing before it is told to. */
export const invite = (request: Request) => {
  if (request.headers["expect"] !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
}

/** What is wrong before a byte is read. */
export const refusedUnread = (request: Request, maxBytes: number): BodyRefused | undefined => {
  const { "content-encoding": encoding = "identity", "content-length": length } = request.headers
  if (encoding.trim().toLowerCase() !== "identity") return encoded
  return length !== undefined && Number(length) > maxBytes ? tooLarge(maxBytes) : undefined
}

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
      // What is still to come stays with the sender until the connection is closed.
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

/** The body, at most `maxBytes` long. */
export const readBytes = (request: Request, maxBytes: number): Effect.Effect<Uint8Array, BodyRefused> =>
  Effect.withFiber((fiber) => {
    const refused = refusedUnread(request, maxBytes)
    if (refused !== undefined) return Effect.fail(refused)
    const source = messageOf(request)
    return source === undefined
      ? fromProcess(request, maxBytes)
      : fromSocket(request, source, maxBytes, fiber.getRef(BodyPatience))
  })

const lenient = new TextDecoder()
const strictly = new TextDecoder("utf-8", { fatal: true })

/** The body as text, at most `maxBytes` long, in a turn of its own where it is large. @param strict refuses what is no UTF-8 */
export const readText = Effect.fnUntraced(function* (request: Request, maxBytes: number, strict = false) {
  const bytes = yield* readBytes(request, maxBytes)
  yield* turnFor(bytes.length)
  if (!strict) return lenient.decode(bytes)
  return yield* Effect.try({ try: () => strictly.decode(bytes), catch: () => notText })
})

/** The request for those who come after the reader: its text is what was read. Nothing is of no kind, whatever was sent with it. */
export const withText = (request: Request, text: string): Request =>
  Object.create(request, {
    text: { value: Effect.succeed(text) },
    ...(text === "" ? { headers: { value: Headers.remove(request.headers, "content-type") } } : {})
  })

/** Whether some of the body has not arrived: who answers so does not wait for the rest, the connection ends. */
export const isUnfinished = (request: Request): boolean => {
  const source = messageOf(request)
  if (source === undefined || source.complete) return false
  const { "content-length": length, "transfer-encoding": coding } = source.headers
  return coding !== undefined || (length !== undefined && length !== "0")
}
