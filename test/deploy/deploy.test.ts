// deploy/ in step with the service: settings, roles, ports and paths that it names exist; the field's own tools look at it where they are
// found (docs/deploy.md says what was only checked).
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { afterAll, inject } from "vitest"
import { parse } from "yaml"
import { pathWith } from "../../bin/parts/node.js"
import { STATISTICS } from "../../bin/parts/postgres.js"
import { PROGRAMS } from "../../bin/parts/programs.js"
import { ALLOCATOR, NODE_FLAGS } from "../../bin/parts/service.js"
import { load } from "../../src/platform/config/Config.ts"
import { type MetricName, metrics, prometheusName } from "../../src/platform/metrics/registry.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const deploy = join(root, "deploy")
const read = (path: string) => readFileSync(join(deploy, path), "utf8")
const dir = mkdtempSync(join(tmpdir(), "millrace-deploy-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const settings = new Set(
  [...readFileSync(join(root, ".env.example"), "utf8").matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!)
)
/** Of Node and of the machine, not of ours. */
const foreignNames = new Set(["NODE_ENV", "NODE_DISABLE_COMPILE_CACHE", "XDG_CACHE_HOME", ...Object.keys(ALLOCATOR)])
const unknown = (names: Iterable<string>) =>
  [...names].filter((name) => !foreignNames.has(name) && !settings.has(name.replace(/_FILE$/, "")))

const roles = ["api", "worker", "mcp"]
const dockerfile = read("Dockerfile")
const compose = parse(read("compose/compose.yaml"), { merge: true })
const values = parse(read("helm/millrace/values.yaml"))
const units = ["millrace@.service", "millrace-migrate.service"].map((name) => [name, read(`systemd/${name}`)] as const)
const ours = Object.entries<any>(compose.services).filter(([, { build }]) => build !== undefined)

/** Whether the tool is on this machine; says so where it is not. */
const isInstalled = (tool: string) => {
  const hasTool = spawnSync(tool, ["--help"]).error === undefined
  if (!hasTool) console.log(`${tool} is not here: what it checks was not checked`)
  return hasTool
}
const passes = (program: string, ...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(program, args, { encoding: "utf8", timeout: ENDS_MILLIS })
  assert.strictEqual(status, 0, `${program} ${args.join(" ")}\n${stdout}${stderr}`)
  return stdout
}

describe("deploy/ names what exists", () => {
  it("settings", () => {
    const image = [...dockerfile.matchAll(/^(?:ENV)? +([A-Z_]+)=/gm)].map(([, name]) => name!)
    assert.isAbove(image.length, 4)
    assert.deepStrictEqual(unknown(image), [], "Dockerfile")
    for (const [name, service] of ours) assert.deepStrictEqual(unknown(Object.keys(service.environment)), [], name)
    const chart = [
      ...Object.keys(values.settings),
      ...values.secrets.settings,
      ...values.secrets.migration,
      ...roles.flatMap((role) => Object.keys(values.roles[role].settings))
    ]
    assert.deepStrictEqual(unknown(chart), [], "values.yaml")
    for (const [name, unit] of units) {
      const set = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(" "))
      assert.isNotEmpty(set)
      assert.deepStrictEqual(unknown(set.map((one) => one.split("=")[0]!)), [], name)
    }
  })

  it.effect("roles", () =>
    Effect.gen(function* () {
      const configOf = (role: string) =>
        Effect.provideService(
          load,
          ConfigProvider.ConfigProvider,
          ConfigProvider.fromEnv({
            env: { ROLE: role, DATABASE_URL: "postgres://u@h/d", SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }
          })
        )
      for (const role of ["all", ...roles]) assert.strictEqual((yield* configOf(role)).role, role)
      assert.include(read("entrypoint.sh"), `${["all", ...roles].join(" | ")})`)
      assert.deepStrictEqual(Object.keys(values.roles), roles)
      assert.deepStrictEqual(ours.map(([, { command }]) => command[0]).sort(), [...roles, "migrate"].sort())
    })
  )

  it("how the launcher starts the service", () => {
    const [unit] = units
    for (const [name, text, program] of [
      ["entrypoint.sh", read("entrypoint.sh"), "programs/main.mjs"],
      [unit![0], unit![1], "dist/src/main.js"]
    ] as const) {
      assert.include(text, `node ${NODE_FLAGS.join(" ")} ${program}`, name)
      for (const [variable, value] of Object.entries(ALLOCATOR)) {
        assert.match(text, new RegExp(`\\b${variable}="?(\\$\\{${variable}:-)?${value}\\b`), name)
      }
    }
  })

  it("how the launcher starts Postgres", () => {
    for (const [name, value] of Object.entries(STATISTICS))
      assert.include(compose.services.postgres.command, `${name}=${value}`)
  })

  it("paths", () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) => from!.split(" "))
    assert.isAbove(copied.length, 6)
    const ignored = new Set(read("Dockerfile.dockerignore").split("\n"))
    for (const path of copied) {
      assert.isTrue(existsSync(join(root, path)), path)
      assert.isTrue(ignored.has(`!${path}`), `Dockerfile.dockerignore lets ${path} in`)
    }
    for (const [, name] of read("entrypoint.sh").matchAll(/ programs\/(\w+)\.mjs/g)) assert.include(PROGRAMS, name)
    for (const [, unit] of units)
      for (const [, path] of unit.matchAll(/ dist\/(src\/\w+)\.js/g))
        assert.isTrue(existsSync(join(root, `${path}.ts`)))
    for (const { volumes = [] } of Object.values<any>(compose.services))
      for (const volume of volumes)
        if (volume.startsWith(".")) assert.isTrue(existsSync(join(deploy, "compose", volume.split(":")[0])), volume)
    for (const secret of Object.keys(compose.secrets)) assert.include(read("compose/make-secrets.sh"), secret)
  })

  it("ports, probes and the metric of the backlog", () => {
    assert.include(dockerfile, "PORT=8080")
    assert.include(dockerfile, "EXPOSE 8080")
    const deployment = read("helm/millrace/templates/deployment.yaml")
    assert.include(deployment, "containerPort: 8080")
    const probed = [...`${deployment}${dockerfile}`.matchAll(/\/health\/\w+/g)].map(([path]) => path)
    assert.deepStrictEqual([...new Set(probed)].sort(), ["/health/live", "/health/ready"])
    const { metric } = values.roles.worker.autoscaling
    assert.include(
      Object.keys(metrics).map((name) => prometheusName(name as MetricName)),
      metric
    )
    assert.strictEqual(parse(read("helm/millrace/Chart.yaml")).appVersion, versionOf())
  })

  it("compose names services, networks, volumes and secrets that it has", () => {
    for (const [name, service] of Object.entries<any>(compose.services)) {
      for (const other of Object.keys(service.depends_on ?? {})) assert.property(compose.services, other, name)
      for (const network of service.networks ?? []) assert.property(compose.networks, network, name)
      for (const secret of service.secrets ?? []) assert.property(compose.secrets, secret, name)
      const files = Object.values<string>(service.environment ?? {}).filter((value) => /^\/run\/secrets\//.test(value))
      for (const file of files) assert.include(service.secrets, file.slice("/run/secrets/".length), name)
    }
  })
})

