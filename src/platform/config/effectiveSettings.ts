// Lists the settings in force for `config print` (decisions P2): each value and where it came from. Secrets are hidden, also within an
// address.
import { Config, Effect, Option, Redacted, Schema } from "effect"
import { envFileProblems } from "../../../bin/parts/environment.js"
import { ELSEWHERE, OF_PROCESSES, temporalNames } from "../../../bin/parts/settings.js"
import { derived, type Looked, lookUp, lookUpAll, valuesOf } from "./Config.ts"
import { withSettingFiles } from "./settingFiles.ts"

export interface InForce {
  readonly setting: string
  /** Value as shown; null if there is none, and if it is wrong: a mistake may be a secret in the wrong variable. */
  readonly value: string | null
  readonly from: string
}

const HIDDEN = "(hidden)"
/** Names of secret values, for settings that Config.ts does not know and for parameters of addresses. */
const SECRET = /key|pass|secret|token|auth|sig|cred|grpc_meta|_data$/i

/** Address without the secrets in it; undefined if the text is no address. */
const shownUrl = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || url.host === "") return undefined
  const originalHref = url.href
  if (url.password !== "") url.password = "***"
  else if (url.username !== "" && url.protocol.startsWith("http")) url.username = "***"
  for (const name of new Set(url.searchParams.keys())) if (SECRET.test(name)) url.searchParams.set(name, "***")
  url.hash = ""
  return url.href === originalHref ? text : url.href
}

const showValue = (text: string, secret: boolean) => shownUrl(text) ?? (secret ? HIDDEN : text)

/** Default value of a setting, as shown. */
const unset = (value: unknown): string => {
  if (Option.isOption(value)) return Option.isSome(value) ? unset(value.value) : ""
  if (Redacted.isRedacted(value)) return HIDDEN
  return value === undefined || (typeof value === "object" && !Array.isArray(value)) ? "" : String(value)
}

const isSecret = (value: unknown) => Redacted.isRedacted(Option.isOption(value) ? Option.getOrUndefined(value) : value)

/** Origin of each variable before the launcher passed it on. */
const sources = Config.schema(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)),
  "MILLRACE_SOURCES"
).pipe(Config.withDefault<Readonly<Record<string, string>>>({}))

/** Rows of a setting or group. Members of a group are looked up in the order in which its value holds them. */
const rowsOf = ({ asked, result }: Looked, from: Readonly<Record<string, string>>, secretByName: boolean) =>
  [...asked].map(([setting, found], i): InForce => {
    const value = result._tag === "Failure" ? undefined : result.success
    const ownValue = asked.size === 1 ? value : Object.values(value ?? {})[i]
    if (found === undefined) return { setting, value: unset(ownValue) || null, from: "default" }
    const secret = secretByName ? SECRET.test(setting) && !setting.endsWith("_PATH") : isSecret(value)
    return {
      setting,
      value: result._tag === "Failure" ? null : showValue(found.value, secret),
      from: found.file === undefined ? (from[setting] ?? "environment") : `file ${found.file}`
    }
  })

/** Problem of a setting that is set. An unset one is no mistake: the launcher has a database and a key of its own. */
const problemOf = ({ asked, result }: Looked) =>
  result._tag === "Success" || [...asked.values()].every((found) => found === undefined) ? [] : [result.failure]

/** All settings, the problems of them and of the names in `.env`. */
export const effectiveSettings = Effect.gen(function* () {
  const from = yield* withSettingFiles(sources)
  const ownLookups = (yield* lookUpAll).filter(({ asked }) => !OF_PROCESSES.some((name) => asked.has(name)))
  const names = [...new Set([...Object.keys(ELSEWHERE), ...temporalNames(process.env)])]
  const otherLookups = yield* lookUp(
    Object.fromEntries(names.map((name) => [name, Config.option(Config.String(name))]))
  )
  const problems = [...envFileProblems(), ...[...ownLookups, ...otherLookups].flatMap(problemOf)]
  const rows = [
    ...ownLookups.flatMap((one) => rowsOf(one, from, false)),
    ...otherLookups.flatMap((one) => rowsOf(one, from, true))
  ]
  const follows = problems.length > 0 ? undefined : derived(valuesOf(ownLookups))
  const defaults: Record<string, string | undefined> = {
    ...ELSEWHERE,
    BASE_URL: follows?.baseUrl,
    MCP_URL: follows?.mcpUrl,
    WEBLINK_BASE_URL: follows?.weblinkBaseUrl
  }
  return { settings: rows.map((row) => ({ ...row, value: row.value ?? (defaults[row.setting] || null) })), problems }
})
