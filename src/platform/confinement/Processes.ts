// Pools the confined processes of one kind (decisions P9): each serves one organization and is ended before another one uses its slot. On
// request one that no organization has used yet is kept ready, so that a new organization need not wait for a start.
import { Clock, Effect, Exit, Fiber, Scope } from "effect"
import type { Owner } from "../fairness/FairPlaces.ts"

const IDLE_MILLIS = 60_000
const LOOK_EVERY = "10 seconds"

interface Process<W> {
  readonly worker: W
  readonly end: Effect.Effect<void>
  used: number
}
interface Idle<W> {
  readonly process: Process<W>
  readonly owner: Owner
  readonly since: number
}

interface Processes<W, F> {
  /**
   * Lends a process that has served nobody else; ends it when the user reports it as ended, when it fails, or when it has served long
   * enough.
   */
  readonly lend: <A, E>(
    owner: Owner,
    use: (worker: W) => Effect.Effect<readonly [A, ended: boolean], E>
  ) => Effect.Effect<A, E | F>
  /** Numbers for tests. */
  readonly state: () => { readonly live: number; readonly idle: number }
}

export interface ProcessesOptions<W, F> {
  readonly start: Effect.Effect<W, F, Scope.Scope>
  readonly alive: (worker: W) => boolean
  /** Most processes with an owner; the caller ensures that no more are lent at once. */
  readonly most: number
  /** Most times that one process may be lent. */
  readonly uses: number
  /** True if one process without an owner is kept ready. */
  readonly spare: boolean
}

/** Makes the pool; the processes end with the scope. */
export const makeProcesses = Effect.fnUntraced(function* <W, F>(options: ProcessesOptions<W, F>) {
  const { alive, most, start, uses } = options
  const home = yield* Effect.scope
  /** Idle processes, the one not used for the longest time first. */
  const idle: Array<Idle<W>> = []
  let live = 0
  let spare: Fiber.Fiber<Process<W>, F> | undefined

  const begin: Effect.Effect<Process<W>, F> = Effect.uninterruptible(
    Effect.gen(function* () {
      const scope = yield* Scope.fork(home)
      const end = Scope.close(scope, Exit.void)
      const worker = yield* Effect.interruptible(Scope.provide(start, scope)).pipe(Effect.onError(() => end))
      return { worker, end, used: 0 }
    })
  )
  const standBy = Effect.suspend(() => {
    if (spare !== undefined || !options.spare) return Effect.void
    return Effect.map(Effect.forkIn(begin, home), (fiber) => {
      spare = fiber
    })
  })

  const end = (process: Process<W>) => {
    live--
    return process.end
  }
  const take = (at: number) => idle.splice(at, 1)[0]!.process

  const unused = Effect.suspend(() => {
    const fiber = spare
    spare = undefined
    if (fiber === undefined) return begin
    const returnSpare = Effect.suspend(() => {
      if (spare !== undefined) return Fiber.interrupt(fiber)
      spare = fiber
      return Effect.void
    })
    return Effect.flatMap(
      Effect.interruptible(Fiber.join(fiber)).pipe(Effect.onInterrupt(() => returnSpare)),
      (process) => (alive(process.worker) ? Effect.succeed(process) : Effect.andThen(process.end, begin))
    )
  })

  const acquire = (owner: Owner): Effect.Effect<Process<W>, F> =>
    Effect.suspend(() => {
      const idleIndex = idle.findLastIndex((held) => held.owner === owner)
      if (idleIndex >= 0) {
        const idleProcess = take(idleIndex)
        return alive(idleProcess.worker)
          ? Effect.succeed(idleProcess)
          : Effect.andThen(end(idleProcess), acquire(owner))
      }
      const makeRoom = live >= most && idle.length > 0 ? end(take(0)) : Effect.void
      live++
      return Effect.andThen(makeRoom, unused).pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            live--
          })
        ),
        Effect.tap(() => standBy)
      )
    })

  const lend: Processes<W, F>["lend"] = (owner, use) =>
    Effect.acquireUseRelease(
      acquire(owner),
      (process) => {
        process.used++
        return use(process.worker)
      },
      (process, exit) =>
        Effect.flatMap(Clock.currentTimeMillis, (since) => {
          const isWorn = !Exit.isSuccess(exit) || exit.value[1] || process.used >= uses
          if (isWorn || !alive(process.worker)) return end(process)
          idle.push({ process, owner, since })
          return Effect.void
        })
    ).pipe(Effect.map(([answer]) => answer))

  const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.suspend(() => {
      const old = idle.filter(({ process, since }) => now - since > IDLE_MILLIS || !alive(process.worker))
      return Effect.forEach(old, (held) => end(take(idle.indexOf(held))), { discard: true })
    })
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(sweep, LOOK_EVERY)))
  yield* standBy
  return { lend, state: () => ({ live, idle: idle.length }) } satisfies Processes<W, F> as Processes<W, F>
})
