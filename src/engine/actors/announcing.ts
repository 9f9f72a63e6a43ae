// Announces the claims of a kind that claims whatever is due (docs/engine.md, "States of the loop"): after each job, when its next row becomes
// due, and at short intervals while jobs run, whose rows hold others back.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { ActorTuning } from "../../platform/config/Tuning.ts"
import type { Activation, ActorWork, MailboxRow } from "./ActorKind.ts"

/** @param nextDue `ActorKind.nextDue` of the activation's actor */
export const announcing = <Row extends MailboxRow>(
  activation: Pick<Activation, "lookAt">,
  nextDue: Effect.Effect<Date | null, SqlError>,
  claim: ActorWork<Row>["claim"]
): ActorWork<Row>["claim"] => {
  let running = 0
  const jobEnded = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    running--
    return activation.lookAt(now)
  })
  return Effect.fnUntraced(function* (request) {
    const jobs = yield* claim(request)
    const isIdle = jobs.length === 0 && running === 0
    const due = isIdle ? yield* nextDue : request.now
    // A row that is due and was not claimed is a suspect, or has become due this moment: never spin on a kind that contradicts itself.
    const soonest = (yield* Clock.currentTimeMillis) + (yield* ActorTuning).lookEveryMillis
    if (due !== null) yield* activation.lookAt(Math.max(due.getTime(), soonest))
    return jobs.map((job) => ({
      ...job,
      run: Effect.suspend(() => {
        running++
        return Effect.ensuring(job.run, jobEnded)
      })
    }))
  })
}
