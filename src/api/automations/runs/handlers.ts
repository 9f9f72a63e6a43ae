// Translates developer-api.md 7.3 (runs), 7.8, 7.10 (generate) and 7.11 between HTTP and the services of runs.

import { Effect } from "effect"
import { Granted } from "../../../domain/accounts/Access.ts"
import { Caller } from "../../../domain/accounts/Caller.ts"
import { RunDiffs } from "../../../domain/automations/requests/RunDiffs.ts"
import { RunJobs } from "../../../domain/automations/requests/RunJobs.ts"
import { RunLogs } from "../../../domain/automations/requests/RunLogs.ts"
import { RunLoops } from "../../../domain/automations/requests/RunLoops.ts"
import { type CallBody, RunRequests } from "../../../domain/automations/requests/RunRequests.ts"
import { RunSummaries } from "../../../domain/automations/requests/RunSummaries.ts"
import { Runs } from "../../../domain/automations/requests/Runs.ts"
import type { RunJobKind } from "../../../domain/automations/requests/runJobInput.ts"
import type { RetryBody } from "../../../domain/automations/requests/runRetries.ts"
import type { RunsWithin } from "../../../domain/automations/requests/runSelection.ts"
import { StepTests } from "../../../domain/automations/requests/StepTests.ts"
import { type WeblinkBody, Weblinks } from "../../../domain/automations/weblinks/Weblinks.ts"
import { parseDateTime } from "../../../platform/primitives/dates.ts"
import { InvalidRequestUrl, ValidationError } from "../../../platform/primitives/errors.ts"
import { namesPlace } from "../../middleware/answerHeaders.ts"
import { group } from "../../middleware/requestContext.ts"
import { RunsApi } from "./Api.ts"
import type { ListBody, SelectBody } from "./runBodies.ts"

const DEFAULT_LIMIT = 50
const ITEMS = 100

const instant = (name: string, text: string | undefined) => {
  if (text === undefined) return Effect.succeed(undefined)
  const parsedTime = parseDateTime(text)
  return parsedTime === undefined
    ? Effect.fail(new ValidationError({ message: `${name}: is no datetime.` }))
    : Effect.succeed(parsedTime.date.toISOString())
}

