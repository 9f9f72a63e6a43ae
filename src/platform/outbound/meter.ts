// Limits the bytes that a receiver may send for one request, counted at the socket (decisions P8, W9). The framing of an answer - interim
// answers, sizes and extensions of chunks, trailers, empty lines - never reaches the reader of its body.
import type { Socket } from "node:net"
import { OutboundError } from "./OutboundError.ts"

/** Bytes of header sections, and of an ordinary server's framing. */
const FRAMING_BYTES = 128 * 1024
/** Most bytes of an answer's headers, as Node's own limit. */
export const HEADER_BYTES = 16 * 1024
/** Most interim answers (1xx) before the final one. */
export const INTERIM_AT_MOST = 16
/** Most chunks of an answer, and the bytes that each further one must bring on average. */
const CHUNKS_AT_MOST = 1_000
const CHUNK_BYTES = 64

export const isShredded = (chunks: number, bytes: number): boolean => chunks > CHUNKS_AT_MOST + bytes / CHUNK_BYTES

/** Most bytes on the wire of an answer whose body may have so many bytes. */
export const wireBytes = (maxBytes: number): number => 2 * maxBytes + FRAMING_BYTES

/**
 * Parsing time of all receivers together in one turn of the event loop: tiny headers cost half a microsecond a byte, bodies next to
 * nothing.
 */
const TURN_MILLIS = 4
/** Bytes read at once: a parser that has given up still reads its input to the end. */
const SLICE_BYTES = 4 * 1024

/** Time of the turn's first piece; undefined before it. */
let startedAt: number | undefined
let waitingSockets: Array<Socket> = []
/** Reports body bytes to the meter whose piece is being parsed, in the same turn. */
let account: (bodyBytes: number) => void = () => undefined

/** Credits body bytes of the piece that is being parsed: its framing may take as much again. */
export const bodyArrived = (bytes: number): void => account(bytes)

/** Begins a new turn: waiting sockets come first, in the order of waiting. */
const beginTurn = () => {
  startedAt = undefined
  const resumedSockets = waitingSockets
  waitingSockets = []
  for (const socket of resumedSockets) if (!socket.destroyed) socket.emit("readable")
}

/**
 * Makes the socket close itself when it has read more than `most` since the last byte was written to it, or much that was no body:
 * extensions of chunks cost the parser ten times what a body does.
 */
export const metered = <S extends Socket>(socket: S, most: number): S => {
  const read = socket.read.bind(socket)
  let writtenBytes = socket.bytesWritten
  let bytesLeft = most
  let framing = 0
  const credit = (bodyBytes: number) => {
    framing = Math.max(0, framing - 2 * bodyBytes)
  }
  socket.read = (size?: number) => {
    if (size === 0 || socket.readableLength === 0) return read(size)
    if (socket.destroyed) return null
    if (startedAt !== undefined && performance.now() - startedAt > TURN_MILLIS) {
      waitingSockets.push(socket)
      return null
    }
    const chunk: Uint8Array | null = read(Math.min(size ?? SLICE_BYTES, SLICE_BYTES, socket.readableLength))
    if (chunk === null) return null
    if (startedAt === undefined) {
      startedAt = performance.now()
      setImmediate(beginTurn)
    }
    if (socket.bytesWritten !== writtenBytes) {
      writtenBytes = socket.bytesWritten
      bytesLeft = most
      framing = 0
    }
    bytesLeft -= chunk.length
    framing += chunk.length
    if (bytesLeft >= 0 && framing <= FRAMING_BYTES) {
      account = credit
      return chunk
    }
    const message =
      bytesLeft < 0 ? `more than ${most} bytes in all` : `more than ${FRAMING_BYTES} bytes beside its body`
    socket.destroy(new OutboundError({ reason: "too_large", message: `the answer takes ${message}` }))
    return null
  }
  return socket
}
