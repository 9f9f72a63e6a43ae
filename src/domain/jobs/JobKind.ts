// Interface that a module implements to have its work carried out as jobs. The mechanism knows nothing of runs; a kind knows nothing of
// Temporal, of progress or of who may see a job.
import { Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { JobKindName, ReportEntry } from "./Job.ts"
import type { JobsCaller } from "./jobRows.ts"

/** The job can do nothing more: it ends as failed, with this message in its report. */
export class JobEnded extends Schema.TaggedError<JobEnded>()("JobEnded", { message: Schema.String }) {}

export interface JobBatch {
  readonly jobId: number
  /** Caller who began the job, with their rights of this moment. */
  readonly caller: JobsCaller
  readonly input: unknown
  /** Position at which the batch before has ended; null for the first. */
  readonly position: string | null
}

export interface BatchResult {
  readonly position: string | null
  /** Number of things that it has worked on. */
  readonly done: number
  /** Number of things by outcome; adds up to `done`. */
  readonly counts: Readonly<Record<string, number>>
  readonly report: ReadonlyArray<ReportEntry>
  /** True if there is nothing left. */
  readonly over: boolean
  /** Part of the work that is done, above 0, where the total is an estimate. */
  readonly share?: number
  /** Number of things that it will have worked on, as known by now. */
  readonly total?: number
  /** Time until there may be more to do, in milliseconds, where others do the work. */
  readonly pauseMillis?: number
}

export interface JobKind {
  readonly name: JobKindName
  /**
   * Works on the next few things, for a moment: less than a second, and locks of no more than some hundred rows. Runs in a transaction that
   * also notes how far the job has come, so that a batch happens once.
   */
  readonly batch: (batch: JobBatch) => Effect.Effect<BatchResult, JobEnded | SqlError>
}

type KindModule<R> = Effect.Effect<ReadonlyArray<JobKind>, never, R>

export class JobKinds extends Context.Service<JobKinds, ReadonlyMap<string, JobKind>>()("millrace/jobs/JobKinds") {
  /** `JobKinds.layer([runJobKinds])`: each makes some kinds over its module's services. */
  static readonly layer = <const Modules extends ReadonlyArray<KindModule<any>>>(modules: Modules) =>
    Layer.effect(
      JobKinds,
      Effect.map(
        Effect.all(modules as ReadonlyArray<KindModule<Effect.Services<Modules[number]>>>),
        (kinds) => new Map(kinds.flat().map((kind) => [kind.name, kind]))
      )
    )
}