/** The filters of a listing or of a job. */
const filtersOf = Effect.fnUntraced(function* ({ created_at_from, created_at_to, ...filters }: SelectBody) {
  const from = yield* instant("created_at_from", created_at_from)
  const to = yield* instant("created_at_to", created_at_to)
  return { ...filters, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
})

const runIdOf = (text: string) =>
  /^\d{1,19}$/.test(text)
    ? Effect.succeed(text)
    : Effect.fail(new InvalidRequestUrl({ message: `run_id: expected an integer, got ${JSON.stringify(text)}.` }))

export const RunsHandlers = group(
  RunsApi,
  Effect.fnUntraced(function* (handlers) {
    const fires = yield* RunRequests
    const runs = yield* Runs
    const weblinks = yield* Weblinks
    const tests = yield* StepTests
    const diffs = yield* RunDiffs
    const logs = yield* RunLogs
    const loops = yield* RunLoops
    const summaries = yield* RunSummaries
    const runJobs = yield* RunJobs

    const list = Effect.fnUntraced(function* ({ cursor, limit, ...body }: ListBody) {
      const requestedFilters = yield* filtersOf(body)
      if (cursor !== undefined && Object.keys(requestedFilters).length > 0) {
        return yield* new ValidationError({ message: "cursor: carries its filters; send it without any." })
      }
      return yield* runs.page(yield* Caller, { kind: "all" }, requestedFilters, limit ?? DEFAULT_LIMIT, cursor)
    })
    const listRuns =
      (kind: Exclude<RunsWithin["kind"], "all">) =>
      ({ params, payload }: { params: { id: number }; payload: { cursor?: string; limit?: number } }) =>
        Effect.flatMap(Caller, (caller) =>
          runs.page(caller, { kind, id: params.id }, {}, payload.limit ?? DEFAULT_LIMIT, payload.cursor)
        )
    const call = ({ params, payload }: { params: { automation_id: number }; payload: CallBody }) =>
      Effect.flatMap(Caller, (caller) => fires.call(caller, params.automation_id, payload)).pipe(Effect.as({}))
    const weblink = ({ payload }: { payload: WeblinkBody }) =>
      Effect.flatMap(Caller, (caller) => weblinks.generate(caller, payload))
    const begin = Effect.fnUntraced(function* (kind: RunJobKind, body: SelectBody, retry?: RetryBody) {
      const job_id = yield* runJobs.begin(yield* Caller, kind, yield* filtersOf(body), retry)
      yield* namesPlace(`/v1/job/${job_id}`)
      return { job_id }
    })
    const accepted = (message: string) => (run_id: string | null) =>
      Effect.as(run_id === null ? Effect.void : namesPlace(`/v1/automation-run/${run_id}`), { message, run_id })

    return handlers.handleAll({
      manualRun: ({ payload }) =>
        Effect.flatMap(
          Effect.flatMap(Granted, (grant) => fires.manualRun(grant, payload)),
          accepted("The run is accepted.")
        ),
      simulate: ({ payload }) =>
        Effect.flatMap(
          Effect.flatMap(Granted, (grant) => fires.simulate(grant, payload)),
          accepted("The simulation is accepted.")
        ),
      testStep: ({ payload }) =>
        Effect.flatMap(
          Effect.flatMap(Granted, (grant) => tests.test(grant, payload)),
          accepted("The test is accepted.")
        ),
      call,
      callDeprecated: call,
      weblink,
      weblinkDeprecated: weblink,
      list: ({ payload }) => list(payload),
      listApp: listRuns("app"),
      listWorkspace: listRuns("workspace"),
      listAutomation: listRuns("automation"),
      summary: ({ payload }) =>
        Effect.map(
          Effect.flatMap(Caller, (caller) => summaries.of(caller, payload.automation_ids)),
          (all) => ({ summaries: all })
        ),
      get: Effect.fnUntraced(function* ({ params, query }) {
        return { automation_run: yield* runs.get(yield* Caller, yield* runIdOf(params.run_id), query.log_limit) }
      }),
      log: Effect.fnUntraced(function* ({ params, query }) {
        const { limit = DEFAULT_LIMIT, outside_loops, ...asked } = query
        const outsideLoops = outside_loops === "true"
        return yield* logs.page(yield* Caller, yield* runIdOf(params.run_id), { ...asked, limit, outsideLoops })
      }),
      loops: Effect.fnUntraced(function* ({ params, query }) {
        return { loops: yield* loops.within(yield* Caller, yield* runIdOf(params.run_id), query) }
      }),
      loopItems: Effect.fnUntraced(function* ({ params, query }) {
        const itemsQuery = { ...query, loop: params.action_id, limit: query.limit ?? ITEMS }
        return yield* loops.items(yield* Caller, yield* runIdOf(params.run_id), itemsQuery)
      }),
      diff: Effect.fnUntraced(function* ({ params }) {
        const [from, to] = [yield* runIdOf(params.run_id), yield* runIdOf(params.other_run_id)]
        return { differences: yield* diffs.of(yield* Caller, from, to) }
      }),
      cancelMany: ({ payload }) => begin("run_cancel", payload),
      retryMany: ({ payload: { definition, from, ...filters } }) =>
        begin("run_retry", filters, {
          ...(from === undefined ? {} : { from }),
          ...(definition === undefined ? {} : { definition })
        }),
      deleteMany: ({ payload }) => begin("run_delete", payload),
      cancel: Effect.fnUntraced(function* ({ params }) {
        return { automation_run: yield* runs.cancel(yield* Caller, yield* runIdOf(params.run_id)) }
      }),
      retry: Effect.fnUntraced(function* ({ params, payload }) {
        const runId = yield* runs.retry(yield* Caller, yield* runIdOf(params.run_id), payload)
        return yield* accepted("The retry is accepted.")(runId)
      })
    })
  })
)
