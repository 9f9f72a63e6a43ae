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
  let held: Array<Buffer> = []
  let bytes = 0
  const joined = () => {
    if (held.length > 1) held = [Buffer.concat(held, bytes)]
    return held[0]!
  }
  let wanted = HEAD
  let body = false
  return (chunk: Buffer): void => {
    held.push(chunk)
    bytes += chunk.byteLength
    while (bytes >= wanted) {
      const all = joined()
      const part = all.subarray(0, wanted)
      held = [all.subarray(wanted)]
      bytes -= wanted
      if (body) {
        wanted = HEAD
        body = false
        receive(parsed(part))
      } else {
        wanted = part.readUInt32BE()
        body = true
        if (wanted === 0 || wanted > most())
          throw new WrongMessage(`message: ${wanted} bytes, at most ${most()} allowed`)
      }
    }
  }
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    throw new WrongMessage("message: expected JSON")
  }
}
