// Intervals and limits of the actor mechanism, in one place; tests shorten them, in real processes by ACTOR_TUNING.
import { Config, Context, Schema } from "effect"

export const defaultTuning = {
  /** Longest gap between heartbeats: after it another worker takes an activation over. */
  heartbeatTimeoutMillis: 10_000,
  heartbeatEveryMillis: 1_000,
  /** Milliseconds by which each running activation of the process lengthens every heartbeat's interval, up to half the time-out. */
  heartbeatCrowdMillis: 20,
  /** Interval at which a running activation writes `seen_at` and checks that it still holds the fence. */
  seenEveryMillis: 5_000,
  /** Events after which a workflow continues as new. */
  historyAtMost: 1_000,
  lingerMillis: 5_000,
  /** Longest linger if rows are known to become due within it: going idle and waking is work for Temporal. */
  lingerForDueMillis: 10_000,
  activationMillis: 60_000,
  /**
   * Milliseconds of lifetime per running activation: the more there are the longer each may last, so that one ends in so many milliseconds.
   * A new one is work for Temporal.
   */
  activationCrowdMillis: 2_000,
  activationAtMostMillis: 600_000,
  /**
   * Activations that run at once in a process, shared fairly by organizations, and further ones for those that have none
   * (temporal.config.ts).
   */
  activationsAtOnce: 750,
  activationsReserved: 250,
  /** Activations of one organization that wait for a slot in the process; further ones come again after about `activationAgainMillis`. */
  activationsWaiting: 16,
  activationAgainMillis: 30_000,
  /** Longest segment of a durable run; the next one follows at once: details stay fresh, retries stay small. */
  sliceMillis: 10_000,
  /** Time that a plain run's steps without effect may take before they are committed: a cancel request waits for it. */
  deferredMillis: 100,
  /** Most bytes that the lists of a run's loops take in all. A loop within a loop keeps its lists anew with each iteration. */
  loopBytesAtMost: 256 * 1024 * 1024,
  /** Time for which results are kept and retried while Postgres is away. */
  holdMillis: 30_000,
  /** Interval of the claims of a kind that claims whatever is due, while jobs run. */
  lookEveryMillis: 250,
  /** Longest interval between claims, which only a lost announcement makes necessary. */
  lookAtMostMillis: 15_000,
  claimAtMost: 500,
  commitAtMost: 512,
  /** Time for which results collect before a commit, and claims before the next one, while results come in numbers. */
  gatherMillis: 5,
  /** Transactions of activations at once; the pool's other connections stay free for the relay and for going idle. */
  commitsAtOnce: 8,
  /** Further transactions, for organizations that have none in flight. */
  commitsReserved: 1,
  /** Claims of a row after which it is worked on alone, and after which it is set aside. */
  aloneAt: 3,
  asideAt: 10,
  /** Time after which a process that stopped in the middle of a transaction loses its locks. */
  idleInTransactionMillis: 10_000,
  sweepEveryMillis: 10_000,
  sweepCalledAfterMillis: 5_000,
  sweepAsleepAfterMillis: 2_000,
  sweepUnseenAfterMillis: 60_000,
  sweepAtMost: 1_000,
  nudgesAtOnce: 16,
  relayBatch: 500,
  relayPollMillis: 1_000,
  /** Time that the filters of one organization's hooks may take for a batch; its other events wait for the next batch. */
  relayJudgingMillis: 200,
  relayContendedMillis: 50,
  /** Time after its start, or after a lost connection, for which a relay counts the attempts at its batches. */
  relayCountedMillis: 10_000
}

export type Tuning = typeof defaultTuning

export const ActorTuning = Context.Reference<Tuning>("millrace/actors/Tuning", { defaultValue: () => defaultTuning })

const Overrides = Schema.Record(Schema.String, Schema.Int.check(Schema.isGreaterThan(0))).check(
  Schema.makeFilter((given) => {
    const stray = Object.keys(given).find((name) => !(name in defaultTuning))
    return stray === undefined || `ACTOR_TUNING: no such number: ${stray}`
  })
)

/** `ACTOR_TUNING`: a JSON object with some of the numbers above. */
export const tuningConfig = Config.schema(Schema.fromJsonString(Overrides), "ACTOR_TUNING").pipe(
  Config.map((given): Tuning => ({ ...defaultTuning, ...given })),
  Config.withDefault(defaultTuning)
)
