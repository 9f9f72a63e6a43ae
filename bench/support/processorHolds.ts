// Processes held to a share of a processor by cgroups of their own, of version 1 or 2. A process is started free, since at a tenth of a
// processor it takes minutes to start, and put into its group with all that it has started when it is ready. What it is held to it gets
// before others, so that a busy machine takes little of it.
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { BenchFailed } from "./Row.ts"

const PERIOD_MICROS = 100_000
const ROOT = "/sys/fs/cgroup"

interface Version {
  readonly at: string
  readonly bound: (group: string, micros: number) => void
}

const versions: ReadonlyArray<Version & { readonly found: string }> = [
  {
    found: join(ROOT, "cpu", "cpu.cfs_quota_us"),
    at: join(ROOT, "cpu"),
    bound: (group, micros) => {
      writeFileSync(join(group, "cpu.cfs_period_us"), String(PERIOD_MICROS))
      writeFileSync(join(group, "cpu.cfs_quota_us"), String(micros))
      writeFileSync(join(group, "cpu.shares"), "262144")
    }
  },
  {
    found: join(ROOT, "cgroup.controllers"),
    at: ROOT,
    bound: (group, micros) => {
      writeFileSync(join(group, "cpu.max"), `${micros} ${PERIOD_MICROS}`)
      writeFileSync(join(group, "cpu.weight"), "10000")
    }
  }
]

/** The process and those of its process group, which it leads: what it has started goes on in the same cgroup. */
const membersOf = (leader: number) =>
  readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8")
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) === leader
    } catch {
      return false
    }
  })

const holdFailure = (error: unknown) =>
  new BenchFailed({
    message: `a process cannot be held to a share of a processor here, which takes root and a cgroup tree that may be written: ${
      (error as Error).message
    }`
  })

/** Holds each of the processes to the share until the scope ends; then they are as free as this process. */
export const holdEach = (pids: ReadonlyArray<number>, share: number): Effect.Effect<void, BenchFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const version = versions.find(({ found }) => existsSync(found))
    if (version === undefined) return yield* holdFailure(new Error(`no cgroups for processors below ${ROOT}`))
    const groupPrefix = join(version.at, `millrace-bench-${process.pid}`)
    for (const pid of pids) {
      const group = `${groupPrefix}-${pid}`
      yield* Effect.acquireRelease(
        Effect.try({
          try: () => {
            mkdirSync(group)
            version.bound(group, share * PERIOD_MICROS)
            for (const each of membersOf(pid)) writeFileSync(join(group, "cgroup.procs"), each)
          },
          catch: holdFailure
        }),
        () => Effect.ignore(Effect.try(() => freed(version.at, group)))
      )
    }
  })

/** Walks over some megabytes and makes garbage, as a service does. */
const BUSY =
  "let rows = []; for (;;) rows = JSON.parse(JSON.stringify(Array.from({ length: 20000 }, (_, n) => ({ n, at: String(n + rows.length) }))))"

/** Starts processes that keep a processor busy until the scope ends. @returns their ids */
export const busyBeside = (count: number) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => spawn(process.execPath, ["-e", BUSY], { detached: true, stdio: "ignore" })),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      ),
      ({ pid }) => pid ?? 0
    )
  )

const freed = (home: string, group: string) => {
  for (const each of readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter(Boolean))
    writeFileSync(join(home, "cgroup.procs"), each)
  rmdirSync(group)
}
