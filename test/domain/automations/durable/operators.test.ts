// What an operator may do to the workflows of runs (docs/operations.md): cancel, reset, lose Temporal's data altogether.
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../../src/domain/automations/durable/Reconcile.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { scheduleId } from "../../../../src/domain/automations/schedules/TemporalSchedules.ts"
import { interventionDetails } from "../../../../src/engine/temporal/interventions.ts"
import * as messages from "../../../../src/engine/temporal/messages.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import {
  assign,
  automate,
  createRecord,
  endDelays,
  runsOf,
  runsOver,
  scheduleBack,
  scheduleOf,
  setText,
  settled
} from "../runSupport.ts"
import { seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const delay = (delay_ms: number) => ({ type: "delay", config: { delay_ms } })

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  return { ...seeded, ref: seeded.fields["reference"]! }
})

/** With its workflow, which follows the wait. */
const awaitRun = (id: number) =>
  eventually("waits", runsOf(id), ([run]) => run?.wait_until != null && run.workflow_started_on !== null)

/** To behind its first workflow task, as in the UI; answers what takes its place. */
const reset = Effect.fnUntraced(function* (workflowId: string) {
  const temporal = yield* Temporal
  return yield* temporal.call(async (client) => {
    const { runId } = await client.workflow.getHandle(workflowId).describe()
    const resetResult = await client.workflowService.resetWorkflowExecution({
      namespace: temporal.settings.namespace,
      workflowExecution: { workflowId, runId },
      workflowTaskFinishEventId: 4 as never,
      reason: "a test",
      requestId: randomUUID()
    })
    return resetResult.runId
  })
})

const text = (payload: { readonly data?: Uint8Array | null } | null | undefined): string =>
  Buffer.from(payload?.data ?? []).toString("utf8")

/** What the UI shows of a workflow. */
const workflowView = Effect.fnUntraced(function* (workflowId: string) {
  const temporal = yield* Temporal
  return yield* temporal.call(async (client) => {
    const handle = client.workflow.getHandle(workflowId)
    const about = await handle.describe()
    const { currentDetails } = await handle.query<{ currentDetails?: string }>("__temporal_workflow_metadata")
    const events = (await handle.fetchHistory()).events ?? []
    return {
      status: about.status.name,
      runId: about.runId,
      summary: await about.staticSummary(),
      details: currentDetails ?? "",
      steps: events.flatMap(({ activityTaskScheduledEventAttributes: of, userMetadata }) =>
        of == null ? [] : [`${of.activityType!.name} ${text(userMetadata?.summary)}`]
      ),
      timers: events.flatMap(({ timerStartedEventAttributes: of, userMetadata }) =>
        of == null ? [] : [text(userMetadata?.summary)]
      ),
      failedSteps: events.flatMap(({ activityTaskFailedEventAttributes: of }) => of?.failure?.message ?? []),
      about: about.typedSearchAttributes.get(messages.About),
      mayBeDone: await about.staticDetails(),
      failure: events.at(-1)?.workflowExecutionFailedEventAttributes?.failure?.message
    }
  })
})

