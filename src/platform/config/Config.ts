// Reads every environment variable once, and reports every mistake at once (decisions P2, P4, P5). `.env.example` documents them.
import { Config, ConfigProvider, Context, Effect, Layer, Option, type Result, Schema } from "effect"
import { originOf } from "../../../bin/parts/settings.js"
import { limitConfigs } from "./limits.ts"
import { type FoundSetting, fileProvider } from "./settingFiles.ts"
import { addressRanges, hostPorts, int, origin, ports, secretKey, token } from "./settingTypes.ts"
import { tuningConfig } from "./Tuning.ts"
import { telemetryConfigs } from "./telemetry.ts"

const variables = {
  port: Config.Port("PORT").pipe(Config.withDefault(8080)),
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  baseUrl: Config.option(origin("BASE_URL")),
  mcpUrl: Config.option(origin("MCP_URL")),
  databaseUrl: Config.Redacted("DATABASE_URL"),
  // Direct address of the database, needed if DATABASE_URL leads through a pooler in transaction mode.
  databaseDirectUrl: Config.option(Config.Redacted("DATABASE_DIRECT_URL")),
  // Replication to the standbys that may take over: `synchronous` if each has all that was committed, `asynchronous` if it may lack some.
  databaseStandbys: Config.Literals(["asynchronous", "synchronous"], "DATABASE_STANDBYS").pipe(
    Config.withDefault("asynchronous" as const)
  ),
  dataDir: Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault(".data")),
  secretKey: secretKey("SECRET_KEY"),
  trustedProxies: addressRanges("TRUSTED_PROXIES"),
  metricsToken: token("METRICS_TOKEN"),
  temporalUiUrl: Config.option(Config.URL("TEMPORAL_UI_URL")),
  smtpUrl: Config.option(Config.Redacted("SMTP_URL")),
  mailFrom: Config.NonEmptyString("MAIL_FROM").pipe(Config.withDefault("Millrace <no-reply@localhost>")),
  chromiumPath: Config.option(Config.NonEmptyString("CHROMIUM_PATH")),
  outboundAllow: hostPorts("OUTBOUND_ALLOW"),
  logLevel: Config.Literals(["trace", "debug", "info", "warn", "error", "none"], "LOG_LEVEL").pipe(
    Config.withDefault("info" as const)
  ),
  logFormat: Config.Literals(["pretty", "json"], "LOG_FORMAT").pipe(Config.withDefault("pretty" as const)),
  ...telemetryConfigs,
  role: Config.Literals(["all", "api", "worker", "mcp"], "ROLE").pipe(Config.withDefault("all" as const)),
  weblinkBaseUrl: Config.option(Config.URL("WEBLINK_BASE_URL")),
  databasePoolApi: int("DATABASE_POOL_API", 12),
  databasePoolWorker: int("DATABASE_POOL_WORKER", 12),
  /** Set by the launcher for processes that share the port: the number of this process, and the ports at which each one answers alone. */
  processNumber: int("PROCESS_NUMBER", 1),
  processPorts: ports("PROCESS_PORTS"),
  actorTuning: tuningConfig,
  ...limitConfigs
}

type Values = {
  readonly [K in keyof typeof variables]: (typeof variables)[K] extends Config.Config<infer A> ? A : never
}

export interface AppConfigShape extends Omit<Values, "baseUrl" | "mcpUrl" | "weblinkBaseUrl"> {
  /** Origin without a trailing slash; also the OAuth issuer. */
  readonly baseUrl: string
  /** Origin of the MCP server; `baseUrl` unless set. */
  readonly mcpUrl: string
  /** Public base of weblinks, without a trailing slash. */
  readonly weblinkBaseUrl: string
}

/** All mistakes in the environment, one a line. */
class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The configuration has ${this.problems.length} mistake(s):\n${this.problems.map((p) => `  - ${p}`).join("\n")}`
  }
}

/** Message `NAME: problem`, from the schema's own words; never the value. */
const problemOf = (message: string): string => {
  if (message.startsWith(UNREADABLE)) return message.slice(UNREADABLE.length)
  const pathStart = message.lastIndexOf("at [")
  const name = /^at \["(\w+)"\]\)?$/.exec(message.slice(Math.max(0, pathStart)))?.[1]
  const what =
    name === undefined ? message : message.slice(message.startsWith("SchemaError(") ? 12 : 0, pathStart).trimEnd()
  if (name === undefined || what.startsWith(`${name}:`)) return what
  return what === "Expected string" ? `${name}: must be set` : `${name}: ${what}`
}

const UNREADABLE = "SourceError: "

/** Result of looking up one variable of a table, or several that belong together. */
export interface Looked {
  readonly key: string
  /** Every name that was looked up, with the setting that was found. */
  readonly asked: ReadonlyMap<string, FoundSetting | undefined>
  readonly result: Result.Result<unknown, string>
}

/** Looks each setting up by itself, so that one mistake hides no other. */
export const lookUp = (table: Readonly<Record<string, Config.Config<unknown>>>) =>
  Effect.gen(function* () {
    const base = yield* ConfigProvider.ConfigProvider
    return yield* Effect.forEach(Object.entries(table), ([key, config]) => {
      const requestedSettings = new Map<string, FoundSetting | undefined>()
      const provider = fileProvider(base, (name, found) => requestedSettings.set(name, found))
      return config.pipe(
        Effect.mapError(({ message }) => problemOf(message)),
        Effect.result,
        Effect.provideService(ConfigProvider.ConfigProvider, provider),
        Effect.map((result): Looked => ({ key, asked: requestedSettings, result }))
      )
    })
  })

/** Looks up all settings of the table above. */
export const lookUpAll = lookUp(variables)

/** Addresses derived from others if they are not set. */
export const derived = (v: Pick<Values, "host" | "port" | "baseUrl" | "mcpUrl" | "weblinkBaseUrl">) => {
  const baseUrl = Option.getOrElse(v.baseUrl, () => originOf(v.host, v.port))
  const weblink = Option.match(v.weblinkBaseUrl, { onNone: () => `${baseUrl}/weblink`, onSome: (u) => u.href })
  return {
    baseUrl,
    mcpUrl: Option.getOrElse(v.mcpUrl, () => baseUrl),
    weblinkBaseUrl: weblink.replace(/\/$/, "")
  }
}

/** Valid values by key. */
export const valuesOf = (all: ReadonlyArray<Looked>) =>
  Object.fromEntries(
    all.flatMap(({ key, result }) => (result._tag === "Success" ? [[key, result.success]] : []))
  ) as Values

export const load = Effect.gen(function* () {
  const lookups = yield* lookUpAll
  const problems = lookups.flatMap(({ result }) => (result._tag === "Failure" ? [result.failure] : []))
  if (problems.length > 0) return yield* new ConfigInvalid({ problems })
  const v = valuesOf(lookups)
  return { ...v, ...derived(v) } satisfies AppConfigShape as AppConfigShape
})

export class AppConfig extends Context.Service<AppConfig, AppConfigShape>()("millrace/Config/AppConfig") {
  static readonly layer = Layer.effect(AppConfig, load)
}
