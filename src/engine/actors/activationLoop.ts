// Main loop of an activation: claims while there are free slots, runs jobs concurrently, lingers, examines suspects.
import { Cause, Clock, Effect, FiberSet, Option, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import { makePollPacing } from "../../platform/fairness/pollPacing.ts"
import type { Running } from "./Activation.ts"
import type { ActorWork, ClaimRequest, Fenced, Job, MailboxRow } from "./ActorKind.ts"
import { recordDefect, setAsideCause } from "./setAsideCause.ts"

/** Reason why the loop ended: nothing to do, told to stop, or rows whose jobs died and need another activation to be claimed. */
export type WorkOutcome = "quiet" | "stopped" | "broken"

const MOST = 2_000_000_000

const rowsIn = (jobs: ReadonlyArray<Job<MailboxRow>>) => jobs.reduce((sum, { rows }) => sum + rows.length, 0)

const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

export const activationLoop = Effect.fnUntraced(function* (
  running: Running,
  work: ActorWork,
  options: {
    /** True if more than half of the process's slots are taken: then no activation lingers. */
    readonly crowded: Effect.Effect<boolean>
    /** True if there may be rows that were in flight when a process died: they come first, one at a time. */
    readonly suspects: boolean
  }
): Effect.fn.Return<WorkOutcome, Fenced | SqlError, Scope.Scope> {
  const { activation, latch, nextLook } = running
  const tuning = yield* ActorTuning
  /** Rows without a history of crashes. */
  const healthyClaims = { minClaims: 0, maxClaims: tuning.aloneAt - 2 }
  const fibers = yield* FiberSet.make<void, never>()
  /** Jobs in progress, and the slots that they take. */
  let working = 0
  let inFlight = 0
  let quietSince = yield* Clock.currentTimeMillis
  let broken = false
  let { suspects } = options
  let failure: SqlError | undefined
  const gathering = makePollPacing()
  const clock = yield* Clock.Clock

  const claim = (request: Omit<ClaimRequest, "now">) =>
    Effect.flatMap(currentTime, (at) => work.claim({ ...request, now: at }))

  /** Ends a job that failed: rows of a lost fence are another activation's, and a defect is kept for their next claim. */
  const failed = (job: Job<MailboxRow>, cause: Cause.Cause<Fenced | SqlError>): Effect.Effect<void> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    if (error?._tag === "Fenced") return running.lost
    if (error?._tag === "SqlError")
      return Effect.sync(() => {
        failure = error
      })
    broken = true
    recordDefect(activation.key, job.rows, cause)
    return Effect.logError(`${activation.key}: a row failed unexpectedly`, cause)
  }
  const perform = (job: Job<MailboxRow>): Effect.Effect<void> =>
    Effect.catchCause(job.run, (cause) => failed(job, cause))

  const fork = yield* FiberSet.runtime(fibers)()
  const start = (jobs: ReadonlyArray<Job<MailboxRow>>) => {
    quietSince = clock.currentTimeMillisUnsafe()
    for (const job of jobs) {
      working++
      inFlight += job.rows.length
      // An observer costs less than a finalizer, and webhooks have thousands of jobs a second.
      fork(perform(job)).addObserver(() => {
        quietSince = clock.currentTimeMillisUnsafe()
        working--
        inFlight -= job.rows.length
        latch.openUnsafe()
      })
    }
  }

  const performAlone = Effect.fnUntraced(function* (job: Job<MailboxRow>) {
    const exhaustedRows = job.rows.filter((row) => row.claims >= tuning.asideAt)
    if (exhaustedRows.length === 0) return yield* perform(job)
    for (const row of exhaustedRows) {
      const cause = setAsideCause(activation.key, row)
      yield* activation.commit(work.setAside(row, cause))
      yield* Effect.logError(`${activation.key}: row ${row.row_id} is set aside`, cause)
    }
  })

  const freeSlots = () => Math.min(work.slots - inFlight, tuning.claimAtMost)

  /** Waits for a wake-up or the time-out. */
  const wait = (millis: number) => Effect.raceFirst(Effect.asVoid(latch.await), Effect.sleep(Math.max(1, millis)))

  const acceptRows = work.acceptRows ?? (() => Effect.succeed(true))
  yield* acceptRows(true)
  nextLook.at = 0

  for (;;) {
    latch.closeUnsafe()
    if (failure !== undefined) return yield* Effect.fail(failure)
    if (yield* activation.stopping) {
      // Lets each announcement open the latch from now on, also if a wake had come before: no claim follows.
      nextLook.at = Number.POSITIVE_INFINITY
      if (running.fenced() || (yield* acceptRows(false))) break
      yield* latch.await
      continue
    }
    if (suspects && working === 0) {
      const jobs = yield* claim({ limit: 1, minClaims: tuning.aloneAt - 1, maxClaims: MOST })
      for (const job of jobs) yield* performAlone(job)
      suspects = jobs.length > 0
      if (suspects) quietSince = yield* Clock.currentTimeMillis
      continue
    }
    const beginning = yield* Clock.currentTimeMillis
    if (beginning >= nextLook.at && inFlight < work.slots) {
      if (beginning < gathering.next()) {
        yield* wait(gathering.next() - beginning)
        continue
      }
      // Jobs that a commit ends together free their slots in the same turn of the event loop.
      yield* Effect.yieldNow
      // Before the claim: what arrives meanwhile brings the next one forward again.
      nextLook.at = beginning + tuning.lookAtMostMillis
      nextLook.told = Number.POSITIVE_INFINITY
      const limit = freeSlots()
      const jobs = yield* claim({ limit, ...healthyClaims })
      const rows = rowsIn(jobs)
      gathering.looked({ from: beginning, to: yield* Clock.currentTimeMillis, found: rows })
      // A full claim means that more rows wait.
      if (rows >= limit) nextLook.at = 0
      if (rows > 0) {
        start(jobs)
        continue
      }
      // A due row that was not claimed may be a suspect.
      if (working === 0 && nextLook.told <= (yield* Clock.currentTimeMillis) + tuning.lookEveryMillis) suspects = true
    }
    if (working > 0) {
      yield* wait(inFlight < work.slots ? nextLook.at - (yield* Clock.currentTimeMillis) : tuning.lookAtMostMillis)
      continue
    }
    if (broken) {
      yield* acceptRows(false)
      return "broken"
    }
    const nowMillis = yield* Clock.currentTimeMillis
    if (nextLook.at <= nowMillis) continue
    const linger =
      nextLook.told <= quietSince + tuning.lingerForDueMillis ? tuning.lingerForDueMillis : tuning.lingerMillis
    const lingerFor = quietSince + ((yield* options.crowded) ? 0 : linger) - nowMillis
    if (lingerFor <= 0) {
      if (yield* acceptRows(false)) return "quiet"
      yield* latch.await
      yield* acceptRows(true)
      continue
    }
    yield* wait(Math.min(nextLook.at - nowMillis, lingerFor))
  }
  if (!running.fenced()) yield* FiberSet.awaitEmpty(fibers)
  return failure === undefined ? "stopped" : yield* Effect.fail(failure)
}, Effect.scoped)
