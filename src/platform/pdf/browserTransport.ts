// Transport between Chromium and the service: JSON texts, each ended by a NUL, on a pair of pipes (decisions P9).
import type { ChildProcess } from "node:child_process"
import type { Duplex } from "node:stream"
import type { ConnectionTransport } from "puppeteer-core"

const NUL = 0
/** Most bytes of one text: a piece of a printed document has 10 MiB, four thirds of it in base64. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024

/** Transport over the descriptors 3 (to the browser) and 4 (from it) of a process. A text that grows too long ends the reading. */
export const transportOf = (child: ChildProcess, most = TEXT_BYTES_MAX): ConnectionTransport => {
  const [to, from] = [child.stdio[3] as Duplex, child.stdio[4] as Duplex]
  const transport: ConnectionTransport = {
    send: (message) => void (to.writable && to.write(`${message}\0`)),
    close: () => {
      to.destroy()
      from.destroy()
    }
  }
  const heldPieces: Array<Buffer> = []
  let heldBytes = 0
  from.on("data", (bytes: Buffer) => {
    let start = 0
    for (let end = bytes.indexOf(NUL); end !== -1; end = bytes.indexOf(NUL, start)) {
      heldPieces.push(bytes.subarray(start, end))
      const message = Buffer.concat(heldPieces).toString("utf8")
      heldPieces.length = 0
      heldBytes = 0
      start = end + 1
      // Delivers each message in its own turn of the event loop: code that it resumes runs before the next.
      setImmediate(() => transport.onmessage?.(message))
    }
    if (start === bytes.byteLength) return
    heldPieces.push(bytes.subarray(start))
    heldBytes += bytes.byteLength - start
    if (heldBytes > most) transport.close()
  })
  from.on("close", () => transport.onclose?.())
  return transport
}
