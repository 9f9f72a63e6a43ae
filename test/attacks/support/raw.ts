// Requests as an attacker writes them: over a bare socket, framed at will, and never reading more than the answer.
import { connect } from "node:net"

export interface Told {
  readonly status: number
  readonly text: string
  /** Bytes of the body that the other side took. */
  readonly sent: number
  readonly closed: boolean
}

export interface Attack {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body's bytes one after another; nothing more is written while the other side does not take it. */
  readonly body: Iterable<Buffer | string>
  /** Between two pieces. */
  readonly pauseMillis?: number
  /** Give up waiting after. */
  readonly patienceMillis?: number
}

/** Sends until the body is out or the connection ends; then waits for the end of the answer. */
export const send = (origin: string, attack: Attack) =>
  new Promise<Told>((resolve) => {
    const { hostname, port, host } = new URL(origin)
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ""
    let sentBytes = 0
    let closed = false
    const finish = () => {
      clearTimeout(limit)
      socket.destroy()
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      resolve({ status, text, sent: sentBytes, closed })
    }
    const limit = setTimeout(finish, attack.patienceMillis ?? 60_000)
    const pieces = attack.body[Symbol.iterator]()
    const write = () => {
      for (;;) {
        if (socket.destroyed || socket.writableEnded) return
        const { done, value } = pieces.next()
        if (done === true) return
        const flowing = socket.write(value)
        sentBytes += value.length
        if (attack.pauseMillis !== undefined) return void setTimeout(write, attack.pauseMillis)
        if (!flowing) return void socket.once("drain", write)
      }
    }
    socket.on("connect", () => {
      const headers = { host, ...attack.headers }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`${attack.method ?? "POST"} ${attack.path} HTTP/1.1\r\n${lines.join("")}\r\n`)
      write()
    })
    socket.on("data", (chunk) => {
      text += chunk
    })
    socket.on("end", () => {
      closed = true
      finish()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      closed = true
      finish()
    })
  })

/** Chunks of `bytes` in all, as Transfer-Encoding frames them. */
export function* chunked(bytes: number, fill = "a"): Iterable<Buffer> {
  const size = 64 * 1024
  const chunk = Buffer.from(`${size.toString(16)}\r\n${fill.repeat(size / fill.length)}\r\n`)
  for (let offset = 0; offset < bytes; offset += size) yield chunk
  yield Buffer.from("0\r\n\r\n")
}
