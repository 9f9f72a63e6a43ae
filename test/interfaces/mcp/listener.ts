// A client of subscriptions/listen, over the service in memory or a socket: what has come, as it comes.
import { Effect } from "effect"
import { App } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"
import { headersOf, metaOf, revision } from "./modern.ts"

const method = "subscriptions/listen"

export const listenRequest = (uris: ReadonlyArray<unknown>, capabilities: object = {}, more: object = {}) => ({
  jsonrpc: "2.0",
  id: "listen-1",
  method,
  params: { notifications: { resourceSubscriptions: uris, ...more }, _meta: metaOf(revision, capabilities) }
})

const headersFor = (token: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  ...headersOf(method, {})
})

/** Closed with the scope. */
export const listenTo = Effect.fnUntraced(function* (token: string, uris: ReadonlyArray<string>, origin?: string) {
  const app = yield* App
  const stop = new AbortController()
  const request = new Request(`${origin ?? "http://127.0.0.1:8080"}/mcp`, {
    method: "POST",
    headers: headersFor(token),
    body: JSON.stringify(listenRequest(uris)),
    signal: stop.signal
  })
  const response = yield* origin === undefined ? app.fetch(request) : Effect.promise(() => fetch(request))
  const messages: Array<any> = []
  let hasEnded = false
  const read = async () => {
    let text = ""
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const blocks = text.split("\n\n")
      text = blocks.pop()!
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "))
        if (data !== undefined) messages.push(JSON.parse(data.slice(6)))
      }
    }
  }
  read()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true
    })
  yield* Effect.addFinalizer(() => Effect.sync(() => stop.abort()))
  const updated = () =>
    messages.filter((one) => one.method === "notifications/resources/updated").map((one) => one.params.uri as string)
  yield* eventually(
    "the acknowledgement",
    Effect.sync(() => messages.length),
    (n) => n > 0 || hasEnded
  )
  return {
    status: response.status,
    messages,
    updated,
    until: (what: string, wanted: (uris: ReadonlyArray<string>) => boolean) =>
      eventually(what, Effect.sync(updated), wanted),
    isOver: eventually(
      "the end",
      Effect.sync(() => hasEnded),
      (it) => it
    )
  }
})
