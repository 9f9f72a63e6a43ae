// Frames messages on a pipe between a confined process and the service (decisions P9): JSON in UTF-8 behind its length in four bytes, so
// that nothing but text is ever read and nothing longer than the reader allows is ever kept.
import { WrongMessage } from "./messageShape.ts"

const HEAD = 4

export const frame = (message: unknown): Buffer => {
  const body = Buffer.from(JSON.stringify(message), "utf8")
  const head = Buffer.allocUnsafe(HEAD)
  head.writeUInt32BE(body.byteLength)
  return Buffer.concat([head, body])
}

/** Turns bytes into complete messages. `most`: bytes of one message, asked when it begins. Throws `WrongMessage`. */
export const frameReader = (most: () => number, receive: (message: unknown) => void) => {
  let heldBuffers: Array<Buffer> = []
  let bytes = 0
  const joined = () => {
    if (heldBuffers.length > 1) heldBuffers = [Buffer.concat(heldBuffers, bytes)]
    return heldBuffers[0]!
  }
  let wantedBytes = HEAD
  let body = false
  return (chunk: Buffer): void => {
    heldBuffers.push(chunk)
    bytes += chunk.byteLength
    while (bytes >= wantedBytes) {
      const joinedBuffer = joined()
      const part = joinedBuffer.subarray(0, wantedBytes)
      heldBuffers = [joinedBuffer.subarray(wantedBytes)]
      bytes -= wantedBytes
      if (body) {
        wantedBytes = HEAD
        body = false
        receive(parseMessage(part))
      } else {
        wantedBytes = part.readUInt32BE()
        body = true
        if (wantedBytes === 0 || wantedBytes > most())
          throw new WrongMessage(`message: ${wantedBytes} bytes, at most ${most()} allowed`)
      }
    }
  }
}

const parseMessage = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    throw new WrongMessage("message: expected JSON")
  }
}
