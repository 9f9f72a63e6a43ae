// A deadline of somebody else's (decisions W1): it lets the time pass for which this process was held up, so that nobody is said to be late who was not
// asked or not listened to meanwhile. It gives the same time once more at most, so that it ends whatever becomes of the process.
import { heldMillis } from "../primitives/loopBeat.ts"

export class Deadline {
  private timer: NodeJS.Timeout
  private over = false
  /** Time granted beyond the deadline's own, in milliseconds. */
  grantedMillis = 0
  private readonly heldBefore = heldMillis()
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
    const held = Math.min(heldMillis() - this.heldBefore, this.millis)
    const more = held - this.grantedMillis
    if (more < 1) this.passed()
    else {
      this.grantedMillis = held
      this.timer = setTimeout(due, more, this)
    }
  }
}

/** The event loop has its timers before its sockets: what the other side sent in time is read before anybody is said to be late. */
const due = (deadline: Deadline) => void setImmediate(() => deadline.judge())
