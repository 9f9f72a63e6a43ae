// Types of the names that scripts can use (developer-api.md 8.2), as TypeScript declarations.
import { triggers } from "../triggers/registry.ts"

const triggerTypes = Object.keys(triggers)
  .map((type) => `"${type}"`)
  .join(" | ")

const records = `
/** A record as scripts see it; a change of the object changes nothing of the record. */
interface ScriptRecord {
  readonly record_id: number
  /** Its number within the app. */
  readonly app_record_id: number
  readonly title: string
  readonly record_url: string
  /** Every field by its external id, empty ones \`null\`. */
  readonly fields: { readonly [external_id: string]: any }
}

interface ScriptTrigger {
  readonly type: ${triggerTypes} | null
  /** Of \`webhook_received\`: what was sent. */
  readonly webhook_payload?: any
  /** Its headers, by their names in lower case, and the parameters of its query. */
  readonly webhook_headers?: { readonly [name: string]: string }
  readonly webhook_query?: { readonly [name: string]: string | ReadonlyArray<string> }
  /** Its body as it was sent. */
  readonly webhook_raw_body?: string
  /** Of \`record_comment_or_reply_created\`. */
  readonly comment?: ScriptComment
  /** Of \`periodic\`: the instant in UTC, \`YYYY-MM-DD HH:mm:ss\`. */
  readonly scheduled_at?: string
  /** Of \`weblink_clicked\`. */
  readonly weblink?: { readonly click_count: number; readonly created_at: string }
}

interface ScriptComment {
  readonly comment_id: number
  /** Only of a reply. */
  readonly reply_id?: number
  readonly content: string
  readonly created_by:
    | { readonly type: "user"; readonly user_id: number }
    | { readonly type: "automation"; readonly automation_id: number }
  /** Ids of files. */
  readonly attachments: ReadonlyArray<number>
}

interface ScriptConsole {
  log(...values: unknown[]): void
  info(...values: unknown[]): void
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
}
`

const web = `
declare class URL {
  constructor(url: string | URL, base?: string | URL)
  static canParse(url: string | URL, base?: string | URL): boolean
  static parse(url: string | URL, base?: string | URL): URL | null
  hash: string
  host: string
  hostname: string
  href: string
  readonly origin: string
  password: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  username: string
  toJSON(): string
  toString(): string
}

declare class URLSearchParams {
  constructor(init?: string | Iterable<[string, string]> | { readonly [name: string]: unknown })
  readonly size: number
  append(name: string, value: unknown): void
  delete(name: string, value?: unknown): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string, value?: unknown): boolean
  set(name: string, value: unknown): void
  sort(): void
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void): void
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  [Symbol.iterator](): IterableIterator<[string, string]>
  toString(): string
}

declare class TextEncoder {
  readonly encoding: "utf-8"
  encode(text?: string): Uint8Array
}

declare class TextDecoder {
  /** By any label of the Encoding standard: \`utf-8\`, \`utf-16le\`, \`windows-1252\`, \`iso-8859-2\`, \`shift_jis\`. */
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean })
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  /** As a whole, at most 8 MiB. */
  decode(bytes?: ArrayBuffer | ArrayBufferView): string
}
`

const crypto = `
/** Synchronous, of texts and bytes, at most 8 MiB for each digest. */
interface ScriptCrypto {
  createHash(algorithm: ScriptDigestAlgorithm): ScriptDigest
  /** \`encoding\` is that of a key given as text: \`base64\` where a service shows its keys so. */
  createHmac(algorithm: ScriptDigestAlgorithm, key: ScriptBytes, options?: { readonly encoding?: ScriptEncoding }): ScriptDigest
  randomUUID(): string
  /** Throws where the lengths differ; texts are compared by their UTF-8. */
  timingSafeEqual(a: ScriptBytes, b: ScriptBytes): boolean
}

/** \`md5\` and \`sha1\` are for checksums and for services that ask for them. */
type ScriptDigestAlgorithm = "sha256" | "sha384" | "sha512" | "sha1" | "md5"
type ScriptEncoding = "utf8" | "hex" | "base64" | "base64url" | "latin1"
type ScriptBytes = string | ArrayBuffer | ArrayBufferView

interface ScriptDigest {
  update(data: ScriptBytes, encoding?: ScriptEncoding): ScriptDigest
  /** Once. */
  digest(): Uint8Array
  digest(encoding: "hex" | "base64" | "base64url" | "latin1"): string
}

interface Uint8Array<TArrayBuffer extends ArrayBufferLike> {
  toBase64(options?: { readonly alphabet?: "base64" | "base64url"; readonly omitPadding?: boolean }): string
  toHex(): string
}

interface Uint8ArrayConstructor {
  fromBase64(text: string, options?: { readonly alphabet?: "base64" | "base64url" }): Uint8Array<ArrayBuffer>
  fromHex(text: string): Uint8Array<ArrayBuffer>
}
`

