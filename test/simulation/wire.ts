// Postgres' protocol as far as a gate needs it: where a statement ends on its way to the server, and when its answer is whole.

export interface Unit {
  readonly bytes: Buffer
  /** The statement as it is written; of several, the last. */
  readonly text: string
}

const CANCEL_CODE = 80_877_102
const READY = "Z".charCodeAt(0)
const NOTIFICATION = "A".charCodeAt(0)
const KEY_DATA = "K".charCodeAt(0)

const textAt = (message: Buffer, at: number) => message.toString("utf8", at, message.indexOf(0, at))

/** Cuts what a client sends into statements, each with its Sync. What comes before the session is ready passes as it is. */
export const makeFrontend = () => {
  const statements = new Map<string, string>()
  let unread = Buffer.alloc(0)
  let parts: Array<Buffer> = []
  let text = ""
  let hasStarted = false

  return (
    chunk: Buffer
  ): { readonly cancels: boolean; readonly startup: ReadonlyArray<Buffer>; units: Array<Unit> } => {
    unread = Buffer.concat([unread, chunk])
    const startup: Array<Buffer> = []
    const units: Array<Unit> = []
    let cancels = false
    for (;;) {
      const head = hasStarted ? 1 : 0
      if (unread.length < head + 4) break
      const end = head + unread.readUInt32BE(head)
      if (unread.length < end) break
      const message = Buffer.from(unread.subarray(0, end))
      unread = unread.subarray(end)
      if (!hasStarted) {
        cancels = message.readUInt32BE(4) === CANCEL_CODE
        hasStarted = true
        startup.push(message)
        continue
      }
      const kind = String.fromCharCode(message[0]!)
      if (kind === "p") {
        startup.push(message)
        continue
      }
      if (kind === "P") {
        const name = textAt(message, 5)
        text = textAt(message, 5 + Buffer.byteLength(name) + 1)
        statements.set(name, text)
      }
      if (kind === "B") text = statements.get(textAt(message, 5 + message.indexOf(0, 5) - 5 + 1)) ?? text
      if (kind === "Q") text = textAt(message, 5)
      parts.push(message)
      if (kind === "S" || kind === "Q") {
        units.push({ bytes: Buffer.concat(parts), text })
        parts = []
      }
    }
    return { cancels, startup, units }
  }
}

/** Collects what the server answers until it is ready for the next statement. Notifications are left out: they are lost. */
export const makeBackend = () => {
  let unread = Buffer.alloc(0)
  let parts: Array<Buffer> = []
  /** What has come since the last whole answer; an answer may come in several pieces, and keeps the first ones. */
  const takeRest = (): Buffer | undefined => {
    const remainder = parts.length === 0 ? undefined : Buffer.concat(parts)
    parts = []
    return remainder
  }
  return (
    chunk: Buffer
  ): {
    readonly answers: ReadonlyArray<Buffer>
    readonly takeRest: () => Buffer | undefined
    readonly pid?: number
  } => {
    unread = Buffer.concat([unread, chunk])
    const answers: Array<Buffer> = []
    let pid: number | undefined
    while (unread.length >= 5) {
      const end = 1 + unread.readUInt32BE(1)
      if (unread.length < end) break
      const message = Buffer.from(unread.subarray(0, end))
      unread = unread.subarray(end)
      if (message[0] === NOTIFICATION) continue
      if (message[0] === KEY_DATA) pid = message.readUInt32BE(5)
      parts.push(message)
      if (message[0] !== READY) continue
      answers.push(Buffer.concat(parts))
      parts = []
    }
    return { answers, takeRest, ...(pid === undefined ? {} : { pid }) }
  }
}
