// `parts`: whether Postgres and Temporal work, by the calls that health and `doctor` judge them by (decisions P12). The launcher asks it where
// the service does not say.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { AppConfig } from "../../platform/config/Config.ts"
import { postgresLiveness } from "../../platform/sql/postgresLiveness.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { askTemporal } from "./doctor/temporalReach.ts"
import { onePool } from "./onePool.ts"
import { failWith, json, print } from "./output.ts"

const postgres = Effect.flatMap(Sql, postgresLiveness).pipe(
  Effect.provide(onePool),
  Effect.catchCause(() => Effect.succeed({ ok: false, detail: "takes no connection" }))
)

/** Run without the services of the other commands, which would not start without the database. */
export const partsCommand = Command.make("parts", { json }, ({ json }) =>
  Effect.gen(function* () {
    const [first, second] = yield* Effect.all([postgres, askTemporal], { concurrency: 2 })
    const parts = [
      { part: "postgres", ...first },
      { part: "temporal", ...second }
    ]
    yield* print(json, parts)
    const bad = parts.filter(({ ok }) => !ok).map(({ part }) => part)
    if (bad.length > 0)
      return yield* failWith({ message: `${bad.join(" and ")} ${bad.length === 1 ? "does" : "do"} not work.` })
  }).pipe(Effect.provide(AppConfig.layer))
).pipe(Command.withDescription("Whether Postgres and Temporal work, by calls that do their work"))
