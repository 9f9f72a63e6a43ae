// The loop of an activation: claims while there are free places, works side by side, lingers, looks for suspects first.
import { Cause, Clock, Effect, FiberSet, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Running } from "./Activation.ts"
import type { ActorWork, ClaimRequest, Fenced, Job, MailboxRow } from "./ActorKind.ts"
import { causeOf, recordDefect } from "./poison.ts"
import { ActorTuning } from "./Tuning.ts"

/** Why the loop ended: nothing to do, told to stop, or rows whose jobs died and need another activation to be claimed. */
export type Outcome = "quiet" | "stopped" | "broken"

const MOST = 2_000_000_000
const IDLE_SPIN_MILLIS = 100

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

export const drive = Effect.fnUntraced(function* (
  running: Running,
  work: ActorWork,
  /** More than half of the process's places are taken: nobody lingers. */
  crowded: Effect.Effect<boolean>
): Effect.fn.Return<Outcome, Fenced | SqlError, Scope.Scope> {
  const { activation, kind, latch } = running
  const tuning = yield* ActorTuning
  const fibers = yield* FiberSet.make<void, never>()
  let inFlight = 0
  let broken = false
  let failure: SqlError | undefined

  const claim = (request: Omit<ClaimRequest, "now">) =>
    Effect.flatMap(now, (at) => activation.commit(work.claim({ ...request, now: at })))

  const perform = (job: Job<MailboxRow>): Effect.Effect<void> =>
    job.run.pipe(
      Effect.catchTags({
        Fenced: () => running.lost,
        SqlError: (error) =>
          Effect.sync(() => {
            failure = error
          })
      }),
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.void
        broken = true
        recordDefect(activation.key, job.rows, cause)
        return Effect.logError(`${activation.key}: a row failed unexpectedly`, cause)
      })
    )

  const start = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job<MailboxRow>>) {
    for (const job of jobs) {
      inFlight += job.rows.length
      const settled = Effect.sync(() => {
        inFlight -= job.rows.length
        latch.openUnsafe()
      })
      yield* FiberSet.run(fibers, Effect.ensuring(perform(job), settled))
    }
  })

  const alone = Effect.fnUntraced(function* (job: Job<MailboxRow>) {
    const worn = job.rows.filter((row) => row.claims >= tuning.asideAt)
    if (worn.length === 0) return yield* perform(job)
    for (const row of worn) {
      const cause = causeOf(activation.key, row)
      yield* activation.commit(work.setAside(row, cause))
      yield* Effect.logError(`${activation.key}: row ${row.row_id} is set aside`, cause)
    }
  })

  const wait = (millis: number) => Effect.raceFirst(latch.await, Effect.sleep(Math.max(1, millis)))

  let quietSince = yield* Clock.currentTimeMillis
  let look = true
  // The last claim was full: more waits for certain.
  let backlog = false
  // Rows that were in the air when a process died come first, one at a time.
  let suspects = true
  let spun = false

  /** Milliseconds until there is something to claim beside what is in the air; a claim is a transaction, this is not. */
  const claimableIn = Effect.gen(function* () {
    if (inFlight >= work.slots) return Number.POSITIVE_INFINITY
    if (kind.nextDueBeside === undefined || inFlight === 0 || backlog) return 0
    const due = yield* kind.nextDueBeside(activation.id, activation.fence)
    return due === null ? Number.POSITIVE_INFINITY : due.getTime() - (yield* Clock.currentTimeMillis)
  })

  for (;;) {
    latch.closeUnsafe()
    if (failure !== undefined) return yield* Effect.fail(failure)
    if (yield* activation.stopping) break
    if (suspects && inFlight === 0) {
      const jobs = yield* claim({ limit: 1, minClaims: tuning.aloneAt - 1, maxClaims: MOST })
      for (const job of jobs) yield* alone(job)
      suspects = jobs.length > 0
      if (suspects) quietSince = yield* Clock.currentTimeMillis
      continue
    }
    const claimable = yield* claimableIn
    if (look && claimable <= 0) {
      const limit = Math.min(work.slots - inFlight, tuning.claimAtMost)
      const jobs = yield* claim({ limit, minClaims: 0, maxClaims: tuning.aloneAt - 2 })
      const rows = jobs.reduce((sum, job) => sum + job.rows.length, 0)
      backlog = look = rows >= limit
      if (rows > 0) {
        spun = false
        quietSince = yield* Clock.currentTimeMillis
        yield* start(jobs)
        continue
      }
    }
    if (inFlight > 0) {
      // Due and yet not claimed: its hook's places or the actor's are taken, and a finished job will say so.
      const lookIn = kind.nextDueBeside === undefined ? tuning.lookEveryMillis : tuning.lookAtMostMillis
      yield* wait(claimable > 0 ? Math.min(claimable, lookIn) : lookIn)
      look = true
      continue
    }
    if (broken) return "broken"
    const due = yield* kind.nextDue(activation.id)
    const at = yield* Clock.currentTimeMillis
    const dueIn = due === null ? Number.POSITIVE_INFINITY : due.getTime() - at
    if (dueIn <= 0) {
      // Due, yet not claimed: a suspect, or it has become due this moment. Never spin on a kind that contradicts itself.
      if (spun) yield* wait(IDLE_SPIN_MILLIS)
      spun = !spun
      suspects = true
      look = true
      continue
    }
    const lingerFor = quietSince + ((yield* crowded) ? 0 : tuning.lingerMillis) - at
    if (lingerFor <= 0) return "quiet"
    yield* wait(Math.min(dueIn, lingerFor))
    look = true
  }
  if (!running.fenced()) yield* FiberSet.awaitEmpty(fibers)
  return failure === undefined ? "stopped" : yield* Effect.fail(failure)
}, Effect.scoped)
