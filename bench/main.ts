// npm run bench [-- NAME]: measures this service and a peer alternately in one run, on the same Postgres. Only ratios count:
// machines differ, and so does one machine from minute to minute.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg, totalmem } from "node:os"
import { dirname, join } from "node:path"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Logger, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { consoleEditor } from "./checks/console/editor.ts"
import { consoleFirstLoad } from "./checks/console/firstLoad.ts"
import { consoleGrid } from "./checks/console/grid.ts"
import { consoleRun } from "./checks/console/longRun.ts"
import { freeze } from "./checks/freeze.ts"
import { growth } from "./checks/growth.ts"
import { hanging } from "./checks/hanging.ts"
import { history } from "./checks/history.ts"
import { largeImport } from "./checks/largeImport.ts"
import { largeLog } from "./checks/largeLog.ts"
import { largeRuns } from "./checks/largeRuns.ts"
import { listing } from "./checks/listing.ts"
import { listingGrowth } from "./checks/listingGrowth.ts"
import { overload } from "./checks/overload.ts"
import { search } from "./checks/search.ts"
import { searchWrites } from "./checks/searchWrites.ts"
import { soak } from "./checks/soak.ts"
import { stuck } from "./checks/stuck.ts"
import { waitingRuns } from "./checks/waitingRuns.ts"
import { workersAddUp } from "./checks/workersAddUp.ts"
import { automationRows } from "./rows/automations.ts"
import { besideRows } from "./rows/beside.ts"
import { clickRows } from "./rows/clickToToken.ts"
import { directusRows } from "./rows/directus.ts"
import { everydayRows } from "./rows/everyday.ts"
import { httpRows } from "./rows/http.ts"
import { listingRows } from "./rows/listing.ts"
import { metaRows } from "./rows/meta.ts"
import { oauthRows } from "./rows/oauth.ts"
import { outsideRows } from "./rows/outside.ts"
import { pocketBaseRows } from "./rows/pocketbase.ts"
import { productRows } from "./rows/products.ts"
import { webhookRows } from "./rows/webhooks.ts"
import { type Check, holds, readings } from "./support/Check.ts"
import { looked } from "./support/looked.ts"
import { root } from "./support/machine.ts"
import { BenchFailed, ProductMissing, type Row } from "./support/Row.ts"
import { markdown, type Round, summarize } from "./support/statistics.ts"

const rows: ReadonlyArray<Row> = [
  ...httpRows,
  ...metaRows,
  ...everydayRows,
  ...listingRows,
  ...oauthRows,
  ...clickRows,
  ...automationRows,
  ...outsideRows,
  ...besideRows,
  ...webhookRows,
  ...productRows,
  ...pocketBaseRows,
  ...directusRows
]
/** Checks that have no peer and take longer: each runs only if it is named. */
const checks: ReadonlyArray<Check> = [
  consoleEditor,
  consoleFirstLoad,
  consoleGrid,
  consoleRun,
  freeze,
  growth,
  hanging,
  history,
  largeImport,
  largeLog,
  largeRuns,
  listing,
  listingGrowth,
  overload,
  search,
  searchWrites,
  soak,
  stuck,
  waitingRuns,
  workersAddUp
]
const RATIO_SECONDS = 8

