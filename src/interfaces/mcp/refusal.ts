// A message that is not carried out: the HTTP status and the JSON-RPC error it is answered by (MCP transports; JSON-RPC 2.0, 5.1).
export const PARSE = -32700
export const INVALID = -32600
export const INVALID_PARAMS = -32602

export type Id = string | number

export interface Refusal {
  readonly _tag: "Refusal"
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: unknown
  /** Id of the refused message; null if none can be read (JSON-RPC 2.0, 5). */
  readonly id?: Id | null
}

/** Longest text of an error, in characters: it may echo the refused value, which its sender may make of any length. */
const longest = 1_000

/** An error that is no longer than it needs to be understood. */
export const boundedError = <E extends { readonly message: string; readonly data?: unknown }>({
  data,
  ...error
}: E) => ({
  ...error,
  message: error.message.slice(0, longest).toWellFormed(),
  ...(data === undefined || JSON.stringify(data).length > 2 * longest ? {} : { data })
})

export const refusal = (status: number, code: number, message: string, data?: unknown): Refusal => ({
  _tag: "Refusal",
  status,
  ...boundedError({ code, message, data })
})
