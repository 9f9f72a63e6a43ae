// A test that hangs says where: how long it may take before, and what vitest needs for it.
import { fileURLToPath } from "node:url"

/** Without a sign of life for this long, somebody speaks. */
export const STUCK_MILLIS = Number(process.env["STUCK_MILLIS"] ?? 25_000)
export const AGAIN_MILLIS = 30_000

/** A place in the code that runs, which is not the one that was written: the reporter translates it. */
export interface Place {
  readonly url: string
  readonly line: number
  readonly column: number
}

/** What a test file's process says to the reporter, behind this word in its log. */
export const WORD = "millrace/stuck "
export interface Stuck {
  readonly file: string
  readonly fibers: ReadonlyArray<ReadonlyArray<Place>>
}

const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url))
export const stuckSettings = {
  setupFiles: [fileBeside("setup.ts")],
  reporters: ["default", fileBeside("reporter.ts")],
  includeTaskLocation: true,
  onConsoleLog: (log: string) => !log.startsWith(WORD)
}

/** How often a look at what hangs has begun or ended in this process: each takes seconds of it, which say nothing about us. */
export const looks = { count: 0 }
