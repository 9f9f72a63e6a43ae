// Hostile inputs for the freeze check, as a table: what strangers and tenants may send over HTTP (decisions P6 to P8). A new kind is a
// line here.
import { connect } from "node:net"

export interface Target {
  readonly url: string
  readonly token: string
  readonly appId: number
  readonly recordId: number
  /** Slug of a text field. */
  readonly slug: string
  /** Inbound address of an automation that mails, prints and calls what it is sent. */
  readonly catchUrl: string
}

export interface Hostile {
  readonly name: string
  readonly send: (target: Target) => Promise<unknown>
}

const KIB = 1024
/** Milliseconds after which a sender without an answer gives up. */
const PATIENCE_MILLIS = 20_000

const many = (count: number, item: string) => new Array(count).fill(item).join()
const keys = (count: number) => Array.from({ length: count }, (_, index) => `"key_${index}":1`).join()

const drainBody = (response: Response) => response.arrayBuffer().catch(() => undefined)
const post = (url: string, headers: Record<string, string>, body: string) =>
  fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE_MILLIS) }).then(
    drainBody,
    () => undefined
  )

const json = (name: string, path: (target: Target) => string, body: string, method = "POST"): Hostile => ({
  name,
  send: (target) =>
    fetch(`${target.url}${path(target)}`, {
      method,
      headers: { authorization: `Bearer ${target.token}`, "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(PATIENCE_MILLIS)
    }).then(drainBody, () => undefined)
})
const filter = ({ appId }: Target) => `/v1/record/filter/app/${appId}`
const create = ({ appId }: Target) => `/v1/record/app/${appId}`
const automation = ({ appId }: Target) => `/v1/automation/app/${appId}`
const mcp = () => "/mcp"

/** Chunks until the other side has enough. */
const flood = (name: string, path: string, headers: Record<string, string>, megabytes: number): Hostile => ({
  name,
  send: ({ token, url }) =>
    new Promise<void>((resolve) => {
      const { host, hostname, port } = new URL(url)
      const chunk = Buffer.from(`10000\r\n${"a".repeat(64 * KIB)}\r\n`)
      let remainingChunks = megabytes * 16
      const socket = connect({ host: hostname, port: Number(port) })
      const limit = setTimeout(() => socket.destroy(), PATIENCE_MILLIS)
      const write = () => {
        while (remainingChunks-- > 0 && !socket.destroyed)
          if (!socket.write(chunk)) return void socket.once("drain", write)
        socket.end("0\r\n\r\n")
      }
      const lines = Object.entries({
        host,
        authorization: `Bearer ${token}`,
        "transfer-encoding": "chunked",
        ...headers
      })
      socket.on("connect", () => {
        socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join("")}\r\n`)
        write()
      })
      socket.on("data", () => undefined)
      socket.on("error", () => undefined)
      socket.on("close", () => {
        clearTimeout(limit)
        resolve()
      })
    })
})
const form = { "content-type": "application/x-www-form-urlencoded", authorization: "" }
const asJson = { "content-type": "application/json" }

const caught = (name: string, payload: Readonly<Record<string, string>>): Hostile => ({
  name,
  send: ({ catchUrl }) => post(catchUrl, asJson, JSON.stringify(payload))
})
const page = (name: string, body: string): Hostile => ({
  name,
  send: ({ url }) => post(`${url}/sign-in`, { "content-type": "application/x-www-form-urlencoded" }, body)
})
const cell = (name: string, text: string): Hostile => ({
  name,
  send: ({ appId, slug, token, url }) =>
    post(
      `${url}/v1/record/app/${appId}`,
      { ...asJson, authorization: `Bearer ${token}` },
      JSON.stringify({ fields: { [slug]: text } })
    )
})

const bodies: ReadonlyArray<Hostile> = [
  flood("150 MB to /oauth/token", "/oauth/token", form, 150),
  flood("150 MB to /oauth/register", "/oauth/register", { ...asJson, authorization: "" }, 150),
  flood("150 MB to /sign-in", "/sign-in", form, 150),
  flood("150 MB to /v1", "/v1/record/app/1", asJson, 150),
  flood("150 MB to /mcp", "/mcp", asJson, 150),
  flood("150 MB to nowhere", "/nowhere", asJson, 150)
]

const structures: ReadonlyArray<Hostile> = [
  json("600,000 filters", filter, `{"filters":[${many(600_000, "{}")}]}`),
  json("60,000 filters", filter, `{"filters":[${many(60_000, "{}")}]}`),
  json("90,000 values of a filter", filter, `{"filters":[{"type":"text","values":[${many(90_000, "{}")}]}]}`),
  json("120,000 unknown fields", create, `{"fields":{${keys(120_000)}}}`),
  json(
    "90,000 inputs of a batch",
    ({ appId }) => `/v1/record/app/batch/${appId}`,
    `{"inputs":[${many(90_000, "{}")}]}`
  ),
  json("40,000 empty actions", automation, `{"name":"x","actions":[${many(40_000, "{}")}]}`),
  json("19,000 filter rows", automation, `{"name":"x","filter":{"operator":"and","rows":[${many(19_000, "{}")}]}}`),
  json("a list in 200 levels, wide", create, `{"fields":{"a":${"[1,".repeat(150)}1${"]".repeat(150)}}}`),
  json("100,000 stray keys", create, `{${keys(100_000)}}`),
  json("2 MB of no JSON", create, `{"fields":"${"\\\\u0000".repeat(200_000)}`),
  json("300,000 JSON-RPC messages", mcp, `[${many(300_000, "{}")}]`),
  json(
    "60,000 filters of a tool",
    mcp,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_records","arguments":{"app_id":1,"filters":[${many(60_000, "{}")}]}}}`
  )
]

const texts: ReadonlyArray<Hostile> = [
  caught("60,000 < as a mail address", { to: "<".repeat(60_000) }),
  caught("addresses without end", { to: `${"a@".repeat(100_000)} ` }),
  caught("blanks before a comma", { to: `a${" ".repeat(200_000)}b` }),
  caught("markup that never closes", { to: "a@example.com", text: "<a ".repeat(100_000) }),
  caught("markup, deep", { to: "a@example.com", text: "<b>".repeat(50_000) }),
  caught("entities without end", { to: "a@example.com", text: "&#".repeat(200_000) }),
  caught("credentials in a log text", { to: "a@example.com", text: `${"https://a:".repeat(60_000)}x` }),
  cell("markup in a cell, deep", "<i>".repeat(8_000)),
  cell("markup in a cell that never closes", "<x y=".repeat(4_000)),
  page("40,000 fields of a form", many(5_000, "a=b").replaceAll(",", "&")),
  page("an address of signs", `email=${"%3C".repeat(15_000)}&password=x`)
]

export const hostile: Readonly<Record<"bodies" | "structures" | "texts", ReadonlyArray<Hostile>>> = {
  bodies,
  structures,
  texts
}

/** All of them at once is a kind of its own. */
export const kinds: Readonly<Record<string, ReadonlyArray<Hostile>>> = {
  ...hostile,
  all: Object.values(hostile).flat()
}
