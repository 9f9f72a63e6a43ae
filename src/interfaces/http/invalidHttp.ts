// Answers input that is no HTTP request in the shape of every other error, and ends the connection (decisions P6): headers that are too
// large or too slow, a Content-Length that is none, two that differ, a body framed in two ways.
import type { Duplex } from "node:stream"
import { devApiError } from "../../api/middleware/errorBodies.ts"
import { sendReady } from "./answers.ts"
import { METHODS, unknownMethod } from "./malformedRequests.ts"

const framing = [400, "Bad Request", "The body is framed in two ways, or in one that is not supported."] as const
const refusalByCode: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers are larger than 16 KiB."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The headers took too long."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Content Too Large", "The chunk extensions are too large."],
  HPE_INVALID_CONTENT_LENGTH: [400, "Bad Request", "The Content-Length is not a length."],
  HPE_UNEXPECTED_CONTENT_LENGTH: framing,
  HPE_INVALID_TRANSFER_ENCODING: framing,
  HPE_INVALID_CHUNK_SIZE: [400, "Bad Request", "A chunk's size is not a size."]
}
const METHOD = /^[!#$%&'*+.^_`|~\w-]{1,40}(?= \S+ HTTP\/1\.[01]\r\n)/

/** A request line that is one but for its method; Node reads no further. */
const methodOf = ({ code, rawPacket }: Unparsed) =>
  code === "HPE_INVALID_METHOD" && rawPacket !== undefined
    ? METHOD.exec(rawPacket.subarray(0, 4_096).toString("latin1"))?.[0]
    : undefined

const other = [400, "Bad Request", "The request is not HTTP."] as const

type Unparsed = Error & { readonly code?: string; readonly rawPacket?: Buffer }

const end = (socket: Duplex, status: number, phrase: string, message: string, headers = "") => {
  const body = JSON.stringify(devApiError(status, "invalid_request", message, ""))
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nConnection: close\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy()
  )
}

const refuseMethod = (socket: Duplex, method: string) =>
  end(socket, 501, "Not Implemented", unknownMethod(method), `Allow: ${METHODS}\r\n`)

/** Refuses CONNECT: there are no tunnels. */
export const refuseConnect = (_request: unknown, socket: Duplex) => {
  socket.on("error", () => socket.destroy())
  refuseMethod(socket, "CONNECT")
}

export const refuseUnparsed = (error: Unparsed, socket: Duplex) => {
  sendReady()
  // An answer that has begun cannot be followed by another.
  const isAnswerStarted = (socket as { readonly _httpMessage?: { readonly headersSent: boolean } })._httpMessage
    ?.headersSent
  if (!socket.writable || error.code === "ECONNRESET" || isAnswerStarted === true) return void socket.destroy(error)
  const method = methodOf(error)
  if (method !== undefined) return refuseMethod(socket, method)
  const [status, phrase, message] = refusalByCode[error.code ?? ""] ?? other
  end(socket, status, phrase, message)
}
