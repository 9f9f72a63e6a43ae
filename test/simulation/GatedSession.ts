// A session of Postgres with a gate in it: a statement goes to the server when the schedule lets it, and its answer comes back whole.
import type { Socket } from "node:net"
import { Duplex } from "node:stream"
import { dialBackend, greetingOf, keepBackend, takeBackend } from "./backends.ts"
import { type Plant, planted, withShortWait } from "./sentBytes.ts"
import { makeBackend, makeFrontend, type Unit } from "./wire.ts"

export interface Server {
  readonly host: string
  readonly port: number
  readonly plant?: Plant
}

/** How the gate hears of a session. */
interface Changes {
  readonly answered: () => void
  /** The session ends; the server may be a moment behind. */
  readonly ended: (pid: number) => void
  readonly changed: () => void
}

/**
 * `greeted`: the server is ready, and the client does not know yet. `answered`: the server has done the statement, and the client does not know yet.
 * `ending`: the server still rolls back what was open, and says when it has.
 */
type State = "starting" | "greeted" | "open" | "running" | "blocked" | "answered" | "ending" | "closing" | "closed"

/** Ends an answer of the server if no transaction is open. */
const IDLE = "I".charCodeAt(0)

export class GatedSession extends Duplex {
  state: State = "starting"
  pid: number | undefined
  /** Statements that wait at the gate, in the order in which they were sent. */
  readonly waiting: Array<Unit> = []
  readonly name: string
  private readonly server: Server
  private readonly frontend = makeFrontend()
  private readonly changes: Changes
  /** Undefined until the client has said who it is. */
  private socket: Socket | undefined
  private startup: Buffer | undefined
  /** All that the server has said before the session was ready. */
  private greeting: Buffer = Buffer.alloc(0)
  /** What the client has not heard yet, of it or of the answer to its statement. */
  private unheard: Buffer = Buffer.alloc(0)
  private hasSession = false
  /** Until its transaction is over, it waits a moment for a lock, and fails. */
  waitsShortly = false
  /** The client hears no more: its process has died. */
  private deaf = false

  constructor(name: string, server: Server, changes: Changes) {
    super({ allowHalfOpen: false })
    this.name = name
    this.server = server
    this.changes = changes
  }

  /** Opens a session of the server, or goes on with one that another client has left. */
  private begin(startup: Buffer) {
    this.startup = startup
    const backend = takeBackend(this.server.port, startup)
    this.socket = backend?.socket ?? dialBackend(this.server)
    this.listen(this.socket)
    if (backend === undefined) return this.socket.write(startup)
    this.pid = backend.pid
    this.greeting = backend.greeting
    setImmediate(() => this.answer(backend.greeting))
  }

  private listen(socket: Socket) {
    const backend = makeBackend()
    socket.on("data", (chunk) => {
      const { answers, pid, takeRest } = backend(chunk)
      if (pid !== undefined) this.pid = pid
      if (!this.hasSession) this.greeting = Buffer.concat([this.greeting, chunk])
      // What comes before the session is ready is asked and answered without a gate.
      const early = this.hasSession || answers.length > 0 ? undefined : takeRest()
      if (early !== undefined && !this.deaf) this.push(early)
      for (const answer of answers) this.answer(answer)
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      this.endSession()
      this.finish()
    })
  }

  private finish() {
    this.state = "closed"
    if (!this.deaf) this.destroy()
    this.changes.answered()
  }

  /** The client hears what the server has said: when the gate says so, whatever session of the server is done first. */
  hear() {
    this.state = "open"
    if (!this.deaf) this.push(this.unheard)
    this.changes.changed()
  }

  private answer(bytes: Buffer) {
    this.unheard = bytes
    if (!this.hasSession) {
      this.hasSession = true
      if (this.state === "starting") this.state = "greeted"
      return this.changes.changed()
    }
    if (this.state === "running" || this.state === "blocked") this.state = "answered"
    if (bytes.at(-1) === IDLE) this.waitsShortly = false
    this.changes.answered()
  }

  /** What the next statement does is done, and its client does not hear of it. */
  deafen() {
    this.deaf = true
  }

  /** Lets the first statement go to the server. */
  release(): Unit {
    const unit = this.waiting.shift()!
    this.state = "running"
    const { plant } = this.server
    const bytes = withShortWait(unit)
    this.waitsShortly ||= !bytes.equals(unit.bytes)
    this.socket!.write(plant === undefined ? bytes : planted(bytes, plant))
    return unit
  }

  /** The process at this end dies: its client hears nothing more, and the server rolls back what is open. */
  cut() {
    this.deaf = true
    this.waiting.length = 0
    this.endSession()
  }

  /** The connection breaks; the client hears that, and nothing else. */
  break() {
    this.waiting.length = 0
    this.endSession()
    this.destroy()
  }

  private endSession() {
    if (this.state === "ending" || this.state === "closing" || this.state === "closed") return
    const { pid, socket, startup } = this
    if (
      (this.state === "open" || this.state === "greeted" || this.state === "answered") &&
      socket !== undefined &&
      pid !== undefined &&
      startup !== undefined
    ) {
      this.state = "ending"
      const backend = { socket, pid, greeting: greetingOf(this.greeting) }
      return keepBackend(this.server.port, startup, backend, () => this.finish())
    }
    if (pid !== undefined) this.changes.ended(pid)
    this.state = "closing"
    socket?.destroy()
    if (socket === undefined) this.finish()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void) {
    if (this.deaf) return done()
    const { startup, units } = this.frontend(chunk)
    for (const message of startup)
      if (this.socket === undefined) this.begin(message)
      else this.socket.write(message)
    this.waiting.push(...units)
    this.changes.changed()
    done()
  }

  override _read() {}

  override _final(done: () => void) {
    if (!this.deaf) this.endSession()
    done()
  }

  override _destroy(_: Error | null, done: (error?: Error | null) => void) {
    this.endSession()
    done()
  }
}
