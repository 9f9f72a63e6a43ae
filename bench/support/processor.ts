// Measures processor use from Linux's own counts. The service's main thread counts separately from its other threads, since only it delays
// everybody, and its time waiting for a processor separately from its work. Postgres counts with its children.
import { readdirSync, readFileSync } from "node:fs"
import type { Machine, Part } from "./machine.ts"

/** Seconds of processor time. */
export interface Used {
  readonly main: number
  /** Ready to run, without a processor. */
  readonly mainWaited: number
  readonly threads: number
  readonly postgres: number
  readonly temporal: number
}

const nothing = { worked: 0, waited: 0 }

/** A thread or process that has ended counts no more. */
const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

const schedule = (text: string) => {
  const [worked, waited] = text.split(" ").map((nanos) => Number(nanos) / 1e9)
  return Number.isFinite(worked) && Number.isFinite(waited) ? { worked: worked!, waited: waited! } : nothing
}

const tasks = (pid: number): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Seconds that all threads of a process have worked. */
export const ofProcess = (pid: number) =>
  tasks(pid).reduce((sum, task) => sum + schedule(read(`/proc/${pid}/task/${task}/schedstat`)).worked, 0)

const childrenOf = (pid: number) =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(" ")
    .filter((text) => text !== "")
    .map(Number)

/** Seconds that each process of Postgres has worked, by its pid. */
export const postgresSeconds = (machine: Machine): ReadonlyMap<number, number> => {
  const pid = machine.pidOf("postgres") ?? 0
  return new Map([pid, ...childrenOf(pid)].map((each) => [each, ofProcess(each)]))
}

/** Since the processes began; zeros where the system does not count so. */
export const processorOf = (machine: Machine): Used => {
  const pid = (name: Part["name"]) => machine.pidOf(name) ?? 0
  const service = pid("service")
  const main = schedule(read(`/proc/${service}/task/${service}/schedstat`))
  const postgres = pid("postgres")
  return {
    main: main.worked,
    mainWaited: main.waited,
    threads: ofProcess(service) - main.worked,
    postgres: [postgres, ...childrenOf(postgres)].reduce((sum, each) => sum + ofProcess(each), 0),
    temporal: ofProcess(pid("temporal"))
  }
}

/** Between two readings, in percent of one processor. */
export const shareOf = (from: Used, to: Used, seconds: number): Used => {
  const percentOf = (of: keyof Used) => ((to[of] - from[of]) / seconds) * 100
  return {
    main: percentOf("main"),
    mainWaited: percentOf("mainWaited"),
    threads: percentOf("threads"),
    postgres: percentOf("postgres"),
    temporal: percentOf("temporal")
  }
}
