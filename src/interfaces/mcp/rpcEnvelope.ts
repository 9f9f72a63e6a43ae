// Reads the JSON-RPC messages of a POST, or answers the refusal that the MCP transport prescribes: kind and size of the body, JSON, the
// shape of each message, the protocol version, and batches only in the one version that had them (2025-03-26).
import { textExcess } from "../../platform/bounds/jsonText.ts"
import { quoteInexact } from "../../platform/text/exactNumbers.ts"
import { meantParams } from "./argumentCorrection.ts"
import { type Era, type StandardHeaders, spokenBy } from "./protocolRevisions.ts"
import { type Id, INVALID, PARSE, type Refusal, refusal } from "./refusal.ts"

export const maxBodyBytes = 2 * 1024 * 1024
const maxBatch = 20
/** Values of a body: the protocol's own schemas are slow; the largest definition of an automation has 20,000, which count up to twice here. */
const maxValues = 50_000

export interface Message {
  readonly jsonrpc: "2.0"
  readonly id?: Id
  readonly method?: string
  readonly params?: Record<string, unknown>
}

export interface Envelope {
  readonly _tag: "Envelope"
  readonly batch: boolean
  readonly era: Era
  readonly version: string
  /** Requests, in order: what needs an answer. */
  readonly requests: ReadonlyArray<Message & { readonly id: Id; readonly method: string }>
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is Id =>
  typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value))

/** Levels of nesting that an argument may have: definitions need about 40, a stack holds thousands. */
const maxDepth = 200

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)))

/** Fault of one message; `undefined` if there is none. */
const fault = (value: unknown): string | undefined => {
  if (!isObject(value)) return "a message must be an object"
  if (value["jsonrpc"] !== "2.0") return 'jsonrpc must be "2.0"'
  const { id, method, params, result, error } = value
  if (method === undefined) {
    return (result !== undefined || isObject(error)) && (isId(id) || id === null)
      ? undefined
      : "a message needs a method, or an id with a result or error"
  }
  if (typeof method !== "string" || method === "") return "method must be a text"
  if ("id" in value && !isId(id)) return "id must be a text or an integer"
  if (params !== undefined && !isObject(params)) return "params must be an object"
  if (isDeeper(params, maxDepth)) return `params must not be nested deeper than ${maxDepth} levels`
  return undefined
}

/** Message with its params as the client meant them (`argumentCorrection.ts`). */
const meantMessage = (message: unknown): unknown => {
  if (!isObject(message) || !("params" in message)) return message
  const { params, ...rest } = message
  const meant = meantParams(params)
  return meant === undefined ? rest : { ...rest, params: meant }
}

const idOf = (message: unknown): Id | null => (isObject(message) && isId(message["id"]) ? message["id"] : null)

/** Reads a body whose size and content type are known to be acceptable. */
export const open = (text: string, headers: StandardHeaders): Envelope | Refusal => {
  const unparsed = textExcess(text, Number.POSITIVE_INFINITY, maxValues)
  if (unparsed !== undefined) return refusal(400, INVALID, `The body ${unparsed}.`)
  let body: unknown
  try {
    // Arguments are bodies of the API: read as those are (decisions A29).
    body = JSON.parse(quoteInexact(text))
  } catch {
    return refusal(400, PARSE, "The body is not JSON.")
  }
  const batch = Array.isArray(body)
  body = batch ? (body as Array<unknown>).map(meantMessage) : meantMessage(body)
  const messages: ReadonlyArray<unknown> = batch ? (body as Array<unknown>) : [body]
  if (messages.length === 0) return refusal(400, INVALID, "The batch is empty.")
  if (messages.length > maxBatch) return refusal(400, INVALID, `A batch holds at most ${maxBatch} messages.`)
  for (const [index, message] of messages.entries()) {
    const wrong = fault(message)
    if (wrong !== undefined)
      return { ...refusal(400, INVALID, batch ? `[${index}]: ${wrong}.` : `${wrong}.`), id: idOf(message) }
  }
  const requests = (messages as ReadonlyArray<Message>).filter(
    (m): m is Envelope["requests"][number] => m.method !== undefined && m.id !== undefined
  )
  const initializes = requests.some((m) => m.method === "initialize")
  if (initializes && messages.length > 1) return refusal(400, INVALID, "initialize must not be part of a batch.")
  const spoken = spokenBy(body, headers)
  if (spoken._tag === "Refusal") return { ...spoken, id: idOf(body) }
  if (new Set(requests.map((m) => `${typeof m.id} ${m.id}`)).size < requests.length)
    return refusal(400, INVALID, "Two requests of the batch have the same id.")
  const { era, version } = spoken
  return { _tag: "Envelope", batch, era, version, requests }
}
