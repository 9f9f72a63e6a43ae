// Reads Chromium's output piece by piece, up to a bound (decisions A22: a process that all organizations share holds it), and counts its
// pages in slices (decisions P8).
import { Effect } from "effect"
import { makeGivingWay } from "../primitives/slices.ts"

export const PDF_MB = 50

/** Reads the stream. `undefined`: there are more than `most` bytes; the rest is not read. */
export const bytesOf = async (
  stream: ReadableStream<Uint8Array>,
  most = PDF_MB * 1_000_000
): Promise<Uint8Array | undefined> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of stream) {
    size += piece.byteLength
    if (size > most) return undefined
    pieces.push(piece)
  }
  const joinedBytes = new Uint8Array(size)
  let offset = 0
  for (const piece of pieces) {
    joinedBytes.set(piece, offset)
    offset += piece.byteLength
  }
  return joinedBytes
}

const WINDOW = 64 * 1024
const SIGN = "<</Type /Pages\n/Count "
/** Bytes to read behind the sign, with the number. */
const TAIL = 32

/**
 * Number of pages: Chromium writes its page tree uncompressed, and the root's count is the largest. A title or a link never holds a raw
 * line feed, so no document can write such a line.
 */
export const pageCountOf = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const giveWay = makeGivingWay()
  let count = 0
  for (let from = 0; from < buffer.length; from += WINDOW) {
    // Extends the window: a sign that begins within it may end behind it.
    const window = buffer.subarray(from, from + WINDOW + SIGN.length)
    for (
      let signIndex = window.indexOf(SIGN, 0, "latin1");
      signIndex >= 0;
      signIndex = window.indexOf(SIGN, signIndex + 1, "latin1")
    ) {
      const begin = from + signIndex + SIGN.length
      const digits = /^(\d{1,9})\n/.exec(buffer.toString("latin1", begin, begin + TAIL))?.[1]
      count = Math.max(count, Number(digits ?? 0))
    }
    yield* giveWay
  }
  return count
})
