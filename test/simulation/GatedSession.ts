// A session of Postgres with a gate in it: a statement goes to the server when the schedule lets it, and its answer comes back whole.
import { connect as dial, type Socket } from "node:net"
import { Duplex } from "node:stream"
import { makeBackend, makeFrontend, type Unit } from "./wire.ts"

/** A text of statements, and one of the same length that takes its place. */
export type Plant = readonly [text: string, other: string]

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

type State = "starting" | "open" | "running" | "blocked" | "closing" | "closed"

const planted = (bytes: Buffer, [text, other]: Plant): Buffer =>
  Buffer.from(bytes.toString("latin1").replaceAll(text, other), "latin1")

export class GatedSession extends Duplex {
  state: State = "starting"
  pid: number | undefined
  /** Statements that wait at the gate, in the order in which they were sent. */
  readonly waiting: Array<Unit> = []
  readonly name: string
  private readonly socket: Socket
  private readonly plant: Plant | undefined
  private readonly frontend = makeFrontend()
  private readonly changes: Changes
  private hasSession = false
  /** The client hears no more: its process has died. */
  private deaf = false

  constructor(name: string, server: Server, changes: Changes) {
    super({ allowHalfOpen: false })
    this.name = name
    this.changes = changes
    const backend = makeBackend()
    this.plant = server.plant
    this.socket = dial({ host: server.host, port: server.port, noDelay: true })
    this.socket.on("data", (chunk) => {
      const { answers, pid, rest } = backend(chunk)
      if (pid !== undefined) this.pid = pid
      // What comes before the session is ready is asked and answered without a gate.
      const early = this.hasSession ? undefined : answers.length === 0 ? rest : undefined
      if (early !== undefined && !this.deaf) this.push(early)
      for (const answer of answers) this.answer(answer)
    })
    this.socket.on("error", () => undefined)
    this.socket.on("close", () => {
      this.endSession()
      this.state = "closed"
      if (!this.deaf) this.destroy()
      changes.changed()
    })
  }

  private answer(bytes: Buffer) {
    this.hasSession = true
    if (this.state === "starting" || this.state === "running" || this.state === "blocked") this.state = "open"
    if (!this.deaf) this.push(bytes)
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
    this.socket.write(this.plant === undefined ? unit.bytes : planted(unit.bytes, this.plant))
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
    if (this.state === "closing" || this.state === "closed") return
    if (this.pid !== undefined) this.changes.ended(this.pid)
    this.state = "closing"
    this.socket.destroy()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void) {
    if (this.deaf) return done()
    const { startup, units } = this.frontend(chunk)
    for (const message of startup) this.socket.write(message)
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
