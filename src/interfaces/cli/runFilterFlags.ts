// Flags that select runs, of listings and of jobs (developer-api.md 7.11).
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { waitReasons } from "../../domain/automations/run/waitReasons.ts"
import { failWith, instant } from "./output.ts"

const statuses = ["pending", "running", "completed", "failed", "cancelled"] as const

export const runFilterFlags = {
  org: Flag.Int("org").pipe(Flag.withDescription("Of an organization"), Flag.optional),
  workspace: Flag.Int("workspace").pipe(Flag.withDescription("Of a workspace"), Flag.optional),
  app: Flag.Int("app").pipe(Flag.withDescription("Of an app"), Flag.optional),
  status: Flag.Literals("status", statuses).pipe(Flag.optional),
  since: Flag.String("since").pipe(Flag.withDescription("Created at this time (UTC) or later; today"), Flag.optional),
  until: Flag.String("until").pipe(Flag.withDescription("Created at this time (UTC) or before"), Flag.optional),
  record: Flag.Int("record").pipe(Flag.withDescription("Of a record"), Flag.optional),
  causedBy: Flag.String("caused-by").pipe(Flag.withDescription("Caused by the run of this run_id"), Flag.optional),
  chain: Flag.String("chain").pipe(
    Flag.withDescription("Of the chain that began with the run of this run_id"),
    Flag.optional
  ),
  error: Flag.String("error").pipe(Flag.withDescription("With this text in the error message"), Flag.optional),
  waiting: Flag.Literals("waiting", waitReasons).pipe(
    Flag.withDescription("Only runs that wait for this reason"),
    Flag.optional
  )
}

type Given = {
  readonly [K in keyof typeof runFilterFlags]: (typeof runFilterFlags)[K] extends Flag.Flag<infer A> ? A : never
}

export const checkRunId = (flag: string, text: string) =>
  /^[1-9]\d{0,17}$/.test(text) ? Effect.void : failWith({ message: `--${flag}: expected a run_id.` })

export const runFiltersOf = Effect.fnUntraced(function* ({
  app,
  causedBy,
  chain,
  error,
  org,
  record,
  since,
  status,
  until,
  waiting,
  workspace
}: Given) {
  for (const [flag, given] of Object.entries({ "caused-by": causedBy, chain })) {
    if (Option.isSome(given)) yield* checkRunId(flag, given.value)
  }
  return {
    ...(Option.isSome(org) ? { org_id: org.value } : {}),
    ...(Option.isSome(workspace) ? { workspace_ids: [workspace.value] } : {}),
    ...(Option.isSome(app) ? { app_ids: [app.value] } : {}),
    ...(Option.isSome(since) ? { from: (yield* instant(since.value)).toISOString() } : {}),
    ...(Option.isSome(until) ? { to: (yield* instant(until.value)).toISOString() } : {}),
    ...(Option.isSome(status) ? { status: status.value } : {}),
    ...(Option.isSome(record) ? { record_ids: [record.value] } : {}),
    ...(Option.isSome(causedBy) ? { caused_by_run_ids: [causedBy.value] } : {}),
    ...(Option.isSome(chain) ? { chain_run_ids: [chain.value] } : {}),
    ...(Option.isSome(error) ? { error_contains: error.value } : {}),
    ...(Option.isSome(waiting) ? { waiting: [waiting.value] } : {})
  }
})
