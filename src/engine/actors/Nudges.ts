// Nudges actors that have just been called: a signal-with-start without payload, side by side, in the background.
// What fails here is not tried again at once: the row says `called`, and the sweep finds it (design: actors, point 5).
import { Context, Effect, Layer, Queue } from "effect"
import { ActorTuning } from "../../ground/config/Tuning.ts"
import { Epoch } from "../temporal/Epoch.ts"
import { interventionDetails } from "../temporal/interventions.ts"
import { About, type ActorInput, App, aboutOf, nudge, Organization } from "../temporal/messages.ts"
import { Temporal } from "../temporal/Temporal.ts"
import { ActorKinds } from "./ActorKind.ts"
import type { Called } from "./Actors.ts"

export class Nudges extends Context.Service<
  Nudges,
  {
    /** Never waits; an actor that waits for its nudge already is not added twice. */
    readonly offer: (called: ReadonlyArray<Called>) => Effect.Effect<void>
  }
>()("millrace/actors/Nudges") {
  static readonly layer = Layer.effect(
    Nudges,
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const epoch = yield* Epoch
      const tuning = yield* ActorTuning
      const kinds = new Map((yield* ActorKinds).map((kind) => [kind.name, kind]))
      const waiting = new Map<string, Called>()
      const queue = yield* Queue.unbounded<string>()

      const send = Effect.fnUntraced(function* (actor: Called) {
        const kind = kinds.get(actor.kind)
        if (kind === undefined) return yield* Effect.logWarning(`no kind of actors is called ${actor.kind}`)
        const { heartbeatTimeoutMillis, historyAtMost } = tuning
        const input: ActorInput = { id: actor.id, heartbeatTimeoutMillis, historyAtMost }
        const workflowId = yield* epoch.id(actor.actor_key)
        yield* temporal.call((client) =>
          client.workflow.signalWithStart(kind.workflowType, {
            workflowId,
            taskQueue: temporal.settings.queues.actors,
            args: [input],
            signal: nudge,
            signalArgs: [],
            staticSummary: kind.summary(actor.id),
            staticDetails: interventionDetails(kind.workflowType),
            workflowIdReusePolicy: "ALLOW_DUPLICATE",
            typedSearchAttributes: [
              { key: About, value: aboutOf(kind.summary(actor.id)) },
              ...(actor.org_id === null ? [] : [{ key: Organization, value: String(actor.org_id) }]),
              ...(kind.perApp ? [{ key: App, value: actor.id }] : [])
            ]
          })
        )
      })

      const worker = Effect.gen(function* () {
        const key = yield* Queue.take(queue)
        const actor = waiting.get(key)
        // Removed before the call: an actor called again meanwhile is nudged again.
        waiting.delete(key)
        if (actor !== undefined) yield* send(actor)
      }).pipe(
        Effect.catchTag("TemporalFailed", (error) => Effect.logDebug("nudge failed", error.message)),
        Effect.forever
      )
      for (let i = 0; i < tuning.nudgesAtOnce; i++) yield* Effect.forkScoped(worker)

      return Nudges.of({
        offer: (called) =>
          Effect.suspend(() => {
            const fresh = called.filter(({ actor_key }) => !waiting.has(actor_key))
            for (const actor of fresh) waiting.set(actor.actor_key, actor)
            return Effect.asVoid(
              Queue.offerAll(
                queue,
                fresh.map(({ actor_key }) => actor_key)
              )
            )
          })
      })
    })
  )
}
