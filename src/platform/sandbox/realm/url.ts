// URL and URLSearchParams (developer-api.md 8.2). The parsing itself is the host's: text in, parts out.
import { askHost } from "./host.ts"

/** Parts by name as JSON, or the empty string for an invalid URL. With `part`, that part is set to `value` first. */
const parseUrl = (input: string, base: string | null, part: string | null, value: string | null): string =>
  askHost("url", input, base, part, value) ?? ""

const decode = (text: string): string => {
  const spaced = text.replace(/\+/g, " ")
  return spaced.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}
const encodeText = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, "+")

type Pair = [name: string, value: string]

/** Keeps the parameters of a URL with it; no member of the class, which scripts hold. */
let follow: (params: URLSearchParams, search: string, changed: () => void) => void

export class URLSearchParams {
  #pairs: Array<Pair> = []
  #changed: (() => void) | undefined
  constructor(init: unknown = "") {
    if (typeof init === "object" && init !== null) {
      const entries = Symbol.iterator in init ? (init as Iterable<Pair>) : Object.entries(init)
      for (const [name, value] of entries) this.#pairs.push([`${name}`, `${value}`])
    } else this.#read(`${init}`)
  }
  static {
    follow = (params, search, changed) => {
      params.#changed = changed
      params.#read(search)
    }
  }
  #read(text: string) {
    this.#pairs = []
    for (const part of text.replace(/^\?/, "").split("&")) {
      if (part === "") continue
      const equalsIndex = part.indexOf("=")
      this.#pairs.push(
        equalsIndex < 0 ? [decode(part), ""] : [decode(part.slice(0, equalsIndex)), decode(part.slice(equalsIndex + 1))]
      )
    }
  }
  #done() {
    this.#changed?.()
  }
  get size() {
    return this.#pairs.length
  }
  append(name: unknown, value: unknown) {
    this.#pairs.push([`${name}`, `${value}`])
    this.#done()
  }
  delete(name: unknown, value?: unknown) {
    this.#pairs = this.#pairs.filter(([n, v]) => n !== `${name}` || (value !== undefined && v !== `${value}`))
    this.#done()
  }
  get(name: unknown): string | null {
    return this.#pairs.find(([n]) => n === `${name}`)?.[1] ?? null
  }
  getAll(name: unknown): Array<string> {
    return this.#pairs.filter(([n]) => n === `${name}`).map(([, v]) => v)
  }
  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some(([n, v]) => n === `${name}` && (value === undefined || v === `${value}`))
  }
  set(name: unknown, value: unknown) {
    const firstIndex = this.#pairs.findIndex(([n]) => n === `${name}`)
    if (firstIndex < 0) this.#pairs.push([`${name}`, `${value}`])
    else {
      this.#pairs[firstIndex]![1] = `${value}`
      this.#pairs = this.#pairs.filter(([n], i) => n !== `${name}` || i === firstIndex)
    }
    this.#done()
  }
  sort() {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#done()
  }
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void) {
    for (const [name, value] of this.#pairs) callback(value, name, this)
  }
  *entries(): IterableIterator<Pair> {
    for (const [name, value] of this.#pairs) yield [name, value]
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value
  }
  [Symbol.iterator]() {
    return this.entries()
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join("&")
  }
}

const READ_ONLY = ["origin"] as const
const WRITABLE = ["protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"] as const
type Parts = Record<(typeof READ_ONLY)[number] | (typeof WRITABLE)[number] | "href", string>

export class URL {
  #parts: Parts
  readonly searchParams = new URLSearchParams()
  constructor(input: unknown, base?: unknown) {
    const parts = parseUrl(`${input}`, base === undefined ? null : `${base}`, null, null)
    if (parts === "") throw new TypeError(`Invalid URL: ${`${input}`.slice(0, 200)}`)
    this.#parts = JSON.parse(parts)
    this.#follow()
  }
  static canParse(input: unknown, base?: unknown): boolean {
    return parseUrl(`${input}`, base === undefined ? null : `${base}`, null, null) !== ""
  }
  static parse(input: unknown, base?: unknown): URL | null {
    return URL.canParse(input, base) ? new URL(input, base) : null
  }
  #follow() {
    follow(this.searchParams, this.#parts.search, () => this.#set("search", `${this.searchParams}`, false))
  }
  #set(part: string, value: string, follow = true) {
    const parts = parseUrl(this.#parts.href, null, part, value)
    if (parts !== "") this.#parts = JSON.parse(parts)
    else if (part === "href") throw new TypeError(`Invalid URL: ${value.slice(0, 200)}`)
    if (follow) this.#follow()
  }
  get href() {
    return this.#parts.href
  }
  set href(value: unknown) {
    this.#set("href", `${value}`)
  }
  toString() {
    return this.#parts.href
  }
  toJSON() {
    return this.#parts.href
  }
  static {
    for (const part of [...READ_ONLY, ...WRITABLE])
      Object.defineProperty(URL.prototype, part, {
        configurable: true,
        enumerable: true,
        get(this: URL) {
          return this.#parts[part]
        },
        ...(part === "origin"
          ? {}
          : {
              set(this: URL, value: unknown) {
                this.#set(part, `${value}`)
              }
            })
      })
  }
}
