// Every environment variable, read once, every mistake reported at once (decisions P2, P4, P5). `.env.example` documents them.
import { Config, Context, Effect, Layer, Option, Schema } from "effect"
import { limitConfigs } from "./limits.ts"
import { tuningConfig } from "./Tuning.ts"
import { addressRanges, hostPorts, int, origin, secretKey, token } from "./values.ts"

const variables = {
  port: Config.Port("PORT").pipe(Config.withDefault(8080)),
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  baseUrl: Config.option(origin("BASE_URL")),
  mcpUrl: Config.option(origin("MCP_URL")),
  databaseUrl: Config.Redacted("DATABASE_URL"),
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
  otlpEndpoint: Config.option(Config.URL("OTEL_EXPORTER_OTLP_ENDPOINT")),
  role: Config.Literals(["all", "api", "worker", "mcp"], "ROLE").pipe(Config.withDefault("all" as const)),
  weblinkBaseUrl: Config.option(Config.URL("WEBLINK_BASE_URL")),
  databasePoolApi: int("DATABASE_POOL_API", 12),
  databasePoolWorker: int("DATABASE_POOL_WORKER", 12),
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
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The configuration has ${this.problems.length} mistake(s):\n${this.problems.map((p) => `  - ${p}`).join("\n")}`
  }
}

/** `NAME: what is wrong`, from the schema's own words; never the value. */
const problemOf = (message: string): string => {
  const at = message.lastIndexOf("at [")
  const name = /^at \["(\w+)"\]\)?$/.exec(message.slice(Math.max(0, at)))?.[1]
  const what = name === undefined ? message : message.slice(message.startsWith("SchemaError(") ? 12 : 0, at).trimEnd()
  if (name === undefined || what.startsWith(`${name}:`)) return what
  return what === "Expected string" ? `${name}: must be set` : `${name}: ${what}`
}

export const load = Effect.gen(function* () {
  const problems: Array<string> = []
  const values: Record<string, unknown> = {}
  for (const [name, config] of Object.entries(variables)) {
    const result = yield* Effect.result(config as Config.Config<unknown>)
    if (result._tag === "Success") values[name] = result.success
    else problems.push(problemOf(result.failure.message))
  }
  if (problems.length > 0) return yield* new ConfigInvalid({ problems })
  const v = values as unknown as Values
  const baseUrl = Option.getOrElse(v.baseUrl, () => `http://${v.host.includes(":") ? `[${v.host}]` : v.host}:${v.port}`)
  const weblink = Option.match(v.weblinkBaseUrl, { onNone: () => `${baseUrl}/weblink`, onSome: (u) => u.href })
  return {
    ...v,
    baseUrl,
    mcpUrl: Option.getOrElse(v.mcpUrl, () => baseUrl),
    weblinkBaseUrl: weblink.replace(/\/$/, "")
  } satisfies AppConfigShape as AppConfigShape
})

export class AppConfig extends Context.Service<AppConfig, AppConfigShape>()("millrace/Config/AppConfig") {
  static readonly layer = Layer.effect(AppConfig, load)
}
