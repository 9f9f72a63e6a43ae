// Keeps one process running: starts it, restarts it with back-off when it ends by itself, stops it on request.
import { setTimeout as delay } from "node:timers/promises"
import { say, warn } from "./lines.js"
import { stopRecorded } from "./os.js"

const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000
/** Lifetime (ms) after which the pause before a restart is the shortest one again. */
const STABLE = 60_000
/** Interval (ms) at which a stop looks for the process of a start that has not begun it yet. */
const LOOK_AGAIN = 50

export class Supervisor {
  /** @type {Promise<void> | undefined} the start that is under way */
  #starting
  #stopping = new AbortController()
  #pause = FIRST_PAUSE
  #running = false
  /** True while the process is ended on purpose, to be started again. */
  #replaced = false

  /**
   * @param {object} part
   * @param {string} part.name
   * @param {string} part.pidFile
   * @param {import("./os.js").Signals} part.signals how it is stopped
   * @param {() => Promise<import("node:child_process").ChildProcess>} part.start resolves when it works; it writes the
   * pid file as soon as there is a process
   * @param {(child: import("node:child_process").ChildProcess) => void} [part.onEnd] clears up behind a dead process
   * @param {() => void} [part.onRestart] hears of every start but the first
   */
  constructor(part) {
    this.part = part
  }

  /** Resolves when the part works; fails when its first start fails, unless the process was only killed meanwhile. */
  async start() {
    this.#starting = this.#startOnce().catch((error) => {
      if (error.signal == null || this.#stopping.signal.aborted) throw error
      warn(`${this.part.name} was killed (${error.signal}) while it started; starting it again`)
      return this.#restart()
    })
    await this.#starting
  }

  async #startOnce() {
    const began = performance.now()
    const child = await this.part.start()
    this.#running = true
    const onExit = () => {
      this.#running = false
      this.part.onEnd?.(child)
      if (this.#stopping.signal.aborted) return
      if (performance.now() - began > STABLE) this.#pause = FIRST_PAUSE
      const how = child.signalCode ?? `status ${child.exitCode}`
      if (!this.#replaced)
        warn(`${this.part.name} ended by itself (${how}); starting it again in ${this.#pause / 1000} s`)
      this.#replaced = false
      this.#starting = this.#restart()
    }
    if (child.exitCode !== null || child.signalCode !== null) onExit()
    else child.once("exit", onExit)
  }

  async #restart() {
    while (!this.#stopping.signal.aborted) {
      const pause = this.#pause
      this.#pause = Math.min(LONGEST_PAUSE, pause * 2)
      await delay(pause, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      if (this.#stopping.signal.aborted) return
      try {
        this.part.onRestart?.()
        await this.#startOnce()
        say(`${this.part.name} runs again`)
        return
      } catch (error) {
        if (this.#stopping.signal.aborted) return
        const { message } = /** @type {Error} */ (error)
        warn(`${this.part.name} could not be started; trying again in ${this.#pause / 1000} s: ${message}`)
      }
    }
  }

  /** Ends a process that runs and does not work; it is restarted like one that died. @param {string} why */
  async restart(why) {
    if (this.#stopping.signal.aborted || !this.#running) return
    warn(`${this.part.name} ${why}: restarting it`)
    this.#replaced = true
    await stopRecorded(this.part.pidFile, this.part.signals)
  }

  /** Stops the process, also one that is just starting: a start in progress may begin it at any moment, and never be ready. */
  async stop() {
    this.#stopping.abort()
    let isSettled = false
    const started = Promise.resolve(this.#starting)
      .catch(() => undefined)
      .then(() => {
        isSettled = true
      })
    while (!isSettled) {
      await stopRecorded(this.part.pidFile, this.part.signals)
      await Promise.race([started, delay(LOOK_AGAIN)])
    }
    await stopRecorded(this.part.pidFile, this.part.signals)
  }
}
