// Lowers the priority of processes where processors are few: no caller waits for the embedded Temporal, whose work is as much as the
// service's own while runs are many (docs/benchmarks.md, freeze).
import { readdirSync, writeFileSync } from "node:fs"
import { getPriority, setPriority } from "node:os"

/** Nice value: a third of the weight of other processes, so that it still gets on while these never rest. */
const BEHIND = 5

/** Threads of the process: on Linux a priority is a thread's, and threads that it starts inherit theirs. @param {number} pid */
const threadsOf = (pid) => (process.platform === "linux" ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid])

/** @param {() => void} change */
const ifAllowed = (change) => {
  try {
    change()
  } catch {
    // Not allowed, or the thread has ended: the priority stays.
  }
}

/** Lowers the priority of a process that has just begun, with all its threads. @param {number} pid @param {number} nice */
export const putBehind = (pid, nice = BEHIND) => {
  ifAllowed(() => {
    for (;;) {
      const urgentThreads = threadsOf(pid).filter((thread) => getPriority(thread) < nice)
      if (urgentThreads.length === 0) break
      for (const thread of urgentThreads) setPriority(thread, nice)
    }
  })
  // Lowers the session, too: Linux may weigh sessions instead of processes (sched(7), autogroup), and one of our parts is a session.
  if (process.platform === "linux") ifAllowed(() => writeFileSync(`/proc/${pid}/autogroup`, String(nice)))
}
