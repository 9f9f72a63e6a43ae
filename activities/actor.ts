// The activity of every actor: one activation.
import { Effect } from "effect"
import { Activations } from "../src/engine/actors/Activations.ts"
import { type ActivityAttempt, CurrentActivity } from "../src/engine/temporal/bridge.ts"

export const actorActivities = (attempt: ActivityAttempt<Activations>) => ({
  activate: attempt((kind: string, id: string) =>
    Effect.gen(function* () {
      const { heartbeat } = yield* CurrentActivity
      return yield* (yield* Activations).run(kind, id, heartbeat)
    })
  )
})

export type ActorActivities = ReturnType<typeof actorActivities>
