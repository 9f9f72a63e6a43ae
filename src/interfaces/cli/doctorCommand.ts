// `doctor`: checks everything that an installation needs, also while Postgres or Temporal is away or a setting is wrong, and says of each
// thing its state and what to do (decisions P1, P2, P10; docs/operations.md). Exit code 1 where something is wrong.
import { type Cause, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { envFileProblems } from "../../../bin/parts/environment.js"
import { PeriodicTicks } from "../../domain/automations/schedules/PeriodicTicks.ts"
import { Outbox } from "../../engine/outbox/Outbox.ts"
import { RelayWake } from "../../engine/outbox/RelayWake.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { briefly, type Diagnosis, fine, wrong } from "./doctor/Diagnosis.ts"
import { databaseChecks } from "./doctor/databaseChecks.ts"
import { machineChecks } from "./doctor/machineChecks.ts"
import { poolerChecks } from "./doctor/poolerChecks.ts"
import { temporalChecks } from "./doctor/temporalChecks.ts"
import { workChecks } from "./doctor/workChecks.ts"
import { onePool } from "./onePool.ts"
import { failWith, json, print } from "./output.ts"

const REACH = "10 seconds"

const Ticks = PeriodicTicks.layer.pipe(Layer.provide(Outbox.layer), Layer.provide(RelayWake.layer))
const Database = Layer.mergeAll(Ticks, Secrets.layer).pipe(Layer.provideMerge(onePool))

const connection = (state: Pick<Diagnosis, "state" | "summary" | "todo">): Diagnosis => ({
  ...{ area: "postgres", what: "connection" },
  ...state
})

const reportUnreachable = (cause: Cause.Cause<unknown>) =>
  connection(
    wrong(
      `does not answer at DATABASE_URL: ${briefly(cause)}`,
      "Start it, or check address, password, certificates and network: until then every request is refused with 503."
    )
  )

const pingDatabase = Effect.flatMap(Sql, (sql) => sql`SELECT 1`)

/** Runs all checks with the settings in force. */
const everything = Effect.gen(function* () {
  const machine = yield* Effect.all(machineChecks, { concurrency: 4 })
  const databaseExit = yield* Layer.build(Database).pipe(
    Effect.tap((context) => Effect.provideContext(pingDatabase, context)),
    Effect.timeout(REACH),
    Effect.exit
  )
  if (databaseExit._tag === "Failure")
    return [...machine, reportUnreachable(databaseExit.cause), ...(yield* temporalChecks<never>(null))]
  const context = databaseExit.value
  // Two connections, one check after another on each: an ill database is not to be made worse.
  const rows = yield* Effect.provideContext(
    Effect.all([...databaseChecks, ...poolerChecks, ...workChecks], { concurrency: 2 }),
    context
  )
  const temporal = yield* temporalChecks((effect) => Effect.provideContext(effect, context))
  return [...machine, connection(fine("answers")), ...rows, ...temporal]
})

const wrongSettings = (problems: ReadonlyArray<string>, todo: string) =>
  problems.map((problem): Diagnosis => ({ area: "settings", what: problem.split(":", 1)[0]!, ...wrong(problem, todo) }))

const findings = Effect.gen(function* () {
  const names = wrongSettings(envFileProblems(), "Correct it: until then nothing starts (decisions P15).")
  const config = yield* Effect.result(Layer.build(AppConfig.layer))
  if (config._tag === "Failure") {
    const todo = "Correct it, and run doctor again: nothing else can be checked before. `config print` shows all."
    return [...names, ...wrongSettings(config.failure.problems, todo)]
  }
  const settings: Diagnosis = { area: "settings", what: "all", ...fine("can be read") }
  return [...names, settings, ...(yield* Effect.provideContext(everything, config.success))]
})

const SIGN = { fine: "ok", warning: "warning", wrong: "WRONG" } as const

/** Run without the services of the other commands, which would not start without the database. */
export const doctorCommand = Command.make("doctor", { json }, ({ json }) =>
  Effect.gen(function* () {
    const allFindings = yield* findings
    const bad = allFindings.filter(({ state }) => state === "wrong").length
    yield* json
      ? print(true, { ok: bad === 0, findings: allFindings })
      : print(
          false,
          allFindings.map(({ area, state, todo, summary, what }) => ({
            "": SIGN[state],
            what: `${area}: ${what}`,
            result: todo === null ? summary : `${summary}\n-> ${todo}`
          }))
        )
    if (bad > 0) return yield* failWith({ message: `${bad} of ${allFindings.length} things are wrong.` })
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Check settings, keys, Postgres, Temporal, workers, backlogs, mail and machine; say what is wrong and what to do"
  )
)
