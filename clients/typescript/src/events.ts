// Follows changes as they happen: `GET /v1/events` over fetch, which can send a credential where EventSource cannot. A stream that ends or
// breaks resumes where it was; one that cannot resume begins with a `ready` that is not `resumed`.
import { addressAt } from "./address.ts"
import { isApiError, TransportError } from "./errors.ts"
import type { Api } from "./generated/types.ts"
import { pause, secondsOf } from "./retries.ts"
import type { Transport } from "./transport.ts"

/** `ready` that is not `resumed`, and `reset`: read anew what is shown. */
export type LiveEvent = Exclude<Api["schemas"]["ServerSentEvent"], { readonly event: "end" }>

export interface EventsOptions {
  /** Events of this app only. */
  readonly app_id?: number
  readonly kinds?: ReadonlyArray<"records" | "apps" | "runs" | "deliveries">
  /** Id of an event of an earlier stream, behind which this one begins. */
  readonly after?: string
  /** Called with each id that arrives, also between events: with the latest as `after`, another stream continues where this one was. */
  readonly onId?: (id: string) => void
  readonly signal?: AbortSignal
  /** When a stream could not be opened, or broke: it is tried again. */
  readonly onTrouble?: (error: unknown) => void
}

const FIRST_MILLIS = 500
const MOST_MILLIS = 30_000
/** The service gives a sign of life every 15 s. */
const SILENT_MILLIS = 45_000

interface Place {
  id: string | undefined
}

const eventOf = (block: string, place: Place): Api["schemas"]["ServerSentEvent"] | undefined => {
  let event: string | undefined
  let data = ""
  for (const fieldLine of block.split("\n")) {
    if (fieldLine.startsWith("id: ")) place.id = fieldLine.slice(4)
    else if (fieldLine.startsWith("event: ")) event = fieldLine.slice(7)
    else if (fieldLine.startsWith("data: ")) data += fieldLine.slice(6)
  }
  return event === undefined ? undefined : ({ id: place.id ?? "", event, data: JSON.parse(data) } as never)
}

/** The events of one answer; ends when the service ends it. */
async function* eventsOf(response: Response, place: Place, silent: () => void, onId: EventsOptions["onId"]) {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let timer: ReturnType<typeof setTimeout> | undefined
  let text = ""
  try {
    for (;;) {
      clearTimeout(timer)
      timer = setTimeout(silent, SILENT_MILLIS)
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop()!
      for (const block of blocks) {
        const event = eventOf(block, place)
        if (place.id !== undefined) onId?.(place.id)
        if (event !== undefined) yield event
      }
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => undefined)
  }
}

/** Refusals that another try does not mend. */
const isFinal = (error: unknown) => isApiError(error) && error.status < 500 && error.status !== 429

/** Milliseconds that the service asks to wait. */
const requestedMillis = (error: unknown) =>
  isApiError(error, "too_many_requests", "service_unavailable") ? (secondsOf(error) ?? 0) * 1000 : 0

/**
 * Goes on until it is broken off: by `break`, or by the signal, with its reason. An event may come twice where a stream broke.
 * @throws ApiError where the service refuses: the credential, the app, a kind
 */
export async function* liveEvents(transport: Transport, options: EventsOptions = {}): AsyncGenerator<LiveEvent, void> {
  const { after, app_id, kinds, onId, onTrouble, signal } = options
  const url = addressAt(transport.baseUrl, "/v1/events")
  if (app_id !== undefined) url.searchParams.set("app_id", String(app_id))
  if (kinds !== undefined) url.searchParams.set("kinds", kinds.join(","))
  const cursor: Place = { id: after }
  let tries = 0
  for (;;) {
    signal?.throwIfAborted()
    let leastMillis = 0
    const silence = new AbortController()
    const stop = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal])
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream" }
      if (cursor.id !== undefined) headers["Last-Event-ID"] = cursor.id
      const response = await transport.send(url, { headers, signal: stop, unlimited: true })
      if (!response.ok) throw await transport.errorOf(response)
      const silent = () => silence.abort(new TransportError("GET /v1/events: no sign of life"))
      for await (const event of eventsOf(response, cursor, silent, onId)) {
        tries = 0
        if (event.event !== "end") yield event
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (isFinal(error)) throw error
      leastMillis = requestedMillis(error)
      onTrouble?.(error)
    }
    const backoffMillis = Math.min(FIRST_MILLIS * 2 ** tries++, MOST_MILLIS) * (0.5 + Math.random() / 2)
    await pause(Math.max(leastMillis, backoffMillis), signal)
  }
}
