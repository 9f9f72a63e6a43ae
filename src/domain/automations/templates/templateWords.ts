// Words that short forms of references begin with (our extension, docs/api.md "Short templates"). Pure, so that the console shares it.
import { actionOutputs, globalTypes, requestParts, triggerOutputs } from "../schema/referenceTypes.ts"

/** Words behind `trigger.`; any other is a property of the payload. */
export const shortOutputs: Readonly<Record<string, string>> = {
  webhook_payload: "payload",
  webhook_raw_body: "raw_body",
  webhook_file_collection: "files",
  webhook_headers: "headers",
  webhook_query: "query"
}
export const outputOf = new Map(
  [...triggerOutputs, ...requestParts].map((token) => [shortOutputs[token] ?? token, token])
)

export const shortGlobals: Readonly<Record<string, string>> = { current_date: "today", current_datetime: "now" }
export const globalOf = new Map<string, string>(
  globalTypes.flatMap((token) => [[token, token] as const, [shortGlobals[token] ?? token, token] as const])
)

/** Heads that name a field, with the flags of its reference. */
export const flagsOf = {
  record: {},
  previous: { previous: true },
  fields: {},
  collected: { collection: true },
  triggering: { triggering: true }
} as const
export const ofOwnApp: ReadonlySet<string> = new Set(["record", "previous"])

/** First words of a short form. */
export const heads: ReadonlyArray<string> = [
  ...[...Object.keys(flagsOf), "meta", "trigger", "steps", "vars", "secrets", "pdf"],
  ...actionOutputs,
  ...globalOf.keys()
]

/** Heads behind which the name of an app stands. */
export const namesApp: ReadonlySet<string> = new Set([
  ...Object.keys(flagsOf).filter((head) => !ofOwnApp.has(head)),
  ...actionOutputs
])
