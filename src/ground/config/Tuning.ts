// The instants and numbers of the actor mechanism, in one place; tests shorten them, in real processes by ACTOR_TUNING.
import { Config, Context, Schema } from "effect"

export const defaultTuning = {
  /** Longest gap between heartbeats: after it another worker takes an activation over. */
  heartbeatTimeoutMillis: 10_000,
  heartbeatEveryMillis: 1_000,
  /** Each activation that runs in the process lengthens every heartbeat's interval by this much, up to half the time-out. */
  heartbeatCrowdMillis: 20,
  /** Interval at which a running activation writes `seen_at` and checks that it still holds the fence. */
  seenEveryMillis: 5_000,
  /** Events after which a workflow continues as new. */
  historyAtMost: 1_000,
  lingerMillis: 5_000,
  /** Longest linger if rows are known to become due within it: going idle and waking is work for Temporal. */
  lingerForDueMillis: 10_000,
  activationMillis: 60_000,
  /** The more of them run the longer each may last, so that one in so many milliseconds ends: a new one is work for Temporal. */
  activationCrowdMillis: 2_000,
  activationAtMostMillis: 600_000,
  /** Activations at work at once in a process, by organizations in turn, and further ones for those that have none (temporal.config.ts). */
  activationsAtOnce: 750,
  activationsReserved: 250,
  /** Activations of one organization that wait for a slot in the process; further ones come again after about `activationAgainMillis`. */
  activationsWaiting: 16,
  activationAgainMillis: 30_000,
  /** A segment of a durable run ends after this long and is followed by the next: details stay fresh, retries stay small. */
  sliceMillis: 10_000,
  /** Most bytes that the lists of a run's loops take in all. A loop within a loop keeps its lists anew with each iteration. */
  loopBytesAtMost: 256 * 1024 * 1024,
  /** Time for which results are kept and retried while Postgres is away. */
  holdMillis: 30_000,
  /** Interval of looking for rows that have become due, while rows are in flight and nothing can be claimed. */
  lookEveryMillis: 250,
  /** The same for kinds that tell when the next one is due: only a lost hint makes it necessary. */
  lookAtMostMillis: 15_000,
  claimAtMost: 500,
  commitAtMost: 512,
  /** Time for which results collect before a commit, and claims before the next one, while results come in numbers. */
  gatherMillis: 5,
  /** Transactions of activations at once; the pool's other connections stay free for the relay and for falling asleep. */
  commitsAtOnce: 8,
  /** Further ones, for organizations that have none under way. */
  commitsReserved: 1,
  /** The claim at which a row is worked on alone, and the one at which it is set aside. */
  aloneAt: 3,
  asideAt: 10,
  /** A process stopped in the middle of a transaction loses its locks after this long. */
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
