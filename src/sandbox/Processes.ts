// The script processes of one kind (decisions P9): each serves one organization and is ended before another has its turn. One that
// nobody has used yet stands by, so that a new organization need not wait for a start.
import { Clock, Effect, Exit, Fiber, Scope } from "effect"
import type { Owner } from "../fairness/FairPlaces.ts"
import type { SandboxUnavailable, Worker } from "./Worker.ts"

const SCRIPTS_PER_PROCESS = 2000
const IDLE_MILLIS = 60_000
const LOOK_EVERY = "10 seconds"

interface Process {
  readonly worker: Worker
  readonly end: Effect.Effect<void>
}
interface Idle extends Process {
  readonly owner: Owner
  readonly since: number
}

export interface Processes {
  /** Lends a process that has served nobody else; ends it when it overran, was lost, or has served long enough. */
  readonly lend: <A, E>(
    owner: Owner,
    use: (worker: Worker) => Effect.Effect<readonly [A, ended: boolean], E>
  ) => Effect.Effect<A, E | SandboxUnavailable>
  /** What tests and gauges look at. */
  readonly state: () => { readonly live: number; readonly idle: number }
}

/** Scoped. `most`: processes with an owner; whoever lends sees to it that no more are lent at once. */
export const makeProcesses = Effect.fnUntraced(function* (
  start: Effect.Effect<Worker, SandboxUnavailable, Scope.Scope>,
  most: number
) {
  const home = yield* Effect.scope
  /** The one not used for the longest time comes first. */
  const idle: Array<Idle> = []
  let live = 0
  let spare: Fiber.Fiber<Process, SandboxUnavailable> | undefined

  const begin: Effect.Effect<Process, SandboxUnavailable> = Effect.uninterruptible(
    Effect.gen(function* () {
      const scope = yield* Scope.fork(home)
      const end = Scope.close(scope, Exit.void)
      const worker = yield* Effect.interruptible(Scope.provide(start, scope)).pipe(Effect.onError(() => end))
      return { worker, end }
    })
  )
  const standBy = Effect.suspend(() => {
    if (spare !== undefined) return Effect.void
    return Effect.map(Effect.forkIn(begin, home), (fiber) => {
      spare = fiber
    })
  })

  const end = (process: Process) => {
    live--
    return process.end
  }
  const take = (at: number) => idle.splice(at, 1)[0]!

  const unused = Effect.suspend(() => {
    const fiber = spare
    spare = undefined
    if (fiber === undefined) return begin
    const back = Effect.suspend(() => {
      if (spare !== undefined) return Fiber.interrupt(fiber)
      spare = fiber
      return Effect.void
    })
    return Effect.flatMap(Effect.interruptible(Fiber.join(fiber)).pipe(Effect.onInterrupt(() => back)), (process) =>
      process.worker.alive() ? Effect.succeed(process) : Effect.andThen(process.end, begin)
    )
  })

  const acquire = (owner: Owner): Effect.Effect<Process, SandboxUnavailable> =>
    Effect.suspend(() => {
      const at = idle.findLastIndex((process) => process.owner === owner)
      if (at >= 0) {
        const known = take(at)
        return known.worker.alive() ? Effect.succeed(known) : Effect.andThen(end(known), acquire(owner))
      }
      const room = live >= most && idle.length > 0 ? end(take(0)) : Effect.void
      live++
      return Effect.andThen(room, unused).pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            live--
          })
        ),
        Effect.tap(() => standBy)
      )
    })

  const lend: Processes["lend"] = (owner, use) =>
    Effect.acquireUseRelease(
      acquire(owner),
      (process) => use(process.worker),
      (process, exit) =>
        Effect.flatMap(Clock.currentTimeMillis, (since) => {
          const { worker } = process
          const worn = !Exit.isSuccess(exit) || exit.value[1] || worker.served() >= SCRIPTS_PER_PROCESS
          if (worn || !worker.alive()) return end(process)
          idle.push({ ...process, owner, since })
          return Effect.void
        })
    ).pipe(Effect.map(([answer]) => answer))

  const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.suspend(() => {
      const old = idle.filter((process) => now - process.since > IDLE_MILLIS || !process.worker.alive())
      return Effect.forEach(old, (process) => end(take(idle.indexOf(process))), { discard: true })
    })
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(sweep, LOOK_EVERY)))
  yield* standBy
  return { lend, state: () => ({ live, idle: idle.length }) } satisfies Processes as Processes
})
