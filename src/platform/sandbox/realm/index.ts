// The inside of a script's realm: compiled once per process, run first in every new context. Its exports are reached by the
// host only; nothing of it is in a script's reach but the globals it defines (developer-api.md 8.2 to 8.4).
import { scriptLibraries } from "../libraries.ts"
import type { AskText } from "../textCalls.ts"
import { makeApi } from "./api.ts"
import { atob, btoa, extendUint8Array } from "./base64.ts"
import { type Log, makeConsole } from "./console.ts"
import { crypto } from "./crypto.ts"
import { display, encode } from "./encode.ts"
import { askHost, setHost } from "./host.ts"
import { makeHttp } from "./http.ts"
import { allEnded, type BeginCall, makeCaller, turn } from "./pendingCalls.ts"
import { FRAMES_MOST, positionIn } from "./positions.ts"
import * as p from "./primordials.ts"
import { harden, removeGlobals } from "./removedGlobals.ts"
import { makeSleep } from "./sleep.ts"
import { structuredClone } from "./structuredClone.ts"
import { type Rejection, unobserved, watchPromises } from "./unhandledRejections.ts"
import { URL, URLSearchParams } from "./url.ts"
import { TextDecoder, TextEncoder } from "./web.ts"

export { settle } from "./pendingCalls.ts"

removeGlobals()
extendUint8Array()
Error.stackTraceLimit = FRAMES_MOST

const define = (name: string, value: unknown, enumerable = false) =>
  p.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable })

for (const [name, value] of Object.entries({
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  atob,
  btoa,
  crypto,
  structuredClone
}))
  define(name, value)

/** Loaded at the first use: most scripts need none. */
const library = (names: ReadonlyArray<string>, load: () => unknown) => {
  for (const name of names)
    p.defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get: () => {
        const loaded = load()
        for (const each of names) define(each, loaded)
        return loaded
      },
      set: (value) => define(name, value)
    })
}
for (const { from, member, names } of scriptLibraries)
  library(names, () => (member === undefined ? require(from) : require(from)[member]))

/** Randomness for the uuid library; not a global of scripts. */
export const randomSource = {
  getRandomValues: (view: Uint8Array) => {
    const hex = askHost("random", view.length) ?? ""
    for (let i = 0; i < view.length; i++) view[i] = p.NumberOf(`0x${hex[2 * i]}${hex[2 * i + 1]}`)
    return view
  }
}

interface Settings {
  readonly bindings: Record<string, unknown>
  /** Secrets by name, for `secret`. */
  readonly secrets?: Record<string, string>
  readonly collect: ReadonlyArray<string>
  readonly resultBytes: number
  readonly logBytes: number
  readonly simulate: boolean
}

const bounded = (text: string, limit: number, what: string): string => {
  if (text.length > limit || p.byteLength(text) > limit)
    throw new p.RangeErrorClass(`${what} is larger than ${limit} bytes of JSON`)
  return text
}

const text = (value: unknown): string => {
  try {
    return p.slice(p.StringOf(value), 0, 2000)
  } catch {
    return ""
  }
}

// Text by text: an object would ask its prototype for a `toJSON`.
const failed = (message: string, stack: string, head: string): string => {
  const messageText = p.slice(message === "" ? "unknown error" : message, 0, 2000)
  const position = positionIn(stack, head)
  return `{"error":{"message":${p.stringify(messageText)},"line":${position?.line ?? null},"column":${position?.column ?? null}}}`
}

const textOr = (value: unknown): string => (typeof value === "string" ? value : "")

const failure = (thrown: unknown): string => {
  let message = ""
  let stack = ""
  let head = ""
  try {
    if (typeof thrown === "object" && thrown !== null) {
      stack = textOr((thrown as Partial<Error>).stack)
      head = textOr((thrown as Partial<Error>).message)
    }
    if (thrown instanceof p.ErrorClass) message = `${text(thrown.name)}: ${text(thrown.message)}`
    // Libraries throw errors of their own that are none, such as jsonata.
    else message = stack !== "" && head !== "" ? text(head) : display(thrown)
  } catch {}
  return failed(message, stack, head)
}

const bindAll = (settings: Settings) => {
  for (const name of p.keys(settings.bindings)) define(name, settings.bindings[name], true)
}

