// Time-out for a receiver that excludes our own event-loop lag (decisions W1): a receiver is not late for time in which this process could
// neither send nor read. The extension is at most as long as the time-out itself, so that it ends whatever becomes of the process.
import { loopLagMillis } from "../primitives/eventLoopLag.ts"

export class Deadline {
  private timer: NodeJS.Timeout
  private over = false
  /** Time granted beyond the deadline's own, in milliseconds. */
  grantedMillis = 0
  private readonly heldBefore = loopLagMillis()
  private readonly millis: number
  private readonly passed: () => void

  constructor(millis: number, passed: () => void) {
    this.millis = millis
    this.passed = passed
    this.timer = setTimeout(due, millis, this)
  }

  cancel(): void {
    this.over = true
    clearTimeout(this.timer)
  }

  judge(): void {
    if (this.over) return
    const lagMillis = Math.min(loopLagMillis() - this.heldBefore, this.millis)
    const more = lagMillis - this.grantedMillis
    if (more < 1) this.passed()
    else {
      this.grantedMillis = lagMillis
      this.timer = setTimeout(due, more, this)
    }
  }
}

/** Judges after sockets have been read: the event loop handles its timers first, and an answer may have come in time. */
const due = (deadline: Deadline) => void setImmediate(() => deadline.judge())
