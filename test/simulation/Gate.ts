// All sessions of a schedule: which have a statement to send, and whether the server still works on one or a lock holds it up.
import { setTimeout as delay } from "node:timers/promises"
import { GatedSession, type Server } from "./GatedSession.ts"
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
  const cycle = new Set(blocked.keys())
  for (let formerSize = -1; formerSize !== cycle.size; ) {
    formerSize = cycle.size
    for (const pid of cycle) if (!blocked.get(pid)!.some((by) => cycle.has(by))) cycle.delete(pid)
  }
  return cycle
}

export const makeGate = (server: Server, watch: Watch) => {
  let sessions: Array<GatedSession> = []
  const allSessions: Array<GatedSession> = []
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
    for (const session of sessions) if (session.state === "blocked") session.state = "running"
  }
  const answered = () => {
    unblock()
    changed()
  }
  /** Sessions that have ended, until the server has rolled them back. */
  const endedPids = new Set<number>()
  const onEnd = (pid: number) => void endedPids.add(pid)
  const nextChange = () =>
    new Promise<void>((resolve) => {
      resumes.add(resolve)
    })
  const counts = new Map<string, number>()
  const deadlocks = new Set<string>()
  const describe = (session: GatedSession, blocked: ReadonlyMap<number, ReadonlyArray<number>>) => {
    const names = sessions.filter(({ pid }) => blocked.get(session.pid!)!.includes(pid!)).map(({ name }) => name)
    return `${session.name} waits for ${names.join(", ")}`
  }

  const streamFor = (owner: string) => () => {
    const count = (counts.get(owner) ?? 0) + 1
    counts.set(owner, count)
    const session = new GatedSession(`${owner}.${count}`, server, { answered, changed, ended: onEnd })
    allSessions.push(session)
    sessions.push(session)
    activity++
    if (isClosed) session.break()
    return session
  }

  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

  /** Waits until all that can happen without a decision has happened. */
  const settle = async () => {
    for (;;) {
      for (let quietTurns = 0, formerActivity = activity; quietTurns < QUIET_TURNS; quietTurns++) {
        await nextTurn()
        if (activity !== formerActivity) [quietTurns, formerActivity] = [-1, activity]
      }
      if (endedPids.size > 0) {
        const present = await watch.present([...endedPids])
        for (const pid of endedPids) if (!present.has(pid)) endedPids.delete(pid)
        if (endedPids.size > 0) await delay(1)
        // Whoever has waited for their locks goes on.
        unblock()
      }
      sessions = sessions.filter(({ state }) => state !== "closed")
      const busy = sessions.filter(({ state }) => state === "running" || state === "starting" || state === "ending")
      if (busy.length === 0 && endedPids.size === 0) {
        const oldestSession = sessions.find(({ state }) => state === "greeted" || state === "answered")
        if (oldestSession === undefined) return
        oldestSession.hear()
        continue
      }
      await Promise.race([nextChange(), delay(LOOK_MILLIS)])
      const running = sessions.filter((session) => session.state === "running" && session.pid !== undefined)
      if (running.length === 0) continue
      const workingSessions = sessions.filter(
        ({ pid, state }) => pid !== undefined && (state === "running" || state === "blocked")
      )
      const activityBefore = activity
      const blocked = await watch.blocked(workingSessions.map(({ pid }) => pid!))
      if (activityBefore !== activity) continue
      const inCycle = deadlocked(blocked)
      for (const session of workingSessions)
        if (inCycle.has(session.pid!)) {
          session.state = "running"
          deadlocks.add(describe(session, blocked))
        } else if (blocked.has(session.pid!) && !session.waitsShortly) session.state = "blocked"
    }
  }

  /** Sessions with a statement that may go. */
  const ready = () => sessions.filter(({ state, waiting }) => state === "open" && waiting.length > 0)

  const release = (session: GatedSession): Unit => {
    unblock()
    return session.release()
  }

  const sessionsOf = (owner: string) => sessions.filter(({ name }) => name.startsWith(`${owner}.`))
  /** Ends the sessions of a process, also those in which a statement waits for a lock. */
  const cutAll = async (owner: string) => {
    const ownSessions = sessionsOf(owner)
    const waitingPids = ownSessions.flatMap(({ pid, state }) => (state === "blocked" && pid !== undefined ? [pid] : []))
    for (const session of ownSessions) session.cut()
    if (waitingPids.length > 0) await watch.end(waitingPids)
    unblock()
  }

  /** After the schedule: every client hears that its session has ended, and gets no other. */
  const close = () => {
    isClosed = true
    for (const session of allSessions) session.break()
  }

  return {
    close,
    /** Sessions that have waited for each other since the last call. */
    takeDeadlocks: () => {
      const cycles = [...deadlocks].sort()
      deadlocks.clear()
      return cycles
    },
    streamFor,
    settle,
    ready,
    release,
    sessionsOf,
    cutAll,
    blocked: () => sessions.filter(({ state }) => state === "blocked"),
    touch: () => {
      activity++
    }
  }
}
export type Gate = ReturnType<typeof makeGate>