/** A definition tells which secrets it uses by the names that stand in its scripts. */
const makeSecret = (secrets: Record<string, string>) => (name: unknown) => {
  const secretProperty = p.getOwnPropertyDescriptor(secrets, p.StringOf(name))
  if (secretProperty === undefined) throw new p.ErrorClass('secret takes the name itself, as in secret("name")')
  return secretProperty.value as string
}

/** `{ value, undefined, vars }`, the members already JSON text. */
const close = (value: unknown, settings: Settings, initial: Record<string, string>): string => {
  const result = bounded(encode(value), settings.resultBytes, "The result")
  let vars = ""
  for (let i = 0; i < settings.collect.length; i++) {
    const name = settings.collect[i]!
    const globalProperty = p.getOwnPropertyDescriptor(globalThis, name)
    if (globalProperty === undefined) continue
    const json = bounded(encode((globalThis as Record<string, unknown>)[name]), settings.resultBytes, name)
    if (json !== initial[name]) vars += `${vars === "" ? "" : ","}${p.stringify(name)}:${json}`
  }
  return `{"value":${result},"undefined":${value === undefined},"vars":{${vars}}}`
}

const begin = (json: string, askText: AskText, log: Log) => {
  const settings = p.parse(json) as Settings
  setHost(askText)
  define("console", makeConsole(log, settings.logBytes))
  bindAll(settings)
  const initial: Record<string, string> = p.freeze({ __proto__: null } as never)
  const bindingTexts: Record<string, string> = { ...initial }
  for (const name of settings.collect)
    if (name in settings.bindings) bindingTexts[name] = encode(settings.bindings[name])
  return { settings, known: bindingTexts }
}

/**
 * One synchronous expression, given as a function of no arguments. The host's functions come one by one: code that broke out
 * of the expression's parentheses has already run and could look into a list of them.
 */
export const runSync = (script: () => unknown, json: string, askText: AskText, log: Log): string => {
  const { settings, known } = begin(json, askText, log)
  try {
    return close(script(), settings, known)
  } catch (thrown) {
    return failure(thrown)
  }
}

/** A statement block, given as an async function. */
export const runAsync = async (
  script: () => Promise<unknown>,
  json: string,
  askText: AskText,
  log: Log,
  /** Begins a call; `settle` ends it. */
  begun: BeginCall
): Promise<string> => {
  const { settings, known } = begin(json, askText, log)
  const call = makeCaller(begun)
  define(
    "http",
    makeHttp(call, settings.simulate, { from: atob, to: btoa }, (message) => log("warn", message))
  )
  define("api", makeApi(call))
  define("sleep", makeSleep(call))
  define("secret", makeSecret(settings.secrets ?? {}))
  watchPromises()
  let value: unknown
  try {
    // The block begins in an answer of the host, which then tells of what is rejected in it.
    await turn(begun)
    value = await script()
  } catch (thrown) {
    await allEnded(begun)
    return failure(thrown)
  }
  const lost = unobserved(p.parse(await allEnded(begun)) as ReadonlyArray<Rejection>)
  if (lost !== undefined) return failed(`${lost.message} (nobody awaited it)`, lost.stack, lost.message)
  try {
    return close(value, settings, known)
  } catch (thrown) {
    return failure(thrown)
  }
}

/** Readies this realm for many evaluations that must not see each other: nothing in it can change any more. */
export const prepareMany = (libraries: string, askText: AskText) => {
  setHost(askText)
  for (const name of p.parse(libraries) as Array<string>) void (globalThis as Record<string, unknown>)[name]
  harden()
}

/**
 * Evaluates one strict function for each row of arguments. Answers the JSON results up to the first row that throws, so
 * that the host can judge that one in a realm of its own.
 */
export const runMany = (
  script: (...values: ReadonlyArray<unknown>) => unknown,
  shared: string,
  rows: string,
  limit: number
): string => {
  const valueRows = p.parse(rows) as ReadonlyArray<ReadonlyArray<unknown>>
  let out = "["
  for (let i = 0; i < valueRows.length; i++) {
    try {
      // Anew for each: a script may change what it is given.
      const value = script(...(p.parse(shared) as ReadonlyArray<unknown>), ...valueRows[i]!)
      const json = bounded(encode(value), limit, "The result")
      out += `${i > 0 ? "," : ""}{"value":${json},"undefined":${value === undefined}}`
    } catch {
      break
    }
  }
  return `${out}]`
}
