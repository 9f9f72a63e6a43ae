// A progress bar: one line that is written over on a terminal, a line for each tenth elsewhere.
const WIDTH = 30

export class Progress {
  readonly #label: string
  readonly #total: number
  readonly #began = performance.now()
  #shown = -1
  #done = 0

  constructor(label: string, total: number) {
    this.#label = label
    this.#total = total
  }

  /** Seconds since the start. */
  get seconds() {
    return (performance.now() - this.#began) / 1000
  }

  set(done: number, note = "") {
    this.#done = done
    const fraction = this.#total === 0 ? 1 : Math.min(1, done / this.#total)
    const tty = process.stderr.isTTY
    const step = Math.floor(fraction * (tty ? 1000 : 10))
    if (step === this.#shown && !tty) return
    this.#shown = step
    const bar = "█".repeat(Math.round(fraction * WIDTH)).padEnd(WIDTH, "░")
    const rate = Math.round(done / Math.max(0.001, this.seconds))
    const statusLine = `${this.#label.padEnd(12)} ${bar} ${done}/${this.#total}  ${rate}/s  ${this.seconds.toFixed(0)} s ${note}`
    process.stderr.write(tty ? `\r\x1b[K${statusLine.trimEnd()}` : `${statusLine.trimEnd()}\n`)
  }

  end() {
    this.set(this.#done)
    if (process.stderr.isTTY) process.stderr.write("\n")
  }
}