const versionOf = () => JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version

describe("the field's own tools", () => {
  it("shell scripts parse, secrets are made once", () => {
    for (const script of ["entrypoint.sh", "compose/make-secrets.sh"]) passes("sh", "-n", join(deploy, script))
    passes("bash", "-n", join(deploy, "compose/roles.sh"))
    writeFileSync(join(dir, "make-secrets.sh"), read("compose/make-secrets.sh"))
    passes("sh", join(dir, "make-secrets.sh"))
    const secrets = Object.keys(compose.secrets)
    const contents = () => secrets.map((name) => readFileSync(join(dir, "secrets", name), "utf8"))
    const firstContents = contents()
    passes("sh", join(dir, "make-secrets.sh"))
    assert.deepStrictEqual(contents(), firstContents)
  })

  it("the entry point refuses what is no role, and says which there are", () => {
    const text = read("entrypoint.sh")
      .replace("cd /app", `cd ${root}`)
      .replaceAll(" programs/", ` ${inject("programs")}/`)
    writeFileSync(join(dir, "entrypoint.sh"), text)
    const env = { PATH: pathWith(process.execPath), SECRET_KEY: "x" }
    const run = (...args: ReadonlyArray<string>) =>
      spawnSync("sh", [join(dir, "entrypoint.sh"), ...args], { env, encoding: "utf8", timeout: ENDS_MILLIS })
    const wrong = run("boss")
    assert.deepStrictEqual([wrong.status, wrong.stderr.includes("worker, mcp, migrate")], [2, true])
    const printed = run("cli", "config", "print", "--json")
    assert.include(printed.stdout, '"setting": "ROLE"')
    // The role reaches the service, which says what is missing.
    const started = run("worker")
    assert.include(started.stderr, "DATABASE_URL: must be set")
  })

  it("systemd: a database that is away at the start of the machine keeps no unit down", () => {
    for (const [name, unit] of units) {
      for (const unitLine of ["Restart=on-failure", "StartLimitIntervalSec=0"])
        assert.include(unit, `\n${unitLine}\n`, name)
      assert.notMatch(unit, /^(Requires|Requisite|BindsTo)=/m, name)
    }
  })

  it("systemd: the units hold, and are confined", () => {
    if (!isInstalled("systemd-analyze")) return
    for (const [name, unit] of units) writeFileSync(join(dir, name.replace("@.", "@api.")), unit)
    passes("systemd-analyze", "verify", "--man=no", ...units.map(([name]) => join(dir, name.replace("@.", "@api."))))
    for (const [name] of units)
      passes("systemd-analyze", "security", "--offline=true", "--threshold=35", join(dir, name.replace("@.", "@api.")))
  })

  it("prometheus takes its configuration", () => {
    if (!isInstalled("promtool")) return
    passes("promtool", "check", "config", "--syntax-only", join(deploy, "observability/prometheus.yml"))
  })

  it("hadolint finds nothing in the image", () => {
    if (!isInstalled("hadolint")) return
    passes("hadolint", join(deploy, "Dockerfile"))
  })

  it("helm lints the chart and renders every kind", () => {
    if (!isInstalled("helm")) return
    const chart = join(deploy, "helm/millrace")
    passes("helm", "lint", "--strict", chart)
    const allValues = ["ingress.enabled", "confinement.namespaces", "roles.worker.autoscaling.enabled"]
    const rendered = passes(
      "helm",
      "template",
      "x",
      chart,
      "--kube-version",
      "1.31.0",
      ...allValues.flatMap((name) => ["--set", `${name}=true`])
    )
    const kinds = [...rendered.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind!)
    assert.deepStrictEqual([...new Set(kinds)].sort(), [
      ...["Deployment", "HorizontalPodAutoscaler", "Ingress", "Job", "NetworkPolicy", "PodDisruptionBudget", "Service"]
    ])
  })
})
