// `api` of custom_code (developer-api.md 8.2): the Developer API by its resources; every call is one message to the host and back.
import { type CallHost, callError } from "./pendingCalls.ts"

type Query = Record<string, unknown>

interface ApiAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly data: unknown
}

export const makeApi = (call: CallHost) => {
  /** Adds the switches of a write: webhooks and other automations stay quiet unless the script asks for them. */
  const switches = (options: Query = {}): Query => ({ hook: false, workflow: false, ...options })
  const send = async (method: string, path: string, query: Query, body?: unknown) => {
    const site = new Error()
    const texts = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
    const request = { method, path, query: Object.fromEntries(texts.map(([k, v]) => [k, `${v}`])), body: body ?? null }
    const answer = JSON.parse(await call("api", JSON.stringify(request))) as ApiAnswer
    if (answer.status < 400) return { data: answer.data, headers: answer.headers }
    const errorMessage = (answer.data as { error_message?: string } | null)?.error_message
    throw callError(errorMessage ?? `The API answered ${answer.status}`, site, {
      status: answer.status,
      data: answer.data
    })
  }
  const id = (value: unknown) => encodeURIComponent(`${value}`)
  return Object.freeze({
    Record: Object.freeze({
      get: (record: unknown, query?: Query) => send("GET", `/record/${id(record)}`, query ?? {}),
      create: (app: unknown, fields: unknown, options?: Query) =>
        send("POST", `/record/app/${id(app)}`, switches(options), { fields }),
      update: (record: unknown, fields: unknown, options?: Query) =>
        send("PUT", `/record/${id(record)}`, switches(options), { fields }),
      delete: (record: unknown, options?: Query) => send("DELETE", `/record/${id(record)}`, switches(options)),
      restore: (record: unknown, options?: Query) => send("POST", `/record/${id(record)}/restore`, switches(options)),
      list: (app: unknown, query?: Query) => send("GET", `/record/app/${id(app)}`, query ?? {}),
      filter: (app: unknown, filters: unknown, query?: Query) =>
        send("POST", `/record/filter/app/${id(app)}`, query ?? {}, { filters })
    }),
    Comment: Object.freeze({
      create: (record: unknown, value: unknown, options?: Query) =>
        send("POST", `/comment/record/${id(record)}`, switches(options), { value }),
      list: (record: unknown, query?: Query) => send("GET", `/comment/record/${id(record)}`, query ?? {})
    }),
    App: Object.freeze({ get: (app: unknown) => send("GET", `/app/${id(app)}`, {}) }),
    request: (method: unknown, path: unknown, body?: unknown, options?: Query) => {
      const verb = `${method}`.toUpperCase()
      return send(verb, `${path}`, verb === "GET" ? (options ?? {}) : switches(options), body)
    }
  })
}
