// Reads the subscriptions of a client (MCP 2026-07-28, subscriptions): records, runs and apps by their addresses, at most a hundred. It
// does not judge rights: changes that the caller may not see are never sent, and a missing scope is asked for before the stream begins.

import type { SeenChange } from "../../../domain/changes/SeenChanges.ts"
import { type WatchedKind, watchedKinds } from "../../../domain/changes/SeenChanges.ts"
import { INVALID_PARAMS, type Refusal, refusal } from "../refusal.ts"
import { appUri, recordUri, runUri } from "../resourceUris.ts"

const mostSubscriptions = 100

const patterns = {
  record: /^millrace:\/\/record\/(\d{1,15})$/,
  run: /^millrace:\/\/run\/(\d{1,19})$/,
  app: /^millrace:\/\/app\/(\d{1,15})$/
} as const

const kinds: Readonly<Record<keyof typeof patterns, WatchedKind>> = { record: "records", run: "runs", app: "apps" }

export interface Subscriptions {
  readonly _tag: "Subscriptions"
  /** Addresses as the client has written them. */
  readonly uris: ReadonlySet<string>
  readonly kinds: ReadonlySet<WatchedKind>
}

const kindOf = (uri: string): WatchedKind | undefined =>
  (Object.keys(patterns) as Array<keyof typeof patterns>).flatMap((name) =>
    patterns[name].test(uri) ? [kinds[name]] : []
  )[0]

const wrong = (message: string) => refusal(400, INVALID_PARAMS, `Invalid params: params.notifications${message}.`)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const urisOf = (params: Readonly<Record<string, unknown>> | undefined): ReadonlyArray<string> => {
  const notifications = params?.["notifications"]
  const uris = isObject(notifications) ? notifications["resourceSubscriptions"] : undefined
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string").slice(0, mostSubscriptions) : []
}

/**
 * True if the client asks for notifications of the tasks extension. This server sends none, and only a client that follows tasks may ask.
 */
export const asksForTasks = (params: Readonly<Record<string, unknown>> | undefined): boolean => {
  const notifications = params?.["notifications"]
  return isObject(notifications) && notifications["taskIds"] !== undefined
}

/** Subscriptions that can be honored; the acknowledgement leaves out the others. */
export const subscriptionsOf = (params: Readonly<Record<string, unknown>> | undefined): Subscriptions | Refusal => {
  const notifications = params?.["notifications"]
  if (!isObject(notifications)) return wrong(" must be an object")
  const requestedUris = notifications["resourceSubscriptions"] ?? []
  if (!Array.isArray(requestedUris) || requestedUris.some((uri) => typeof uri !== "string"))
    return wrong(".resourceSubscriptions must be a list of texts")
  if (requestedUris.length > mostSubscriptions)
    return wrong(`.resourceSubscriptions holds at most ${mostSubscriptions} addresses`)
  const honored = (requestedUris as ReadonlyArray<string>).flatMap((uri) => {
    const kind = kindOf(uri)
    return kind === undefined ? [] : [{ uri, kind }]
  })
  return {
    _tag: "Subscriptions",
    uris: new Set(honored.map(({ uri }) => uri)),
    kinds: new Set(watchedKinds.filter((kind) => honored.some((one) => one.kind === kind)))
  }
}

/** The address of what has changed. */
export const changedUri = ({ data, event }: SeenChange): string | undefined => {
  switch (event) {
    case "record":
      return recordUri(String(data["record_id"]))
    case "run":
      return runUri(String(data["run_id"]))
    case "app":
      return appUri(String(data["app_id"]))
    default:
      return undefined
  }
}
