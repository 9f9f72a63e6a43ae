// `webhook statistics`: what became of the executions of a hook, an app's hooks or an organization's, by time, as the API has it.
import { Clock, Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { HookStatistics } from "../../domain/webhooks/statistics/HookStatistics.ts"
import type { OutcomeCounts, StatisticsOf } from "../../domain/webhooks/statistics/Statistics.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { failWith, instant, json, print } from "./output.ts"

const DAY = 86_400_000

const lineOf = ({ latency_ms, ...counts }: OutcomeCounts) => ({ ...counts, ...latency_ms })

const tables = { hook: "hooks", app: "apps", organization: "organizations" } as const
const keys = { hook: "hook_id", app: "app_id", organization: "org_id" } as const

const requireExisting = Effect.fnUntraced(function* ({ id, kind }: StatisticsOf) {
  const sql = yield* Sql
  const rows = yield* sql`SELECT 1 FROM ${sql(tables[kind])} WHERE ${sql(keys[kind])} = ${String(id)}::numeric`
  if (rows.length === 0) return yield* failWith({ message: `No ${kind} with id ${id}.` })
})

export const webhookStatistics = Command.make(
  "statistics",
  {
    hook: Argument.Int("hook_id").pipe(Argument.optional),
    app: Flag.Int("app").pipe(Flag.withDescription("All hooks of this app"), Flag.optional),
    organization: Flag.Int("org").pipe(Flag.withDescription("All hooks of this organization"), Flag.optional),
    since: Flag.String("since").pipe(Flag.withDescription("The last day, unless given"), Flag.optional),
    before: Flag.String("before").pipe(Flag.withDescription("A time, not included"), Flag.optional),
    step: Flag.Literals("step", ["minute", "hour", "day"]).pipe(Flag.withDefault("hour")),
    json
  },
  Effect.fnUntraced(function* ({ app, before, hook, json, organization, since, step }) {
    const named = Object.entries({ hook, app, organization }).flatMap(([kind, id]) =>
      Option.isSome(id) ? [{ kind, id: id.value } as StatisticsOf] : []
    )
    const [of] = named
    if (of === undefined || named.length > 1)
      return yield* failWith({ message: "Name one: a hook's id, --app or --org." })
    yield* requireExisting(of)
    const end = Option.isSome(before) ? yield* instant(before.value) : new Date(yield* Clock.currentTimeMillis)
    const begin = Option.isSome(since) ? yield* instant(since.value) : new Date(end.getTime() - DAY)
    const service = yield* HookStatistics
    const read = yield* service.read(of, { since: begin, before: end, step })
    if (json) return yield* print(true, read)
    yield* print(false, { ...lineOf(read.total), ...read.backlog })
    if (read.points.length === 0) return
    yield* Console.log("")
    yield* print(
      false,
      read.points.map(({ from, ...point }) => ({ from, ...lineOf(point) }))
    )
  })
).pipe(Command.withDescription("Executions by outcome and time, latencies in milliseconds, and what waits now"))
