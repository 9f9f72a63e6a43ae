// How Temporal is: reached, namespace and its retention, search attributes, workers that poll, schedules that are there. It creates nothing.
import { Client, Connection, type ConnectionOptions } from "@temporalio/client"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { load, type TemporalSettings } from "../../../../temporal.config.ts"
import { PeriodicTicks } from "../../../domain/automations/schedules/PeriodicTicks.ts"
import { scheduleId } from "../../../domain/automations/schedules/TemporalSchedules.ts"
import { epochInForce } from "../../../engine/epoch/installationRow.ts"
import { prefixOf } from "../../../engine/temporal/Epoch.ts"
import { unknownAttributes } from "../../../engine/temporal/namespace.ts"
import { briefly, type Diagnosis, fine, look, type Told, warning, wrong } from "./Diagnosis.ts"

const REACH = "10 seconds"
/** Our runs are kept in Postgres for 30 days; a shorter time here takes histories from operators. */
const RETENTION_DAYS = 7
const UNTIL_THEN =
  "Writes go on without it, and nothing is worked on. Check TEMPORAL_ADDRESS, the certificates, and whether it runs (docs/operations.md)."
/** Of `TaskQueueType`. */
const WORKFLOWS = 1
const ACTIVITIES = 2
/** Of many. */
const NAMED = 10

const connect = (settings: TemporalSettings) =>
  Effect.acquireRelease(
    Effect.tryPromise((signal) =>
      Promise.race([
        Connection.connect(settings.connection as ConnectionOptions),
        new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))))
      ])
    ).pipe(Effect.timeout(REACH)),
    (connection) => Effect.promise(() => connection.close())
  )

const days = (seconds: unknown) => Number(seconds ?? 0) / 86_400

const looksAt = (connection: Connection, { namespace, queues }: TemporalSettings) => {
  const { workflowService } = connection
  const ask = <A>(f: () => Promise<A>) => Effect.tryPromise({ try: f, catch: (cause) => cause })

  const described = Effect.map(
    ask(() => workflowService.describeNamespace({ namespace })),
    ({ config }): Told => {
      const kept = days(config?.workflowExecutionRetentionTtl?.seconds)
      const told = `${namespace} keeps closed workflows for ${kept} days`
      return kept < RETENTION_DAYS
        ? warning(told, "Operators lose histories early: raise the namespace's retention.")
        : fine(told)
    }
  )
  const server = Effect.map(
    ask(() => workflowService.getSystemInfo({})),
    ({ serverVersion }) => fine(`Temporal ${serverVersion}`)
  )
  const attributes = Effect.map(unknownAttributes(connection, namespace), (missing): Told => {
    if (missing.length === 0) return fine("all are there")
    const how = missing.map((name) => `--name ${name} --type Keyword`).join(" ")
    const todo = `temporal operator search-attribute create --namespace ${namespace} ${how}`
    return wrong(`missing: ${missing.join(", ")}`, todo)
  })
  const pollers = (name: string, taskQueueType: number) =>
    Effect.map(
      ask(() => workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType })),
      ({ pollers: found }): Told => {
        const who = new Set((found ?? []).map(({ identity }) => identity))
        return who.size === 0
          ? wrong(`nobody polls ${name}`, "Start a process with ROLE=worker or all.")
          : fine(`${who.size} process(es) poll ${name}`)
      }
    )
  const schedules = Effect.gen(function* () {
    const armed = yield* PeriodicTicks.use((ticks) => ticks.armed())
    const client = new Client({ connection, namespace })
    const there = yield* ask(async () => {
      const found = new Set<string>()
      for await (const one of client.schedule.list()) found.add(one.scheduleId)
      return found
    })
    const prefix = prefixOf(yield* epochInForce)
    const missing = armed.filter(({ automation_id }) => !there.has(prefix + scheduleId(automation_id)))
    if (missing.length === 0) return fine(`all ${armed.length} are there`)
    const ids = missing.slice(0, NAMED).map(({ automation_id }) => automation_id)
    return wrong(
      `${missing.length} are missing, of automations ${ids.join(", ")}`,
      "npm run cli -- reconcile makes them."
    )
  })
  return {
    alone: [
      look("temporal", "server", server, UNTIL_THEN),
      look("temporal", "namespace", described, `Start a worker, which creates ${namespace}, or create it.`),
      look("temporal", "search attributes", attributes, UNTIL_THEN),
      look("temporal", "workers", pollers(queues.actors, ACTIVITIES), UNTIL_THEN),
      look("temporal", "workflow workers", pollers(queues.actors, WORKFLOWS), UNTIL_THEN),
      look("temporal", "outside workers", pollers(queues.outside, ACTIVITIES), UNTIL_THEN)
    ],
    withDatabase: [look("temporal", "schedules", schedules, UNTIL_THEN)]
  }
}

const DYNAMIC: Diagnosis = {
  area: "temporal",
  what: "dynamic configuration",
  ...fine("no client may read it: on a cluster of your own, history.transferProcessorMaxPollRPS wants to be 1000")
}

/** @param overDatabase whether schedules can be compared, and with what; null: Postgres is away */
export const temporalFindings = <R>(
  overDatabase:
    | null
    | (<A>(effect: Effect.Effect<A, never, PeriodicTicks | SqlClient.SqlClient>) => Effect.Effect<A, never, R>)
) =>
  Effect.gen(function* () {
    const settings = load()
    const { address } = settings.connection
    const reached = yield* Effect.exit(connect(settings))
    const told =
      reached._tag === "Success"
        ? fine(`reached at ${address}`)
        : wrong(`not reached at ${address}: ${briefly(reached.cause)}`, UNTIL_THEN)
    const first: Diagnosis = { area: "temporal", what: "connection", ...told }
    if (reached._tag === "Failure") return [first]
    const looks = looksAt(reached.value, settings)
    const alone = yield* Effect.all(looks.alone, { concurrency: "unbounded" })
    const compared = overDatabase === null ? [] : yield* Effect.forEach(looks.withDatabase, (one) => overDatabase(one))
    return [first, ...alone, ...compared, DYNAMIC]
  }).pipe(Effect.scoped)
