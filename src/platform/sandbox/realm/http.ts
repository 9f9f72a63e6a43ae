// `http` of custom_code (developer-api.md 8.2): every call is one message to the host and back.

import { isJsonType, mediaTypeOf } from "../../primitives/mediaType.ts"
import { NUMBERS_KEPT, quoteInexact } from "../../text/exactNumbers.ts"
import { bytesOf, isBytes, latinOf, toBytes } from "./bytes.ts"
import { type CallHost, callError } from "./pendingCalls.ts"
import { URL, URLSearchParams } from "./url.ts"

interface HttpOptions {
  readonly headers?: Record<string, unknown>
  readonly params?: Record<string, unknown>
  readonly responseType?: "json" | "text" | "arraybuffer"
}
interface WireResponse {
  readonly status: number
  readonly headers: Record<string, string | ReadonlyArray<string>>
  /** base64 for `arraybuffer`, text otherwise. */
  readonly body: string
}

interface Base64 {
  readonly from: (text: string) => string
  readonly to: (latin: string) => string
}

/** Text; bytes in base64. */
const bodyOf = (body: unknown, headers: Record<string, string>, toBase64: Base64["to"]): string | null => {
  if (body === undefined || body === null) return null
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === "content-type")
  const as = (type: string, text: string) => {
    if (!typed) headers["content-type"] = type
    return text
  }
  if (typeof body === "string") return as("text/plain;charset=UTF-8", body)
  if (body instanceof URLSearchParams) return as("application/x-www-form-urlencoded;charset=UTF-8", body.toString())
  if (isBytes(body)) return as("application/octet-stream", toBase64(latinOf(toBytes(body))))
  return as("application/json", JSON.stringify(body))
}

const dataOf = (
  response: WireResponse,
  type: HttpOptions["responseType"],
  fromBase64: Base64["from"],
  onNumbersKept: () => void
) => {
  if (type === "arraybuffer") return bytesOf(fromBase64(response.body)).buffer
  const declared = () => isJsonType(mediaTypeOf(`${response.headers["content-type"] ?? ""}`))
  const json = type === "json" || (type === undefined && declared())
  if (!json) return response.body
  try {
    const exact = quoteInexact(response.body)
    const data = JSON.parse(exact)
    if (exact !== response.body) onNumbersKept()
    return data
  } catch {
    return response.body
  }
}

export const makeHttp = (call: CallHost, simulate: boolean, base64: Base64, warn: (message: string) => void) => {
  let warned = false
  const onNumbersKept = () => {
    if (!warned) warn(NUMBERS_KEPT)
    warned = true
  }
  const send = async (method: string, url: unknown, body: unknown, options: HttpOptions = {}) => {
    if (simulate && method !== "GET") return { status: 200, data: null, simulated: true }
    const site = new Error()
    const target = new URL(url)
    for (const [name, value] of Object.entries(options.params ?? {}))
      for (const item of Array.isArray(value) ? value : [value])
        if (item !== undefined && item !== null) target.searchParams.append(name, item)
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = `${value}`
    const text = bodyOf(body, headers, base64.to)
    const binary = options.responseType === "arraybuffer"
    const request = { method, url: target.href, headers, body: text, bytes: isBytes(body), binary }
    const wire = JSON.parse(await call("http", JSON.stringify(request))) as WireResponse
    const response = {
      status: wire.status,
      headers: wire.headers,
      data: dataOf(wire, options.responseType, base64.from, onNumbersKept)
    }
    if (wire.status >= 400)
      throw callError(`Request failed with status ${wire.status}`, site, { status: wire.status, response })
    return response
  }
  return Object.freeze({
    get: (url: unknown, options?: HttpOptions) => send("GET", url, undefined, options),
    delete: (url: unknown, options?: HttpOptions) => send("DELETE", url, undefined, options),
    post: (url: unknown, body?: unknown, options?: HttpOptions) => send("POST", url, body, options),
    put: (url: unknown, body?: unknown, options?: HttpOptions) => send("PUT", url, body, options),
    patch: (url: unknown, body?: unknown, options?: HttpOptions) => send("PATCH", url, body, options)
  })
}
