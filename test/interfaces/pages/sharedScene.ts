// One service and one browser for all files of a process that need no settings of their own: to start both costs three seconds of a
// processor. Each file has people and organizations of its own, and tabs have profiles of their own.
import { Effect, Exit, Layer, Scope } from "effect"
import { ddl, freshDatabaseUrl } from "../../support/database.ts"
import { openStage, type Stage, sceneOn } from "./chromium.ts"

const openShared = async (): Promise<Stage> => {
  const scope = Effect.runSync(Scope.make())
  // The database goes with the run's Postgres.
  const url = await Effect.runPromise(Scope.provide(freshDatabaseUrl, Effect.runSync(Scope.make())))
  const stage = await Effect.runPromise(Scope.provide(openStage(url, { RATE_BUDGET: "1000000" }), scope))
  // Vitest ends its processes by this signal.
  process.once("SIGTERM", () => {
    Effect.runPromise(Scope.close(scope, Exit.void)).finally(() => process.exit(143))
  })
  return stage
}

let shared: Promise<Stage> | undefined
const sharedStage = Effect.promise(() => {
  shared ??= openShared()
  return shared
})

/** Leaves the next file an empty database; ids go on. */
const removePeople = Effect.orDie(ddl("TRUNCATE organizations, people, oauth_clients CASCADE"))

/** One person in two organizations, before a service that other files use one after another. */
export const SharedScene = Layer.unwrap(
  Effect.map(sharedStage, (stage) =>
    Layer.provideMerge(Layer.effectDiscard(Effect.addFinalizer(() => removePeople)), sceneOn(stage))
  )
)
