// Starts of runs' workflows (developer-api.md 7.11 rules 5 and 7): a start whose answer is lost may have created a workflow, which executes
// the run. Its slot and its row then belong to that.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RunDriver } from "../../../../src/domain/automations/durable/RunDriver.ts"
import { RunStarts } from "../../../../src/domain/automations/durable/RunStarts.ts"
import { RunWorkflows } from "../../../../src/domain/automations/durable/RunWorkflows.ts"
import type { InboxEvent } from "../../../../src/domain/automations/firing/inboxRows.ts"
import { makeRunCreation } from "../../../../src/domain/automations/firing/runCreation.ts"
import { makeStarts } from "../../../../src/domain/automations/firing/workflowStarts.ts"
import { Credits } from "../../../../src/domain/automations/run/Credits.ts"
import type { Activation } from "../../../../src/engine/actors/ActorKind.ts"
import { TemporalFailed } from "../../../../src/engine/temporal/TemporalFailed.ts"
import { appLayer } from "../../../support/app.ts"
import { layerCreation, mailboxRuns } from "../mailboxRuns.ts"

const services = Layer.mergeAll(layerCreation, RunStarts.layer).pipe(Layer.provideMerge(appLayer()))

/** A durable run with its slot, and its start. @param isTaken the workflow takes the run before Temporal answers, if it does */
const setting = Effect.fnUntraced(function* (isTaken: boolean, answered = false) {
  const runs = yield* mailboxRuns
  const { automationId, newRun, sql } = runs
  const { createRuns } = yield* makeRunCreation
  const newDurableRun = yield* newRun({ durable: true })
  const [created] = yield* sql.withTransaction(createRuns([newDurableRun]))
  const runId = created!.run_id
  let started = 0
  const start = () =>
    Effect.gen(function* () {
      started++
      if (isTaken && started === 1)
        yield* Effect.orDie(sql`UPDATE runs SET fence = fence + 1, status = 'running' WHERE run_id = ${runId}::bigint`)
      if (!answered) return yield* new TemporalFailed({ cause: new Error("no answer") })
    })
  const startsOf = yield* makeStarts.pipe(
    Effect.provideService(RunWorkflows, { start, wake: () => Effect.void }),
    Effect.provideService(RunDriver, {} as RunDriver["Service"])
  )
  const activation = {
    commit: (effect) => sql.withTransaction(effect),
    stopping: Effect.succeed(false)
  } as Activation
  const starts = startsOf(activation, { app_id: runs.appId, org_id: runs.orgId })
  const { event_id, row_id } = newDurableRun
  const row = { row_id, event_id, run_id: runId, automation_id: automationId, claims: 1 }
  const inboxRow = { ...row, event: { record_id: null, cause: null, payload: {} } } as unknown as InboxEvent
  const knownFacts = { summary: "", filtering_on: null, fence: 1 }
  const run = Effect.map(
    sql<{ wait_why: string | null; status: string }>`
      SELECT wait_why, status FROM runs WHERE run_id = ${runId}::bigint`,
    ([one]) => one!
  )
  const isLater = Effect.map(
    sql<{
      later: boolean
    }>`SELECT due_at > now() + interval '4 minutes' AS later FROM automation_inbox WHERE row_id = ${row_id}`,
    ([one]) => one?.later
  )
  return { ...runs, inboxRow, isLater, known: knownFacts, run, runId, started: () => started, starts }
})

layer(services, { excludeTestServices: true })("the start of a run's workflow", (it) => {
  it.effect("keeps the slot of a run that executes already, though nobody has heard of it", () =>
    Effect.gen(function* () {
      const { slots, starts, ...rest } = yield* setting(true)
      yield* starts.start(rest.inboxRow, { runId: rest.runId, known: rest.known, type: "regular", delay: null })
      assert.deepStrictEqual(yield* slots, [rest.runId])
    })
  )

  it.effect("keeps it when the next start fails too, which finds the run as the workflow has it", () =>
    Effect.gen(function* () {
      const { inboxRow, known, runId, slots, starts } = yield* setting(true)
      yield* starts.start(inboxRow, { runId, known, type: "regular", delay: null })
      yield* starts.startUnasked(inboxRow, { type: "regular", delay: null })
      assert.deepStrictEqual(yield* slots, [runId])
    })
  )

  it.effect("gives it back whenever a start fails that finds the run pending", () =>
    Effect.gen(function* () {
      const { inboxRow, runId, slots, starts } = yield* setting(false)
      assert.deepStrictEqual(yield* slots, [runId])
      yield* starts.startUnasked(inboxRow, { type: "regular", delay: null })
      assert.deepStrictEqual(yield* slots, [])
    })
  )

  it.effect("gives the slot back while Temporal is away, so that plain runs go on", () =>
    Effect.gen(function* () {
      const { slots, starts, ...rest } = yield* setting(false)
      yield* starts.start(rest.inboxRow, { runId: rest.runId, known: rest.known, type: "regular", delay: null })
      assert.deepStrictEqual(yield* slots, [])
    })
  )

  const withoutCredits = (orgId: number, runId: string, state: string) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Credits.use(({ spend }) => spend(orgId, 1_000_000_000))
      yield* sql.unsafe(`UPDATE runs SET ${state} WHERE run_id = ${runId}`)
    })

  it.effect("waits for credits while they are used up", () =>
    Effect.gen(function* () {
      const { inboxRow, isLater, orgId, run, runId, started, starts } = yield* setting(false, true)
      yield* withoutCredits(orgId, runId, "status = 'pending'")
      yield* starts.startPlaced(inboxRow, { type: "regular", delay: null })
      assert.deepStrictEqual([started(), (yield* run).wait_why, yield* isLater], [0, "credits", true])
    })
  )

  for (const [state, wait] of [
    ["executes", "wait_why = NULL"],
    ["waits for a called run", "wait_why = 'called_run'"]
  ] as const)
    it.effect(`does not let a run wait for credits that ${state} already`, () =>
      Effect.gen(function* () {
        const { inboxRow, isLater, orgId, run, runId, starts } = yield* setting(false, true)
        yield* withoutCredits(orgId, runId, `status = 'running', fence = 2, ${wait}`)
        const stateBefore = yield* run
        yield* starts.startPlaced(inboxRow, { type: "regular", delay: null })
        assert.deepStrictEqual([yield* run, (yield* isLater) ?? false], [stateBefore, false])
      })
    )
})
