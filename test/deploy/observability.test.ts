// deploy/observability: rules are tried by promtool, every alert has its page, and every query of the dashboards is about metrics and
// labels that a running service tells; with a Prometheus at hand each of them returns data.
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "yaml"
import { freePort } from "../../bin/parts/os.js"
import { busyService } from "../support/busyService.ts"
import { eventually } from "../support/eventually.ts"
import { namedIn, seriesIn } from "./promql.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string) => readFileSync(join(root, path), "utf8")
const RULES = "deploy/observability/rules/millrace.yml"
const TESTS = "deploy/observability/tests/millrace.test.yml"
const BOARDS = "deploy/observability/dashboards"

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}
const rules: ReadonlyArray<Rule> = parse(read(RULES)).groups.flatMap(({ rules }: any) => rules)

interface Query {
  readonly where: string
  readonly expr: string
}
/** As Grafana sends them. */
const filled = (expr: string) => expr.replaceAll("$job", ".*").replaceAll("$__rate_interval", "2m")
const boards = readdirSync(join(root, BOARDS)).map((file) => ({ file, board: JSON.parse(read(`${BOARDS}/${file}`)) }))
const queries: ReadonlyArray<Query> = boards.flatMap(({ board, file }) =>
  board.panels.flatMap(({ targets = [], title }: any) =>
    targets.map(({ expr }: any) => ({ where: `${file}, ${title}`, expr: filled(expr) }))
  )
)

const has = (tool: string) => spawnSync(tool, ["--version"]).status === 0

describe("alert rules", () => {
  it("are PromQL, and each has a severity, a page in docs/runbooks that shows it, and no page is left over", () => {
    for (const { alert, annotations, expr, labels } of rules) {
      assert.deepStrictEqual(namedIn(expr).broken, [], alert)
      assert.include(["warning", "critical"], labels.severity, alert)
      assert.strictEqual(annotations["runbook"], `docs/runbooks/${alert}.md`)
      const page = read(`docs/runbooks/${alert}.md`)
      assert.include(page, expr, alert)
      for (const part of ["# What it means", "# Where to look", "# What to do"]) assert.include(page, part, alert)
      for (const [, link] of page.matchAll(/\]\((\w+\.md)\)/g)) read(`docs/runbooks/${link}`)
    }
    assert.deepStrictEqual(
      readdirSync(join(root, "docs/runbooks")).toSorted(),
      [...rules.map(({ alert }) => `${alert}.md`), "README.md"].toSorted()
    )
    const rows = [...read("docs/runbooks/README.md").matchAll(/^\| \[(\w+)\]\(\1\.md\) \| .+ \| (\w+) \|$/gm)]
    assert.deepStrictEqual(
      rows.map(([, alert, severity]) => [alert, severity]),
      rules.map(({ alert, labels }) => [alert, labels.severity]).toSorted()
    )
  })

  it("each has a case that sets it off and one like it that does not", () => {
    const tried = parse(read(TESTS)).tests.flatMap(({ alert_rule_test: cases }: any) =>
      cases.map(({ alertname, exp_alerts: expected }: any) => `${alertname} ${expected.length > 0}`)
    )
    assert.deepStrictEqual(
      tried.toSorted(),
      rules.flatMap(({ alert }) => [`${alert} false`, `${alert} true`]).toSorted()
    )
  })

  it.runIf(has("promtool"))("promtool finds them sound, and their cases as expected", () => {
    execFileSync("promtool", ["check", "rules", join(root, RULES)])
    execFileSync("promtool", ["test", "rules", join(root, TESTS)])
  })
})

describe("dashboards", () => {
  it("have an id and a title each, and every query is PromQL with the job that is chosen", () => {
    assert.strictEqual(new Set(boards.map(({ board }) => board.uid)).size, boards.length)
    assert.isAbove(queries.length, 60)
    for (const { expr, where } of queries) assert.deepStrictEqual(namedIn(expr).broken, [], where)
    for (const { board, file } of boards) {
      for (const { datasource, targets = [], title } of board.panels) {
        if (targets.length === 0) continue
        assert.strictEqual(datasource.uid, `\${datasource}`, title)
        for (const { expr } of targets) assert.include(expr, 'job=~"$job"', `${file}, ${title}`)
      }
    }
  })
})

