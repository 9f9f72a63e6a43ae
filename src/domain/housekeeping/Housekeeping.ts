// Runs one job by name, for the activity and the operator's command.
import { Context, Effect, Layer, Schema } from "effect"
import { type JobName, jobNames, jobs } from "./jobs.ts"

export class JobUnknown extends Schema.TaggedError<JobUnknown>()("JobUnknown", { name: Schema.String }) {
  readonly retryable = false
  override get message() {
    return `No housekeeping job ${this.name}; there are ${jobNames.join(", ")}.`
  }
}

type Needs = Effect.Services<(typeof jobs)[JobName]["run"]>

export class Housekeeping extends Context.Service<
  Housekeeping,
  { readonly run: (name: string) => Effect.Effect<Readonly<Record<string, number>>, JobUnknown> }
>()("millrace/housekeeping/Housekeeping") {
  static readonly layer = Layer.effect(
    Housekeeping,
    Effect.map(Effect.context<Needs>(), (context) =>
      Housekeeping.of({
        run: Effect.fn("Housekeeping.run")(function* (name: string) {
          const job = (
            jobs as Record<string, { readonly run: Effect.Effect<Readonly<Record<string, number>>, never, Needs> }>
          )[name]
          if (job === undefined) return yield* new JobUnknown({ name })
          return yield* Effect.provideContext(job.run, context)
        })
      })
    )
  )
}
