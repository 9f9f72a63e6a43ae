// Checks Temporal: connection, namespace and its retention, search attributes, polling workers, existing schedules. Creates nothing.
import type { Connection } from "@temporalio/client"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { ELSEWHERE } from "../../../../bin/parts/settings.js"
import { load, type TemporalSettings } from "../../../../temporal.config.ts"
import { PeriodicTicks } from "../../../domain/automations/schedules/PeriodicTicks.ts"
import { scheduleId } from "../../../domain/automations/schedules/TemporalSchedules.ts"
import { epochInForce } from "../../../engine/epoch/installationRow.ts"
import { prefixOf } from "../../../engine/temporal/Epoch.ts"
import { unknownAttributes } from "../../../engine/temporal/namespace.ts"
import { briefly, type CheckResult, check, type Diagnosis, fine, warning, wrong } from "./Diagnosis.ts"
import { asking, connectTo, works } from "./temporalReach.ts"

/** Our runs are kept in Postgres for 30 days; a shorter time here takes histories from operators. */
const RETENTION_DAYS = 7
const UNTIL_THEN =
  "Writes go on without it, and nothing is worked on. Check TEMPORAL_ADDRESS, the certificates, and whether it runs (docs/operations.md)."
/** Values of `TaskQueueType`. */
const WORKFLOWS = 1
const ACTIVITIES = 2
/** Automations that a finding names at most. */
const NAMED = 10

const days = (seconds: unknown) => Number(seconds ?? 0) / 86_400

const checksOf = (connection: Connection, { namespace, queues }: TemporalSettings) => {
  const { workflowService } = connection
  const ask = asking(connection)

  const described = Effect.map(
    ask(() => workflowService.describeNamespace({ namespace })),
    ({ config }): CheckResult => {
      const kept = days(config?.workflowExecutionRetentionTtl?.seconds)
      const summary = `${namespace} keeps closed workflows for ${kept} days`
      return kept < RETENTION_DAYS
        ? warning(summary, "Operators lose histories early: raise the namespace's retention.")
        : fine(summary)
    }
  )
  const server = Effect.map(
    ask(() => workflowService.getSystemInfo({})),
    ({ serverVersion }) => fine(`Temporal ${serverVersion}`)
  )
  const attributes = Effect.map(unknownAttributes(connection, namespace), (missing): CheckResult => {
    if (missing.length === 0) return fine("all are there")
    const how = missing.map((name) => `--name ${name} --type Keyword`).join(" ")
    const todo = `temporal operator search-attribute create --namespace ${namespace} ${how}`
    return wrong(`missing: ${missing.join(", ")}`, todo)
  })
  const pollers = (name: string, taskQueueType: number) =>
    Effect.map(
      ask(() => workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType })),
      ({ pollers: found }): CheckResult => {
        const who = new Set((found ?? []).map(({ identity }) => identity))
        return who.size === 0
          ? wrong(`nobody polls ${name}`, "Start a process with ROLE=worker or all.")
          : fine(`${who.size} process(es) poll ${name}`)
      }
    )
  const schedules = Effect.gen(function* () {
    const armed = yield* PeriodicTicks.use((ticks) => ticks.armed())
    const { Client } = yield* Effect.promise(() => import("@temporalio/client"))
    const client = new Client({ connection, namespace })
    const existingIds = yield* ask(async () => {
      const scheduleIds = new Set<string>()
      for await (const schedule of client.schedule.list()) scheduleIds.add(schedule.scheduleId)
      return scheduleIds
    })
    const prefix = prefixOf(yield* epochInForce)
    const missing = armed.filter(({ automation_id }) => !existingIds.has(prefix + scheduleId(automation_id)))
    if (missing.length === 0) return fine(`all ${armed.length} are there`)
    const ids = missing.slice(0, NAMED).map(({ automation_id }) => automation_id)
    return wrong(
      `${missing.length} are missing, of automations ${ids.join(", ")}`,
      "npm run cli -- reconcile makes them."
    )
  })
  return {
    alone: [
      check("temporal", "server", server, UNTIL_THEN),
      check("temporal", "namespace", described, `Start a worker, which creates ${namespace}, or create it.`),
      check("temporal", "search attributes", attributes, UNTIL_THEN),
      check("temporal", "workers", pollers(queues.actors, ACTIVITIES), UNTIL_THEN),
      check("temporal", "workflow workers", pollers(queues.actors, WORKFLOWS), UNTIL_THEN),
      check("temporal", "outside workers", pollers(queues.outside, ACTIVITIES), UNTIL_THEN)
    ],
    withDatabase: [check("temporal", "schedules", schedules, UNTIL_THEN)]
  }
}

/** A namespace that nobody has made yet is no fault of the server. */
const isMissing = (why: string) => {
  const text = why.toLowerCase()
  const namespaceIndex = text.indexOf("namespace ")
  return namespaceIndex >= 0 && text.includes("not found", namespaceIndex)
}

const notYet = (namespace: string) =>
  wrong(`has no namespace ${namespace}`, `Start a worker, which creates ${namespace}, or create it.`)

const notWorking = (why: string): Diagnosis => ({
  area: "temporal",
  what: "work",
  ...wrong(
    `its port answers and it does not work: ${why}`,
    `Restart Temporal. npm start does so by itself with the embedded one after ${ELSEWHERE.PART_RESTART_SECONDS} s and says so; it keeps nothing that Postgres has not, so where that does not help stop Millrace, remove temporal/ in DATA_DIR, and start again. Read logs/temporal.log there.`
  )
})

const DYNAMIC: Diagnosis = {
  area: "temporal",
  what: "dynamic configuration",
  ...fine("no client may read it: on a cluster of your own, history.transferProcessorMaxPollRPS wants to be 1000")
}

/** @param overDatabase whether schedules can be compared, and with what; null: Postgres is away */
export const temporalChecks = <R>(
  overDatabase:
    | null
    | (<A>(effect: Effect.Effect<A, never, PeriodicTicks | SqlClient.SqlClient>) => Effect.Effect<A, never, R>)
) =>
  Effect.gen(function* () {
    const settings = load()
    const { address } = settings.connection
    const connection = yield* connectTo(settings)
    const reached = yield* Effect.exit(asking(connection)(() => connection.workflowService.getSystemInfo({})))
    const reachFinding =
      reached._tag === "Success"
        ? fine(`reached at ${address}`)
        : wrong(`not reached at ${address}: ${briefly(reached.cause)}`, UNTIL_THEN)
    const connectionDiagnosis: Diagnosis = { area: "temporal", what: "connection", ...reachFinding }
    if (reached._tag === "Failure") return [connectionDiagnosis]
    const working = yield* Effect.result(works(connection, settings.namespace))
    // Whatever else is asked fails for the same reason, and each would advise something else.
    if (working._tag === "Failure" && !isMissing(working.failure))
      return [connectionDiagnosis, notWorking(working.failure)]
    const second: Diagnosis = {
      area: "temporal",
      what: "work",
      ...(working._tag === "Success" ? fine("answers calls that do its work") : notYet(settings.namespace))
    }
    const checks = checksOf(connection, settings)
    const temporalDiagnoses = yield* Effect.all(checks.alone, { concurrency: "unbounded" })
    const compared = overDatabase === null ? [] : yield* Effect.forEach(checks.withDatabase, (one) => overDatabase(one))
    return [connectionDiagnosis, second, ...temporalDiagnoses, ...compared, DYNAMIC]
  }).pipe(Effect.scoped)
