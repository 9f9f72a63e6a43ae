// Whether the service can be reached, and how long it asks us to wait: known from the answers to all requests of the page, told by
// ui/ServiceNote.tsx. While it is away, it is asked now and then whether it is back.
import { useSyncExternalStore } from "react"

export type ServiceState =
  | { readonly kind: "here" }
  | { readonly kind: "away" }
  /** @property until instant in ms until which requests are refused */
  | { readonly kind: "busy"; readonly until: number }

const HERE: ServiceState = { kind: "here" }
const FIRST_MILLIS = 1_000
const MOST_MILLIS = 10_000
/** A 429 that does not say how long. */
const BUSY_MILLIS = 5_000

let state: ServiceState = HERE
let timer: number | undefined
const watchers = new Set<() => void>()
const returns = new Set<() => void>()

const set = (next: ServiceState) => {
  const wasHere = state.kind === "here"
  state = next
  for (const watcher of watchers) watcher()
  if (next.kind === "here" && !wasHere) for (const onReturn of returns) onReturn()
}

/** True if an answer says that the service itself gave none: a proxy before it, or the service without its database. */
const isNoAnswer = (status: number) => status >= 502 && status <= 504

/** Asks once. */
const answers = async (): Promise<boolean> => {
  try {
    const response = await globalThis.fetch("/health/ready", { cache: "no-store", signal: AbortSignal.timeout(10_000) })
    return response.ok
  } catch {
    return false
  }
}

const askAgain = (millis: number) => {
  window.clearTimeout(timer)
  timer = window.setTimeout(async () => {
    if (state.kind !== "away") return
    if (!document.hidden && (await answers())) set(HERE)
    else askAgain(Math.min(millis * 2, MOST_MILLIS))
  }, millis)
}

const setAway = () => {
  if (state.kind === "away") return
  set({ kind: "away" })
  askAgain(FIRST_MILLIS)
}

const setBusy = (response: Response) => {
  const seconds = Number(response.headers.get("retry-after"))
  const millis = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : BUSY_MILLIS
  const until = Date.now() + millis
  set({ kind: "busy", until })
  window.setTimeout(() => state.kind === "busy" && state.until <= Date.now() && set(HERE), millis + 50)
}

/** `fetch` that learns from its answers. */
export const watchedFetch: typeof globalThis.fetch = async (input, init) => {
  try {
    const response = await globalThis.fetch(input, init)
    if (response.status === 429) setBusy(response)
    else if (isNoAnswer(response.status)) setAway()
    else if (state.kind === "away") set(HERE)
    return response
  } catch (error) {
    if (init?.signal?.aborted !== true) setAway()
    throw error
  }
}

// A machine without a network may still reach a service of its own.
window.addEventListener("offline", () => void isReachable())
window.addEventListener("online", () => state.kind === "away" && askAgain(0))
document.addEventListener("visibilitychange", () => !document.hidden && state.kind === "away" && askAgain(0))

export const isAway = () => state.kind === "away"

/** Milliseconds until requests make sense again, as far as that is known. */
export const busyMillis = (): number => (state.kind === "busy" ? Math.max(0, state.until - Date.now()) : 0)

/** Calls back whenever the service has returned. @returns what ends that */
export const onReturn = (callback: () => void): (() => void) => {
  returns.add(callback)
  return () => returns.delete(callback)
}

/** Asks at once. @returns whether the service answers; where it does not, that is told */
export const isReachable = async (): Promise<boolean> => {
  const reachable = await answers()
  if (!reachable) setAway()
  return reachable
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
export const useService = (): ServiceState => useSyncExternalStore(watch, () => state)
