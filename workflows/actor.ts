// Workflow of an actor (design: actors, points 3 to 5): activation, wait on a durable timer, nudge, end. An actor that reports something
// failing stays open until that has passed: so `Failing = "true"` among the running ones lists what fails now.
import {
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo
} from "@temporalio/workflow"
import type { ActorActivities } from "../activities/actor.ts"
import { type ActorInput, Failing, nudge } from "../src/engine/temporal/messages.ts"

/** Interval at which an actor that stays open only because something fails checks if it still does. */
const LOOK_AGAIN = "6 hours"
const AT_WORK = "At work: what it holds and why is in the heartbeat details of its pending activity."

const runActor = async (kind: string, input: ActorInput): Promise<void> => {
  let nudged = false
  let failing = workflowInfo().typedSearchAttributes.get(Failing) === "true"
  setHandler(nudge, () => {
    nudged = true
  })
  const { activate } = proxyActivities<ActorActivities>({
    startToCloseTimeout: "15 minutes",
    heartbeatTimeout: input.heartbeatTimeoutMillis,
    retry: { initialInterval: "1 second", backoffCoefficient: 1 }
  })
  setCurrentDetails(AT_WORK)
  // Every execution starts with an activation, so the nudge that started it needs no look.
  for (;;) {
    nudged = false
    const result = await activate(kind, input.id)
    // No signal is lost between here and the next await: signals of the same task have been applied before the result.
    setCurrentDetails(result.details)
    if (result.failing !== failing) {
      failing = result.failing
      upsertSearchAttributes([{ key: Failing, value: failing ? "true" : null }])
    }
    if (!result.again && !nudged) {
      if (result.nextDueAt !== null) await condition(() => nudged, Math.max(1, result.nextDueAt - Date.now()))
      else if (failing && patched("failing-actors-stay-open")) await condition(() => nudged, LOOK_AGAIN)
      else return
    }
    const { historyLength, continueAsNewSuggested } = workflowInfo()
    if (continueAsNewSuggested || historyLength > input.historyAtMost)
      await continueAsNew<(i: ActorInput) => Promise<void>>(input)
  }
}

/** Delivers an app's events to its webhooks. */
export const webhooksApp = (input: ActorInput): Promise<void> => runActor("webhooks/app", input)

/** Filters an app's events for its automations and runs them. */
export const automationsApp = (input: ActorInput): Promise<void> => runActor("automations/app", input)

/** Fires due dates. */
export const calendar = (input: ActorInput): Promise<void> => runActor("calendar", input)
