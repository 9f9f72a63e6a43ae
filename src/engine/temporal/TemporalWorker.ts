// Runs the two workers of a process, as a layer: actors (workflows, activations, segments) and outside steps. They start when Temporal is
// reached, are made anew when they fail, and drain when the layer closes.
import { Worker as SdkWorker, type WorkerOptions } from "@temporalio/worker"
import { Context, Effect, Exit, Layer, type Scope } from "effect"
import { actorsTuning, outsideTuning } from "../../../temporal.config.ts"
import { Draining } from "./Draining.ts"
import { Epoch } from "./Epoch.ts"
import { prepareNamespace } from "./namespace.ts"
import { Temporal } from "./Temporal.ts"
import { callTemporal, type TemporalFailed } from "./TemporalFailed.ts"
import { runToEnd } from "./workerEnd.ts"
import { bundlePath } from "./workflowBundle.ts"

/** Activity implementations by name, made by the factories in `activities/`. */
export interface WorkerActivities {
  readonly actors: object
  readonly outside: object
}

export class Activities extends Context.Service<Activities, WorkerActivities>()("millrace/temporal/Activities") {}

const RESTART_AFTER = "1 second"

/** Runs one worker until it fails. */
const runWorker = Effect.fnUntraced(function* (options: WorkerOptions) {
  yield* runToEnd(yield* callTemporal(() => SdkWorker.create(options)))
})

const keepRunning = (name: string, start: Effect.Effect<WorkerOptions, TemporalFailed>): Effect.Effect<never> =>
  Effect.flatMap(start, runWorker).pipe(
    Effect.exit,
    Effect.tap((exit) =>
      Exit.isSuccess(exit)
        ? Effect.void
        : Effect.logWarning(`the ${name} worker stopped and is started again`, exit.cause)
    ),
    Effect.andThen(Effect.sleep(RESTART_AFTER)),
    Effect.forever
  )

const start: Effect.Effect<void, never, Activities | Draining | Epoch | Scope.Scope | Temporal> = Effect.gen(
  function* () {
    const temporal = yield* Temporal
    const epoch = yield* Epoch
    const activities = yield* Activities
    const draining = yield* Draining
    const { namespace, queues } = temporal.settings
    // Caches the bundle on the disk, but not a failure to build it.
    const bundle = callTemporal(bundlePath)

    const actors = Effect.gen(function* () {
      const codePath = yield* bundle
      const connection = yield* temporal.connection
      // Prepares the namespace anew: a worker that fails may have lost it with Temporal's database.
      yield* prepareNamespace(connection, temporal.settings)
      yield* epoch.current
      return {
        ...actorsTuning,
        connection,
        namespace,
        taskQueue: queues.actors,
        workflowBundle: { codePath },
        activities: activities.actors
      }
    })
    const outside = Effect.map(
      Effect.tap(temporal.connection, () => epoch.current),
      (connection) => ({
        ...outsideTuning,
        connection,
        namespace,
        taskQueue: queues.outside,
        activities: activities.outside
      })
    )
    const keep = (name: string, options: Effect.Effect<WorkerOptions, TemporalFailed>) =>
      Effect.forkScoped(Effect.raceFirst(keepRunning(name, options), epoch.lost))
    yield* keep("actors", actors)
    if (Object.keys(activities.outside).length > 0) yield* keep("outside", outside)
    // Registered last, so run first: activations stop claiming before the workers wait for them.
    yield* Effect.addFinalizer(() => draining.begin)
  }
)

export const layer = Layer.effectDiscard(start)
