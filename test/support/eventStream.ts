// A client of `GET /v1/events`, over the service in memory or a socket: what has come, as it comes.
import { Effect } from "effect"
import { App } from "./app.ts"
import { eventually } from "./eventually.ts"

export interface SentEvent {
  readonly id: string
  readonly event: string
  readonly data: any
}

const parseBlock = (block: string): SentEvent | undefined => {
  const fields = new Map(
    block
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(":"))
      .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])
  )
  const event = fields.get("event")
  return event === undefined
    ? undefined
    : { id: fields.get("id") ?? "", event, data: JSON.parse(fields.get("data") ?? "null") }
}

/** Closed with the scope. */
export const eventsAt = Effect.fnUntraced(function* (
  token: string,
  query = "",
  headers: Record<string, string> = {},
  origin?: string
) {
  const app = yield* App
  const stop = new AbortController()
  const url = `${origin ?? "http://127.0.0.1:8080"}/v1/events${query}`
  const request = new Request(url, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: stop.signal
  })
  const response = yield* origin === undefined ? app.fetch(request) : Effect.promise(() => fetch(request))
  const events: Array<SentEvent> = []
  let isOver = false
  let text = ""
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
      const blocks = text.split("\n\n")
      text = blocks.pop()!
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event !== undefined) events.push(event)
      }
    }
    isOver = true
  }
  const reading = read().catch(() => {
    isOver = true
  })
  const close = Effect.promise(async () => {
    stop.abort()
    await reader.cancel().catch(() => undefined)
    await reading
  })
  yield* Effect.addFinalizer(() => close)
  const until = (what: string, wanted: (events: ReadonlyArray<SentEvent>) => boolean) =>
    eventually(
      what,
      Effect.sync(() => events),
      wanted
    )
  const dataOf = (event: string) => events.filter((one) => one.event === event).map(({ data }) => data)
  const awaitReady = until("ready", (all) => all.some(({ event }) => event === "ready"))
  if (response.status === 200) yield* awaitReady
  return {
    status: response.status,
    response,
    events,
    of: dataOf,
    until,
    close,
    rest: () => text,
    isOver: eventually(
      "its end",
      Effect.sync(() => isOver),
      (is) => is
    )
  }
})
