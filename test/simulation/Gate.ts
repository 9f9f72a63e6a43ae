// All sessions of a schedule: which have a statement to send, and whether the server still works on one or a lock holds it up.
import { setTimeout as delay } from "node:timers/promises"
import { Line, type Server } from "./Line.ts"
import type { Unit } from "./wire.ts"

export interface Watch {
  /** Those of the sessions that wait for a lock, with those that they wait for. */
  readonly blocked: (pids: ReadonlyArray<number>) => Promise<ReadonlyMap<number, ReadonlyArray<number>>>
  /** Those that are there. */
  readonly present: (pids: ReadonlyArray<number>) => Promise<ReadonlySet<number>>
  readonly end: (pids: ReadonlyArray<number>) => Promise<void>
}

const LOOK_MILLIS = 2
/** Turns of the event loop in which nothing happens before the process counts as at rest. */
const QUIET_TURNS = 3

/** Sessions that wait for each other: Postgres ends one of them within a second. */
const deadlocked = (blocked: ReadonlyMap<number, ReadonlyArray<number>>): ReadonlySet<number> => {
  const rest = new Set(blocked.keys())
  for (let before = -1; before !== rest.size; ) {
    before = rest.size
    for (const pid of rest) if (!blocked.get(pid)!.some((by) => rest.has(by))) rest.delete(pid)
  }
  return rest
}

export const makeGate = (server: Server, watch: Watch) => {
  let lines: Array<Line> = []
  const all: Array<Line> = []
  let isClosed = false
  let activity = 0
  const resumes = new Set<() => void>()
  const changed = () => {
    activity++
    for (const resume of resumes) resume()
    resumes.clear()
  }
  /** Whoever waits for a lock may have got it by what has just been answered, and is looked at anew. */
  const unblock = () => {
    for (const line of lines) if (line.state === "blocked") line.state = "running"
  }
  const answered = () => {
    unblock()
    changed()
  }
  /** Sessions that have ended, until the server has rolled them back. */
  const gone = new Set<number>()
  const ended = (pid: number) => void gone.add(pid)
  const nextChange = () =>
    new Promise<void>((resolve) => {
      resumes.add(resolve)
    })
  const counts = new Map<string, number>()
  const deadlocks = new Set<string>()
  const describe = (line: Line, blocked: ReadonlyMap<number, ReadonlyArray<number>>) => {
    const names = lines.filter(({ pid }) => blocked.get(line.pid!)!.includes(pid!)).map(({ name }) => name)
    return `${line.name} waits for ${names.join(", ")}`
  }

  const streamFor = (owner: string) => () => {
    const count = (counts.get(owner) ?? 0) + 1
    counts.set(owner, count)
    const line = new Line(`${owner}.${count}`, server, { answered, changed, ended })
    all.push(line)
    lines.push(line)
    activity++
    if (isClosed) line.break()
    return line
  }

  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

  /** Waits until all that can happen without a decision has happened. */
  const settle = async () => {
    for (;;) {
      for (let quiet = 0, before = activity; quiet < QUIET_TURNS; quiet++) {
        await turn()
        if (activity !== before) [quiet, before] = [-1, activity]
      }
      if (gone.size > 0) {
        const present = await watch.present([...gone])
        for (const pid of gone) if (!present.has(pid)) gone.delete(pid)
        if (gone.size > 0) await delay(1)
        // Whoever has waited for their locks goes on.
        unblock()
      }
      lines = lines.filter(({ state }) => state !== "closed")
      const busy = lines.filter(({ state }) => state === "running" || state === "starting")
      if (busy.length === 0 && gone.size === 0) return
      await Promise.race([nextChange(), delay(LOOK_MILLIS)])
      const running = lines.filter((line) => line.state === "running" && line.pid !== undefined)
      if (running.length === 0) continue
      const waiting = lines.filter(
        ({ pid, state }) => pid !== undefined && (state === "running" || state === "blocked")
      )
      const seen = activity
      const blocked = await watch.blocked(waiting.map(({ pid }) => pid!))
      if (seen !== activity) continue
      const inCycle = deadlocked(blocked)
      for (const line of waiting)
        if (inCycle.has(line.pid!)) {
          line.state = "running"
          deadlocks.add(describe(line, blocked))
        } else if (blocked.has(line.pid!)) line.state = "blocked"
    }
  }

  /** Sessions with a statement that may go. */
  const ready = () => lines.filter(({ state, waiting }) => state === "open" && waiting.length > 0)

  const release = (line: Line): Unit => {
    unblock()
    return line.release()
  }

  const linesOf = (owner: string) => lines.filter(({ name }) => name.startsWith(`${owner}.`))
  /** Ends the sessions of a process, also those in which a statement waits for a lock. */
  const cutAll = async (owner: string) => {
    const own = linesOf(owner)
    const waiting = own.flatMap(({ pid, state }) => (state === "blocked" && pid !== undefined ? [pid] : []))
    for (const line of own) line.cut()
    if (waiting.length > 0) await watch.end(waiting)
    unblock()
  }

  /** After the schedule: every client hears that its session has ended, and gets no other. */
  const close = () => {
    isClosed = true
    for (const line of all) line.break()
  }

  return {
    close,
    /** Sessions that have waited for each other since the last call. */
    takeDeadlocks: () => {
      const taken = [...deadlocks].sort()
      deadlocks.clear()
      return taken
    },
    streamFor,
    settle,
    ready,
    release,
    linesOf,
    cutAll,
    blocked: () => lines.filter(({ state }) => state === "blocked"),
    touch: () => {
      activity++
    }
  }
}
export type Gate = ReturnType<typeof makeGate>
