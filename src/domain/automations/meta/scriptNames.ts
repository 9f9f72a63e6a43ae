// Names that scripts can use, one row each (developer-api.md 8.2): source of the catalogue, the declaration file and the table in
// docs/scripts.md. The language's own names are not listed.
import { scriptLibraries } from "../../../platform/sandbox/libraries.ts"
import { SLEEP_MILLIS_MOST } from "../../../platform/sandbox/sleepLimit.ts"

export interface ScriptName {
  readonly name: string
  /** Scripts in which the name is bound: every script, `custom_code`, or steps inside of a loop. */
  readonly where: "all" | "custom_code" | "loop"
  /** TypeScript type; it may use the types of scriptTypes.ts. */
  readonly type: string
  readonly description: string
}

const running = [
  ["current_workflow_id", "number", "Id of the automation"],
  ["current_workflow_name", "string", "Name of the automation"],
  ["current_workflow_timezone", "string", "IANA time zone of the automation"],
  ["current_workflow_is_simulation", "boolean", "Whether the run is a simulation"],
  ["current_date", "string", "Today in UTC, `YYYY-MM-DD`, fixed at the start of the step"],
  ["current_datetime", "string", "Now in UTC, `YYYY-MM-DD HH:mm:ss`, fixed at the start of the step"],
  ["current_time", "string", "Now in UTC, `HH:mm:ss`, fixed at the start of the step"],
  ["current_record", "ScriptRecord | null", "The record of the run"],
  ["previous_record", "ScriptRecord | null", "The record before the change that fired the run"],
  ["triggering_record", "ScriptRecord | null", "The record that initiated a call or weblink"],
  ["trigger", "ScriptTrigger", "What fired the run"],
  ["console", "ScriptConsole", "Writes lines of that level to the step's log"]
] as const

const inLoops = [
  ["loop_item", "any", "The current item: a `ScriptRecord` where the loop goes through records"],
  ["loop_index", "number", "Place of the current item, from 0"]
] as const

const web = [
  ["URL", "typeof URL", "Addresses, as browsers have them"],
  ["URLSearchParams", "typeof URLSearchParams", "The query of an address"],
  ["TextEncoder", "typeof TextEncoder", "Text to UTF-8"],
  ["TextDecoder", "typeof TextDecoder", "Bytes to text, in UTF-8 or another charset"],
  ["atob", "(base64: string) => string", "Base64 to a string of bytes"],
  ["btoa", "(bytes: string) => string", "A string of bytes to Base64"],
  ["crypto", "ScriptCrypto", "Digests, signatures and random ids, as Node's module has them"],
  ["structuredClone", "<T>(value: T) => T", "A deep copy, cycles and dates included"]
] as const

const outside = [
  ["http", "ScriptHttp", "Requests to other hosts, through the address rules of `http_call`"],
  ["api", "ScriptApi", "The Developer API with the rights of the automation's owner, in its organization"],
  ["secret", "(name: string) => string", 'The value of a secret, by the name itself: `secret("stripe_key")`'],
  ["sleep", "(milliseconds: number) => Promise<void>", `Waits, at most ${SLEEP_MILLIS_MOST} milliseconds`]
] as const

/** Types of the packages themselves, for packages that declare them. */
const libraryTypes: Readonly<Record<string, string>> = {
  minimatch: `typeof import("minimatch").minimatch`,
  cheerio: `typeof import("cheerio/slim")`
}
const libraryWords: Readonly<Record<string, string>> = {
  lodash: "Collections, objects, texts",
  moment: "Dates that change in place; English only",
  "date-fns": "Functions over dates",
  "date-fns-tz": "The same in time zones",
  uuid: "Ids: v4, v7 and the others",
  striptags: "Takes tags out of HTML",
  minimatch: "Whether a path fits a glob",
  cheerio: "Reads and changes HTML and XML by selectors: `cheerio.load(html)`",
  jsonata: "Queries over JSON; `evaluate` answers a promise, so in `custom_code`"
}
const libraries = scriptLibraries.flatMap(({ from, names }) =>
  names.map((name) => [name, libraryTypes[from] ?? `typeof import("${from}")`, libraryWords[from]!] as const)
)

const rows =
  (where: ScriptName["where"]) =>
  ([name, type, description]: readonly [string, string, string]): ScriptName => ({ name, where, type, description })

export const scriptNames: ReadonlyArray<ScriptName> = [
  ...running.map(rows("all")),
  ...inLoops.map(rows("loop")),
  ...libraries.map(rows("all")),
  ...web.map(rows("all")),
  ...outside.map(rows("custom_code"))
]

/** Names of the language that are removed (developer-api.md 8.4). */
export const goneFromScripts = ["eval", "Function()", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry"]