const http = `
interface ScriptHttp {
  get<T = any>(url: string | URL, options?: ScriptHttpOptions): Promise<ScriptHttpAnswer<T>>
  delete<T = any>(url: string | URL, options?: ScriptHttpOptions): Promise<ScriptHttpSent<T>>
  post<T = any>(url: string | URL, body?: ScriptHttpBody, options?: ScriptHttpOptions): Promise<ScriptHttpSent<T>>
  put<T = any>(url: string | URL, body?: ScriptHttpBody, options?: ScriptHttpOptions): Promise<ScriptHttpSent<T>>
  patch<T = any>(url: string | URL, body?: ScriptHttpBody, options?: ScriptHttpOptions): Promise<ScriptHttpSent<T>>
}

/** Text, bytes and parameters go as they are; anything else as JSON. */
type ScriptHttpBody = any

interface ScriptHttpOptions {
  readonly headers?: { readonly [name: string]: string | number | boolean }
  /** Appended to the query; a list several times, \`null\` not at all. */
  readonly params?: { readonly [name: string]: unknown }
  /** Left out: JSON where the answer says so, text otherwise. */
  readonly responseType?: "json" | "text" | "arraybuffer"
}

/** Names in lower case; each a text, several \`set-cookie\` a list of them. */
interface ScriptHttpHeaders {
  readonly [name: string]: any
}

interface ScriptHttpAnswer<T = any> {
  readonly status: number
  readonly headers: ScriptHttpHeaders
  readonly data: T
}

/** In a simulation nothing is sent: \`{ status: 200, data: null, simulated: true }\`. */
interface ScriptHttpSent<T = any> {
  readonly status: number
  readonly headers?: ScriptHttpHeaders
  readonly data: T
  readonly simulated?: true
}

/** What a request with a status of 400 and above is rejected with. */
interface ScriptHttpError extends Error {
  readonly status: number
  readonly response: ScriptHttpAnswer
}
`

const api = `
interface ScriptApi {
  readonly Record: {
    get(record: number | string, query?: ScriptApiQuery): Promise<ScriptApiAnswer>
    create(app: number | string, fields: ScriptApiFields, options?: ScriptApiOptions): Promise<ScriptApiAnswer>
    update(record: number | string, fields: ScriptApiFields, options?: ScriptApiOptions): Promise<ScriptApiAnswer>
    delete(record: number | string, options?: ScriptApiOptions): Promise<ScriptApiAnswer>
    restore(record: number | string, options?: ScriptApiOptions): Promise<ScriptApiAnswer>
    list(app: number | string, query?: ScriptApiQuery): Promise<ScriptApiAnswer>
    filter(app: number | string, filters: ReadonlyArray<object>, query?: ScriptApiQuery): Promise<ScriptApiAnswer>
  }
  readonly Comment: {
    create(record: number | string, value: string, options?: ScriptApiOptions): Promise<ScriptApiAnswer>
    list(record: number | string, query?: ScriptApiQuery): Promise<ScriptApiAnswer>
  }
  readonly App: { get(app: number | string): Promise<ScriptApiAnswer> }
  /** Any endpoint, its path without \`/v1\`: \`api.request("GET", "/automation/66")\`. */
  request(method: string, path: string, body?: unknown, options?: ScriptApiQuery): Promise<ScriptApiAnswer>
}

/** By external id. */
interface ScriptApiFields {
  readonly [external_id: string]: unknown
}

interface ScriptApiQuery {
  readonly [name: string]: string | number | boolean | null | undefined
}

/** What the change may cause; nothing of it unless asked for. */
interface ScriptApiOptions extends ScriptApiQuery {
  readonly silent?: boolean
  /** Whether webhooks are told. */
  readonly hook?: boolean
  /** Whether automations are fired. */
  readonly workflow?: boolean
}

interface ScriptApiAnswer<T = any> {
  readonly data: T
  readonly headers: { readonly [name: string]: string }
}

/** What a call with a status of 400 and above is rejected with. */
interface ScriptApiError extends Error {
  readonly status: number
  readonly data: any
}
`

/** Declarations in pieces that fit into one answer to a model. */
export const scriptTypes: ReadonlyArray<string> = [records, web, crypto, http, api].map((text) => text.trim())
