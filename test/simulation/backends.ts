// Sessions of Postgres that one client of a schedule has left, for the next: a new one has to read the whole catalog first, which takes Postgres
// longer than most of what schedules ask of it.
import { connect as dial, type Socket } from "node:net"
import { makeBackend } from "./wire.ts"

export interface Backend {
  readonly socket: Socket
  /** What the server has said once the client was known, up to its first `ReadyForQuery`. */
  readonly greeting: Buffer
  readonly pid: number
}

const query = (text: string) => {
  const bytes = Buffer.from(`Q\0\0\0\0${text}\0`)
  bytes.writeUInt32BE(bytes.length - 1, 1)
  return bytes
}
/** Leaves nothing of the former client; each is answered. */
const CLEANING = ["ROLLBACK", "DISCARD ALL"].map(query)
const AUTHENTICATED = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0])

const backends = new Map<string, Array<Backend>>()

/** What a session is opened with, but for the name of its process. @param startup the client's first message */
const keyOf = (port: number, startup: Buffer) =>
  `${port} ${startup.toString("latin1").replace(/(application_name)\0[^\0]*/, "$1")}`

/** The greeting of a session is the same for the next client, which need not prove again who it is. */
export const greetingOf = (bytes: Buffer): Buffer => {
  const from = bytes.lastIndexOf(AUTHENTICATED)
  return Buffer.from(bytes.subarray(Math.max(0, from)))
}

export const takeBackend = (port: number, startup: Buffer): Backend | undefined =>
  backends.get(keyOf(port, startup))?.pop()

export const dialBackend = (server: { readonly host: string; readonly port: number }): Socket =>
  dial({ host: server.host, port: server.port, noDelay: true })

/** Rolls back what is open, and keeps the session; `done` hears that it is over, kept or not. */
export const keepBackend = (port: number, startup: Buffer, backend: Backend, done: () => void) => {
  const { socket } = backend
  const answers = makeBackend()
  let awaited = CLEANING.length
  const end = () => {
    socket.removeAllListeners()
    socket.on("error", () => undefined)
    done()
  }
  socket.removeAllListeners()
  socket.on("error", () => undefined)
  socket.on("close", end)
  socket.on("data", (chunk) => {
    awaited -= answers(chunk).answers.length
    if (awaited > 0) return
    end()
    const key = keyOf(port, startup)
    const kept = backends.get(key) ?? []
    backends.set(key, kept)
    kept.push(backend)
    socket.once("close", () =>
      backends.set(
        key,
        (backends.get(key) ?? []).filter((other) => other !== backend)
      )
    )
  })
  for (const statement of CLEANING) socket.write(statement)
}