/** Collects from the service every second, for as long as the scope is open; answers what a query returns. */
const prometheus = Effect.fnUntraced(function* (target: string) {
  const dir = mkdtempSync(join(tmpdir(), "millrace-prometheus-"))
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  const config = {
    scrape_configs: [{ job_name: "millrace", scrape_interval: "1s", static_configs: [{ targets: [target] }] }]
  }
  writeFileSync(join(dir, "prometheus.yml"), JSON.stringify({ ...config, rule_files: [join(root, RULES)] }))
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("prometheus", [
        `--config.file=${dir}/prometheus.yml`,
        `--storage.tsdb.path=${dir}/data`,
        `--web.listen-address=127.0.0.1:${port}`
      ])
    ),
    (child) =>
      Effect.promise(async () => {
        const childExit = new Promise((resolve) => child.once("exit", resolve))
        child.kill("SIGKILL")
        await childExit
        rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      })
  )
  return (query: string) =>
    Effect.promise(async () => {
      const body = new URLSearchParams({ query })
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query`, { method: "POST", body }).catch(
        () => undefined
      )
      // It says 503 until it is ready.
      const json: any = answer?.ok === true ? await answer.json() : {}
      return (json.data?.result ?? []) as ReadonlyArray<unknown>
    })
})

/** Not there before something has failed. */
const ofFailures = new Set(["temporal_request_failure_total"])

it.live(
  "a running service tells every metric and label that dashboards and rules name, and every query returns data",
  () =>
    Effect.gen(function* () {
      const { form, outside, page, record, service } = yield* busyService()
      yield* record
      const token = { method: "POST", body: new URLSearchParams({ grant_type: "refresh_token" }) }
      yield* Effect.promise(() => fetch(`${service.origin}/oauth/token`, token))
      const pageText = yield* eventually("the last step", page(), (text) =>
        [
          "millrace_mail_duration_seconds_count",
          "millrace_pdf_duration_seconds_count",
          "millrace_step_retries_total",
          'status="failed"',
          'status="delivered"'
        ].every((part) => text.includes(part))
      )
      const series = seriesIn(pageText)
      // Prometheus adds these itself.
      const everywhere = new Set(["job", "instance"])
      for (const { expr, where } of [...queries, ...rules.map(({ alert, expr }) => ({ where: alert, expr }))]) {
        const { labels, metrics } = namedIn(expr)
        const knownMetrics = [...metrics].filter((name) => name !== "up" && !ofFailures.has(name))
        for (const name of knownMetrics) assert.isTrue(series.has(name), `${where}: ${name}`)
        const theirs = new Set(knownMetrics.flatMap((name) => [...(series.get(name) ?? [])]))
        if (knownMetrics.length < metrics.size) continue
        for (const label of labels) assert.isTrue(theirs.has(label) || everywhere.has(label), `${where}: ${label}`)
      }
      // Requests are traced, so that observations name their traces.
      assert.match(
        yield* form("application/openmetrics-text"),
        /_bucket\{[^}]+\} \d+ # \{trace_id="[0-9a-f]{32}",span_id="[0-9a-f]{16}"\}/
      )
      // In batches, every few seconds.
      yield* eventually(
        "traces",
        Effect.sync(() => outside.of("/v1/traces")),
        (sent) => sent.length > 0
      )
      // Whoever writes it: the service, Temporal's SDK, its native core.
      const lines = service
        .output()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
      assert.isAbove(lines.length, 3)
      for (const { role } of lines) assert.strictEqual(role, "all")
      if (!has("prometheus")) return
      const ask = yield* prometheus(new URL(service.origin).host)
      yield* eventually(
        "collections",
        ask('sum(up{job="millrace"}) == 1 and sum(count_over_time(up[1m])) > 3'),
        (rows) => rows.length > 0
      )
      for (const { expr, where } of queries) {
        if ([...namedIn(expr).metrics].some((name) => ofFailures.has(name) && !series.has(name))) continue
        yield* eventually(`${where}: ${expr}`, ask(expr), (rows) => rows.length > 0)
      }
    }).pipe(Effect.scoped)
)
