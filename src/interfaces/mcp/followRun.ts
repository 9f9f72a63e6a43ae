// Finds the outcome of a run that a tool asked for (developer-api.md 7.3: 202 means accepted). The event carries the key of a row in
// `run_waits`. The process that decides the event fills the row in, so any process finds the run, or why there is none.
import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Schema } from "effect"
import { isOver, type RunOutcome } from "../../domain/automations/requests/RunOutcomes.ts"
import type { ToolContext } from "./ToolContext.ts"

/** Milliseconds that an answer waits for its run to end; hosts give a call about a minute. */
export const RunPatience = Context.Reference<number>("millrace/mcp/RunPatience", { defaultValue: () => 10_000 })

export const FollowedRun = Schema.Struct({
  message: Schema.String,
  run_id: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Literals(["pending", "running", "completed", "failed", "cancelled"])),
  no_run: Schema.optionalKey(Schema.String.annotate({ description: "Why no run came of it" })),
  next: Schema.String.annotate({ description: "What to do now" })
})
export type FollowedRun = typeof FollowedRun.Type

/** Sentences by `FiringDecision`. */
const reasons: Readonly<Record<string, string>> = {
  mismatch: "The filter does not match.",
  inactive: "The automation is broken, or paused.",
  other_trigger: "The automation has another trigger by now.",
  gone: "The automation is gone, or the run whose data was asked for.",
  too_deep: "The chain of automations is too long.",
  set_aside: "What should have begun it ended the process ten times."
}

/** Key of a wait. It holds the user who waits, so no other user finds it. */
const keyOf = (userId: number, ticket: string) => `mcp/${userId}/${ticket}`

/** Creates a ticket: its time of creation, and a random part that nobody can guess. */
export const newTicket = Effect.map(Clock.currentTimeMillis, (millis) => `${millis.toString(36)}-${randomUUID()}`)

const ticketPattern = /^[0-9a-z]{8}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const createdOf = (ticket: string): number => Number.parseInt(ticket.slice(0, 8), 36)

export const waitKeyOf = (userId: number, ticket: string): string | undefined =>
  ticketPattern.test(ticket) ? keyOf(userId, ticket) : undefined

export const told = (outcome: RunOutcome, message: string): FollowedRun => {
  switch (outcome.type) {
    case "run": {
      const { runId: run_id, status } = outcome
      if (status === "failed") return { message, run_id, status, next: "read_run shows which step failed, and why." }
      return {
        message,
        run_id,
        status,
        next: isOver(outcome) ? "read_run shows what each step did." : "It goes on; read_run shows how far it is."
      }
    }
    case "refused": {
      const no_run = reasons[outcome.why] ?? outcome.why
      return { message, no_run, next: "read_automation shows filter and state; nothing was done." }
    }
    default:
      return { message, next: "The run has not begun; look for it with list_runs of this automation." }
  }
}

/** A client that follows tasks is given one for what takes longer. */
const taskPatienceMillis = 1_000

/** Waits for the end of the run, for as long as an answer may take. */
export const follow = Effect.fnUntraced(function* ({ outcomes, patience, tasks }: ToolContext, key: string) {
  return yield* outcomes.until(key, tasks ? Math.min(patience, taskPatienceMillis) : patience, isOver)
})