layer(spineLayer(), { excludeTestServices: true })("operators and the workflows of runs", (it) => {
  it.effect("a workflow cancelled in Temporal ends its run as cancelled", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000), setText(ref, "never")] })
      yield* createRecord(token, appId, {})
      const [run] = yield* awaitRun(id)
      const workflowId = runWorkflowId({ automation_id: id, run_id: run!.run_id })
      yield* temporal.call((client) => client.workflow.getHandle(workflowId).cancel())
      const [over] = yield* runsOver(id)
      const errorText = over!.logs.at(-1).messages[0].message
      assert.deepStrictEqual([over!.status, errorText], ["cancelled", "Its workflow was cancelled in Temporal."])
    })
  )

  it.effect("a workflow terminated in Temporal ends its run as cancelled at the next reconcile", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const sql = yield* SqlClient.SqlClient
      const reconcile = yield* Reconcile
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000), setText(ref, "never")] })
      yield* createRecord(token, appId, {})
      const [run] = yield* awaitRun(id)
      const workflowId = runWorkflowId({ automation_id: id, run_id: run!.run_id })
      yield* temporal.call((client) => client.workflow.getHandle(workflowId).terminate("by an operator"))
      assert.strictEqual((yield* runsOf(id))[0]!.status, "running")
      // Runs that have only just begun are left alone.
      yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute' WHERE run_id = ${run!.run_id}::bigint`
      const reconciled = Effect.andThen(reconcile.run(false), runsOf(id))
      const [over] = yield* eventually("cancelled", reconciled, ([row]) => row?.status !== "running")
      assert.strictEqual(over!.status, "cancelled")
      const errorText = over!.logs.at(-1).messages[0].message
      assert.match(errorText, /^Its workflow was terminated in Temporal by .+: by an operator\.$/)
    })
  )

  it.effect("a chain of calls: each link is a workflow that names automation, trigger, record and its caller", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const sql = yield* SqlClient.SqlClient
      const { appId, orgId, ref, token } = yield* setting
      const onCall = { type: "automation_called", config: {} }
      const calling = (automation_id: number) => ({ type: "current_record_call_automation", config: { automation_id } })
      const lastId = yield* automate(token, appId, { name: "Last", trigger: onCall, actions: [setText(ref, "called")] })
      const middle = yield* automate(token, appId, { name: "Middle", trigger: onCall, actions: [calling(lastId)] })
      const firstId = yield* automate(token, appId, { name: "First", trigger: created, actions: [calling(middle)] })
      yield* createRecord(token, appId, { reference: "R-1" })
      const [end] = yield* runsOver(lastId)
      assert.strictEqual(end!.status, "completed")
      const [root] = yield* runsOf(firstId)
      const [row] = yield* sql<{ root_run_id: string }>`
        SELECT root_run_id::text FROM runs WHERE run_id = ${end!.run_id}::bigint`
      assert.strictEqual(row!.root_run_id, root!.run_id)
      const listChain = temporal.call(async (client) => {
        const listedLinks: Array<{ id: string; automation: unknown; status: string }> = []
        for await (const execution of client.workflow.list({ query: `Chain = "${root!.run_id}"` })) {
          const automation = execution.typedSearchAttributes.get(messages.Automation)
          listedLinks.push({ id: execution.workflowId, automation, status: execution.status.name })
        }
        return listedLinks.sort((a, b) => Number(a.automation) - Number(b.automation))
      })
      const chainLinks = yield* eventually("three links over", listChain, (links) => {
        return links.length === 3 && links.every(({ status }) => status === "COMPLETED")
      })
      assert.deepStrictEqual(
        chainLinks.map(({ automation }) => Number(automation)),
        [lastId, middle, firstId]
      )
      // By organization, app, automation and status.
      const query = `Organization = "${orgId}" AND App = "${appId}" AND Automation = "${middle}" AND RunStatus = "completed"`
      const filtered = temporal.call(async (client) => {
        const ids: Array<string> = []
        for await (const execution of client.workflow.list({ query })) ids.push(execution.workflowId)
        return ids
      })
      yield* eventually("the middle link", filtered, (ids) => String(ids) === chainLinks[1]!.id)
      const handle = (id: string) => temporal.call((client) => client.workflow.getHandle(id).describe())
      const link = yield* handle(chainLinks[0]!.id)
      assert.strictEqual(yield* Effect.promise(() => link.staticSummary()), "Last · Automation called · R-1")
      const caused = yield* Effect.promise(() => link.staticDetails())
      assert.include(caused, chainLinks[1]!.id)
    })
  )

  it.effect("a reset to the first task repeats no finished step, and a delay keeps its instant", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const sql = yield* SqlClient.SqlClient
      const { appId, ref, token } = yield* setting
      const make = {
        type: "record_create",
        config: {
          app_id: appId,
          field_assignments: [assign("single_text", ref, ["made"])],
          trigger_other_flows: false
        }
      }
      const id = yield* automate(token, appId, { trigger: created, actions: [make, delay(3_600_000), make] })
      yield* createRecord(token, appId, {})
      const [run] = yield* awaitRun(id)
      const workflowId = runWorkflowId({ automation_id: id, run_id: run!.run_id })
      const workflowBefore = yield* temporal.call((client) => client.workflow.getHandle(workflowId).describe())
      yield* reset(workflowId)
      const workflowAfter = yield* temporal.call((client) => client.workflow.getHandle(workflowId).describe())
      assert.notStrictEqual(workflowAfter.runId, workflowBefore.runId)
      const viewWorkflow = workflowView(workflowId)
      yield* eventually(
        "waits again",
        viewWorkflow,
        ({ timers, runId }) => runId === workflowAfter.runId && timers.length > 0
      )
      const [kept] = yield* awaitRun(id)
      assert.deepStrictEqual(kept!.wait_until, run!.wait_until)
      yield* endDelays(id)
      const [done] = yield* runsOver(id)
      assert.strictEqual(done!.status, "completed")
      const createdRecords =
        yield* sql`SELECT 1 FROM records WHERE app_id = ${appId} AND cells ->> ${String(ref)} LIKE '%made%'`
      assert.strictEqual(createdRecords.length, 2)
      // A run that is over stays over.
      yield* reset(workflowId)
      const lastWorkflow = temporal.call((client) => client.workflow.getHandle(workflowId).describe())
      yield* eventually(
        "over again",
        lastWorkflow,
        ({ runId, status }) => runId !== workflowAfter.runId && status.name === "COMPLETED"
      )
      const [still] = yield* runsOf(id)
      assert.deepStrictEqual([still!.status, still!.logs.length], ["completed", done!.logs.length])
    })
  )

  it.effect(
    "when Temporal's data is gone, reconcile brings back schedules and waiting runs; the actor comes by itself",
    () =>
      Effect.gen(function* () {
        const temporal = yield* Temporal
        const sql = yield* SqlClient.SqlClient
        const reconcile = yield* Reconcile
        const { appId, ref, token } = yield* setting
        const periodic = yield* automate(token, appId, {
          trigger: { type: "periodic", config: {} },
          actions: [{ type: "exit", config: { exit_type: "success" } }]
        })
        yield* eventually("a schedule", Effect.isSuccess(scheduleOf(periodic)), (there) => there)
        const id = yield* automate(token, appId, {
          trigger: created,
          actions: [delay(3_600_000), setText(ref, "late")]
        })
        yield* createRecord(token, appId, {})
        const [run] = yield* awaitRun(id)
        // A row that the actor still holds would bring the run's workflow back before reconcile does.
        yield* settled(appId)
        // Everything of this app that Temporal knows.
        const workflowIds = [runWorkflowId({ automation_id: id, run_id: run!.run_id }), `automations/app/${appId}`]
        yield* temporal.call((client) => client.schedule.getHandle(scheduleId(periodic)).delete())
        for (const workflowId of workflowIds) {
          yield* temporal.call((client) =>
            client.workflowService.deleteWorkflowExecution({
              namespace: temporal.settings.namespace,
              workflowExecution: { workflowId }
            })
          )
          const described = temporal.call((client) => client.workflow.getHandle(workflowId).describe())
          yield* eventually("gone", Effect.isSuccess(described), (there) => !there)
        }
        yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute' WHERE run_id = ${run!.run_id}::bigint`
        const reconciliation = yield* eventually("reconciled", reconcile.run(false), (r) => r.runs_started === 1)
        assert.strictEqual(reconciliation.runs_cancelled, 0)
        yield* scheduleBack(periodic)
        yield* endDelays(id)
        const [after] = yield* runsOver(id)
        assert.strictEqual(after!.status, "completed")
        // The app's actor is there again for the next event.
        yield* createRecord(token, appId, {})
        yield* eventually("a second run", runsOf(id), (rows) => rows.length === 2)
      })
  )

  it.effect("a run shows its steps by their types, where it is and why it waits; a failed one its cause", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const script = (code: string, more: object = {}) => ({ type: "custom_code", ...more, config: { code: [code] } })
      const list = {
        type: "custom_variable",
        custom_name: "The list",
        config: { assignment_code: ["[1, 2]"], custom_variable_defs: [{ custom_type: "any", label: "list" }] }
      }
      const iterable = { kind: "variable", source: "custom", custom_type: "any", label: "list" }
      const each = { type: "for_loop", config: { iterable, action_rows: [script("return 1", { custom_name: "Ask" })] } }
      const waitsId = yield* automate(token, appId, {
        name: "Waits",
        trigger: created,
        actions: [
          list,
          each,
          script("throw new Error('bad luck')", { continue_on_error: true }),
          delay(3_600_000),
          setText(ref, "x")
        ]
      })
      const failsId = yield* automate(token, appId, {
        name: "Fails",
        trigger: created,
        actions: [setText(ref, "begun"), { ...list, config: { ...list.config, assignment_code: ["nothing()"] } }]
      })
      yield* createRecord(token, appId, { reference: "R-7" })
      const [run] = yield* awaitRun(waitsId)
      const until = run!.wait_until!.toISOString()
      const workflowShape = yield* eventually(
        "a timer",
        workflowView(runWorkflowId({ automation_id: waitsId, run_id: run!.run_id })),
        ({ details, timers }) => timers.length > 0 && details.includes(`until ${until}`)
      )
      assert.strictEqual(workflowShape.summary, "Waits · Record created · R-7")
      assert.deepStrictEqual(workflowShape.details.split("\n"), [
        "Waits",
        "",
        "- ✓ The list (`custom_variable`)",
        "- ✓ Loop (`for_loop`), 2 items",
        "  - Ask (`custom_code`)",
        "- ✗ Run code (`custom_code`)",
        `- ▶ Delay (\`delay\`), until ${until}`,
        "- · Update current record (`current_record_update`)",
        "",
        "Last error: Error: bad luck (line 1, column 7)"
      ])
      // A step of its own has its type's name, and that of a loop takes the turns behind it along; what a process that is busy leaves is
      // asked for once more.
      const outside = workflowShape.steps.filter((one) => one !== "executeSegment ")
      assert.deepStrictEqual(outside, [`custom_code "Ask, item 1"`, `custom_code "Run code"`])
      assert.deepStrictEqual(workflowShape.failedSteps, ["Error: bad luck (line 1, column 7)"])
      assert.strictEqual(workflowShape.about, workflowShape.summary)
      assert.strictEqual(workflowShape.mayBeDone, interventionDetails("automationRun"))
      assert.deepStrictEqual(workflowShape.timers, [`"Delay until ${until}"`])
      // A plain run that fails gets its workflow when it is over, and says the same.
      const [over] = yield* runsOver(failsId)
      const id = runWorkflowId({ automation_id: failsId, run_id: over!.run_id })
      const viewFailed = Effect.orElseSucceed(workflowView(id), () => null)
      const failed = yield* eventually("its workflow", viewFailed, (one) => one?.status === "FAILED")
      assert.strictEqual(failed!.summary, "Fails · Record created · R-7")
      assert.match(
        failed!.details,
        /- ✓ Update current record.*\n- ✗ The list.*\n\nLast error: ReferenceError: nothing is/
      )
      assert.match(failed!.failure!, /^ReferenceError: nothing is not defined/)
      // That it was cancelled stands in the log.
      const app = yield* App
      const cancelled = yield* app.call("POST", `/v1/automation-run/${run!.run_id}/cancel`, { token })
      assert.strictEqual(cancelled.status, 202, cancelled.text)
      const [end] = yield* runsOver(waitsId)
      const { messages: said, status, type } = end!.logs.at(-1)
      assert.deepStrictEqual([type, status, said[0].message], ["exception", "cancelled", "The run was cancelled."])
    })
  )

  it.effect("an actor may be cancelled, terminated and reset: it takes the next event all the same", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "seen")] })
      const workflowId = `automations/app/${appId}`
      const handle = yield* Effect.map(temporal.client, (client) => client.workflow.getHandle(workflowId))
      const acts = [
        Effect.promise(() => handle.cancel()),
        Effect.promise(() => handle.terminate("by an operator")),
        reset(workflowId)
      ]
      for (const [index, act] of acts.entries()) {
        // It lingers behind what it has just done: it is open.
        yield* createRecord(token, appId, {})
        yield* runsOver(id, 2 * index + 1)
        yield* Effect.exit(act)
        yield* createRecord(token, appId, {})
        const runs = yield* runsOver(id, 2 * index + 2)
        assert.isTrue(runs.every(({ status }) => status === "completed"))
      }
      assert.strictEqual((yield* runsOf(id)).length, 6)
    })
  )

  it.effect("a tick may be reset: an instant fires once; a paused schedule stays so, a leftover one goes", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const sql = yield* SqlClient.SqlClient
      const reconcile = yield* Reconcile
      const { appId, token } = yield* setting
      const id = yield* automate(token, appId, {
        trigger: {
          type: "periodic",
          config: { schedule_type: "interval", interval_amount: 59, interval_unit: "minute" }
        },
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      })
      const schedule = yield* Effect.map(temporal.client, (client) => client.schedule.getHandle(scheduleId(id)))
      const described = Effect.tryPromise(() => schedule.describe())
      yield* eventually("a schedule", Effect.isSuccess(described), (there) => there)
      // In this order: what has put the schedule arms it once more, from its activation on.
      yield* sql`UPDATE automations SET activated_on = activated_on - interval '1 hour' WHERE automation_id = ${id}`
      yield* sql`UPDATE automation_schedules SET armed_on = armed_on - interval '1 hour' WHERE automation_id = ${id}`
      yield* Effect.promise(() => schedule.trigger())
      yield* runsOver(id)
      const ticks = temporal.call(async (client) => {
        const completedTicks: Array<{ workflowId: string; runId: string }> = []
        const query = `WorkflowType = "automationTick" AND Automation = "${id}" AND ExecutionStatus = "Completed"`
        for await (const { runId, workflowId } of client.workflow.list({ query }))
          completedTicks.push({ workflowId, runId })
        return completedTicks
      })
      // Of the schedule's own accord another may come, at the second that follows its activation.
      const [tick] = yield* eventually("a tick is over", ticks, (over) => over.length > 0)
      const newRunId = yield* reset(tick!.workflowId)
      yield* eventually("over again", ticks, (over) => over.some(({ runId }) => runId === newRunId))
      assert.strictEqual((yield* runsOf(id)).length, 1)
      yield* Effect.promise(() => schedule.pause("by an operator"))
      const nobodys = scheduleId(987_654)
      yield* temporal.call((client) =>
        client.schedule.create({
          scheduleId: nobodys,
          spec: {},
          action: { type: "startWorkflow", workflowType: "automationTick", taskQueue: "nobody", args: [987_654] }
        })
      )
      const describeLeftover = temporal.call((client) => client.schedule.getHandle(nobodys).describe())
      const isListed = Effect.andThen(reconcile.run(true), Effect.isSuccess(describeLeftover))
      yield* eventually("the leftover one is removed", isListed, (there) => !there)
      assert.isTrue((yield* described).state.paused)
      assert.strictEqual((yield* runsOf(id)).length, 1)
    })
  )
})