const flags = {
  name: Argument.Literals(
    "name",
    [...rows, ...checks].map(({ name }) => name)
  ).pipe(Argument.withDescription("A row, all rows without it; or a check, which has no peer"), Argument.optional),
  rounds: Flag.Int("rounds").pipe(Flag.withDescription("Rounds; each measures both sides"), Flag.withDefault(5)),
  seconds: Flag.Int("seconds").pipe(
    Flag.withDescription(`Length of one measurement (rows ${RATIO_SECONDS}, checks their own)`),
    Flag.optional
  ),
  kind: Flag.Literals(
    "kind",
    checks.flatMap(({ kinds = [] }) => kinds)
  ).pipe(Flag.withDescription("Only this kind of what a check measures"), Flag.optional),
  records: Flag.Int("records").pipe(Flag.withDescription("Records of a check that says so"), Flag.optional),
  output: Flag.String("output").pipe(Flag.withDescription("File that takes the result as JSON"), Flag.optional),
  statements: Flag.Boolean("statements").pipe(
    Flag.withDescription("Tell what the database did, statement by statement"),
    Flag.withDefault(false)
  ),
  inspect: Flag.Int("inspect").pipe(
    Flag.withDescription("Port at which Node's inspector of the service listens, for a profile"),
    Flag.optional
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for scripts"), Flag.withDefault(false))
}

const packageOf = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"))

const circumstances = () => ({
  measured_on: new Date().toISOString().slice(0, 10),
  node: process.version,
  effect: packageOf("package.json").dependencies.effect,
  peers: packageOf("bench/package.json").dependencies,
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  load_at_start: loadavg()[0]?.toFixed(1)
})

const say = (line: string) => process.stderr.write(`${line}\n`)

const measure = Effect.fnUntraced(function* (row: Row, rounds: number, seconds: number) {
  say(`${row.name}: ${row.work}`)
  const sides = yield* row.prepare
  // Each side runs warm before it counts.
  yield* sides.warm ?? Effect.andThen(sides.ours(Math.min(3, seconds)), sides.peer(Math.min(3, seconds)))
  const finishedRounds: Array<Round> = []
  for (let i = 0; i < rounds; i++) {
    const order = i % 2 === 0 ? (["ours", "peer"] as const) : (["peer", "ours"] as const)
    const round: Record<string, Round["ours"]> = {}
    for (const side of order) round[side] = yield* sides[side](seconds)
    const fullRound = round as unknown as Round
    finishedRounds.push(fullRound)
    say(`  round ${i + 1}: ours ${JSON.stringify(fullRound.ours)}, peer ${JSON.stringify(fullRound.peer)}`)
  }
  return summarize(row, finishedRounds)
}, Effect.scoped)

/** A row whose peer cannot be had is left out, and says so. */
const orLeftOut = <A, E, R>({ name }: Row, summary: Effect.Effect<A, E, R>) =>
  summary.pipe(
    Effect.map((one) => [one]),
    Effect.catchIf(
      (error): error is Extract<E, ProductMissing> => error instanceof ProductMissing,
      ({ message }) =>
        Effect.as(
          Effect.sync(() => say(`${name} is left out: ${message}`)),
          []
        )
    )
  )

const keep = (file: Option.Option<string>, result: object) => {
  if (Option.isNone(file)) return
  mkdirSync(dirname(file.value), { recursive: true })
  writeFileSync(file.value, `${JSON.stringify(result, undefined, 2)}\n`)
}

/** A check whose bounds are not kept fails the command. */
const inspect = Effect.fnUntraced(function* (
  check: Check,
  options: {
    readonly seconds: Option.Option<number>
    readonly kind: Option.Option<string>
    readonly records: Option.Option<number>
    readonly output: Option.Option<string>
    readonly json: boolean
  }
) {
  say(`${check.name}: ${check.work}`)
  const about = circumstances()
  const seconds = Option.getOrElse(options.seconds, () => check.seconds)
  const read = yield* check.run(seconds, (line) => say(`  ${line}`), {
    ...(Option.isSome(options.kind) ? { kind: options.kind.value } : {}),
    ...(Option.isSome(options.records) ? { records: options.records.value } : {})
  })
  const result = { ...about, check: check.name, seconds, readings: read }
  keep(options.output, result)
  yield* Console.log(options.json ? JSON.stringify(result, undefined, 2) : readings(check.name, read))
  if (!options.json) yield* Console.log(`\n${JSON.stringify(about)}`)
  if (!read.every(holds)) return yield* new BenchFailed({ message: `${check.name} does not keep its bounds` })
})

const command = Command.make("bench", flags, (options) =>
  Effect.gen(function* () {
    const about = circumstances()
    if (options.statements) looked.statements = true
    if (Option.isSome(options.inspect)) looked.inspect = options.inspect.value
    const check = checks.find(({ name }) => Option.contains(options.name, name))
    if (check !== undefined) return yield* inspect(check, options)
    const seconds = Option.getOrElse(options.seconds, () => RATIO_SECONDS)
    const selectedRows = rows.filter(({ name }) => Option.isNone(options.name) || options.name.value === name)
    const summaries = yield* Effect.forEach(selectedRows, (row) =>
      orLeftOut(row, measure(row, options.rounds, seconds))
    )
    const result = { ...about, rounds: options.rounds, seconds, rows: summaries.flat() }
    keep(options.output, result)
    yield* Console.log(options.json ? JSON.stringify(result, undefined, 2) : markdown(summaries.flat()))
    if (!options.json) yield* Console.log(`\n${JSON.stringify(about)}`)
  })
).pipe(Command.withDescription("Measure this service and a peer in the same run"))

Command.run(command, { version: "0.2.0" }).pipe(
  Effect.catch((error) =>
    Effect.andThen(
      Console.error(`bench: ${(error as { message?: string }).message ?? String(error)}`),
      Effect.sync(() => {
        process.exitCode = 1
      })
    )
  ),
  Effect.provide(NodeServices.layer),
  Effect.provide(Logger.layer([])),
  NodeRuntime.runMain
)
