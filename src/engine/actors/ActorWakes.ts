// Nudges actors that have just been called, side by side, in the background: a signal-with-start without payload. If the process has little
// to do it is a start instead, whose first task the server hands to this process with its answer (eager start). A failed nudge is not
// retried at once: the row says `called`, and the sweep finds it (design: actors, point 5).
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common"
import { Context, Effect, Layer, Queue } from "effect"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import { Epoch } from "../temporal/Epoch.ts"
import { interventionDetails } from "../temporal/interventions.ts"
import { type ActorInput, aboutOf, nudge, typedAttributes } from "../temporal/messages.ts"
import { Temporal } from "../temporal/Temporal.ts"
import { Activations } from "./Activations.ts"
import { ActorKinds } from "./ActorKind.ts"
import type { Called } from "./Actors.ts"

/** Facts of an actor that a nudge needs. */
export type ActorWake = Omit<Called, "fence">

/** Above this many activations the process asks for no eager start: other workers may have less to do. */
const FEW_ACTIVATIONS = 8

export class ActorWakes extends Context.Service<
  ActorWakes,
  {
    /** Never waits; an actor that waits for its nudge already is not added twice. */
    readonly offer: (called: ReadonlyArray<ActorWake>) => Effect.Effect<void>
  }
>()("millrace/actors/ActorWakes") {
  static readonly layer = Layer.effect(
    ActorWakes,
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const epoch = yield* Epoch
      const tuning = yield* ActorTuning
      const activations = yield* Activations
      const kinds = new Map((yield* ActorKinds).map((kind) => [kind.name, kind]))
      const pendingActors = new Map<string, ActorWake>()
      const queue = yield* Queue.unbounded<string>()

      const send = Effect.fnUntraced(function* (actor: ActorWake) {
        const kind = kinds.get(actor.kind)
        if (kind === undefined) return yield* Effect.logWarning(`no kind of actors is called ${actor.kind}`)
        const { heartbeatTimeoutMillis, historyAtMost } = tuning
        const input: ActorInput = { id: actor.id, heartbeatTimeoutMillis, historyAtMost }
        const workflowId = yield* epoch.id(actor.actor_key)
        const options = {
          workflowId,
          taskQueue: temporal.settings.queues.actors,
          args: [input] as [ActorInput],
          staticSummary: kind.summary(actor.id),
          staticDetails: interventionDetails(kind.workflowType),
          workflowIdReusePolicy: "ALLOW_DUPLICATE" as const,
          typedSearchAttributes: typedAttributes({
            About: aboutOf(kind.summary(actor.id)),
            ...(actor.org_id === null ? {} : { Organization: String(actor.org_id) }),
            ...(kind.perApp ? { App: actor.id } : {})
          })
        }
        const signal = temporal.call((client) =>
          client.workflow.signalWithStart(kind.workflowType, { ...options, signal: nudge, signalArgs: [] })
        )
        const eager = temporal.call((client) =>
          client.workflow.start(kind.workflowType, { ...options, requestEagerStart: true })
        )
        if (actor.open || (yield* activations.running) > FEW_ACTIVATIONS) return yield* signal
        // An execution that is about to end hears of the nudge by the signal alone.
        yield* Effect.catchIf(
          eager,
          ({ cause }) => cause instanceof WorkflowExecutionAlreadyStartedError,
          () => signal
        )
      })

      const worker = Effect.gen(function* () {
        const key = yield* Queue.take(queue)
        const actor = pendingActors.get(key)
        // Removed before the call: an actor called again meanwhile is nudged again.
        pendingActors.delete(key)
        if (actor !== undefined) yield* send(actor)
      }).pipe(
        Effect.catchTag("TemporalFailed", (error) => Effect.logDebug("nudge failed", error.message)),
        Effect.forever
      )
      for (let i = 0; i < tuning.nudgesAtOnce; i++) yield* Effect.forkScoped(worker)

      return ActorWakes.of({
        offer: (called) =>
          Effect.suspend(() => {
            const newActors = called.filter(({ actor_key }) => !pendingActors.has(actor_key))
            for (const actor of newActors) pendingActors.set(actor.actor_key, actor)
            return Effect.asVoid(
              Queue.offerAll(
                queue,
                newActors.map(({ actor_key }) => actor_key)
              )
            )
          })
      })
    })
  )
}
