// One stream of changes for all tabs of a user in a browser (docs/console.md, "One connection for all tabs"). The tab that holds the lock
// listens and tells the others over a channel; the lock goes to the next one when that tab closes, crashes or is hidden. Whoever takes over
// continues behind the last id that all have heard.
import { type LiveEvent, liveEvents, type Transport } from "@millrace/client"

/** A stream without a tab that is seen ends after this time. */
const HIDDEN_MILLIS = 30_000
/** The tab that listens says so this often. */
const ALIVE_MILLIS = 10_000
/** After this silence the listening tab is taken for suspended, and its lock is taken away. */
const SILENT_MILLIS = 45_000

type Message =
  | { readonly kind: "event"; readonly event: LiveEvent }
  | { readonly kind: "alive"; readonly id: string | undefined }
  | { readonly kind: "trouble" | "refused" }
  /** A tab was opened or is seen again. */
  | { readonly kind: "hello"; readonly seen: boolean }

export interface StreamListener {
  readonly onEvent: (event: LiveEvent) => void
  /** Somebody listens already. */
  readonly onAlive: () => void
  /** The stream broke, and is tried again. */
  readonly onTrouble: () => void
  /** There is no stream for this user. */
  readonly onRefused: () => void
}

/** Listens until it is ended. @returns what ends it */
export const shareStream = (transport: Transport, userId: number, listener: StreamListener): (() => void) => {
  const name = `millrace live ${userId}`
  const channel = new BroadcastChannel(name)
  // Browsers have locks on secure pages alone: without, each tab that is seen listens for itself.
  const locks = navigator.locks as LockManager | undefined
  const say = (message: Message) => {
    if (locks !== undefined) channel.postMessage(message)
  }
  let lastId: string | undefined
  let heardAt = Date.now()
  let hiddenTimer: number | undefined
  /** Set while this tab listens or waits for its turn; aborted to let another one. */
  let turn: AbortController | undefined
  /** The turn in which this tab listens; undefined while another one does. */
  let listening: AbortSignal | undefined

  const listenAlone = async (signal: AbortSignal) => {
    listening = signal
    const alive = window.setInterval(() => say({ kind: "alive", id: lastId }), ALIVE_MILLIS)
    const onId = (id: string) => {
      lastId = id
    }
    const onTrouble = () => {
      say({ kind: "trouble" })
      listener.onTrouble()
    }
    try {
      const options = { signal, onId, onTrouble, ...(lastId !== undefined && { after: lastId }) }
      for await (const event of liveEvents(transport, options)) {
        say({ kind: "event", event })
        listener.onEvent(event)
      }
    } catch {
      if (signal.aborted) return
      say({ kind: "refused" })
      listener.onRefused()
    } finally {
      window.clearInterval(alive)
      if (listening === signal) listening = undefined
    }
  }

  const takeTurn = (steal = false) => {
    if (turn !== undefined) return
    const ownTurn = new AbortController()
    turn = ownTurn
    const end = () => {
      ownTurn.abort()
      if (turn === ownTurn) turn = undefined
    }
    // A request that steals cannot be broken off, and need not be: it does not wait.
    const options = steal ? { steal } : { signal: ownTurn.signal }
    const listen = () => listenAlone(ownTurn.signal)
    const turnEnd = locks === undefined ? listen() : locks.request(name, options, listen)
    turnEnd.then(end, end)
  }
  const endTurn = () => {
    turn?.abort()
    turn = undefined
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === "hello") {
      if (listening === undefined) return
      say({ kind: "alive", id: lastId })
      if (data.seen && document.hidden) endTurn()
      return
    }
    heardAt = Date.now()
    if (data.kind === "event") {
      lastId = data.event.id
      listener.onEvent(data.event)
    } else if (data.kind === "alive") {
      lastId = data.id ?? lastId
      listener.onAlive()
    } else if (data.kind === "trouble") listener.onTrouble()
    else listener.onRefused()
  }

  const onVisibility = () => {
    window.clearTimeout(hiddenTimer)
    if (document.hidden) {
      // Whoever waits for its turn leaves the queue, lest a suspended tab gets the lock.
      if (listening !== undefined) hiddenTimer = window.setTimeout(endTurn, HIDDEN_MILLIS)
      else endTurn()
      return
    }
    heardAt = Date.now()
    takeTurn()
    say({ kind: "hello", seen: true })
  }
  const watchdog = window.setInterval(() => {
    if (document.hidden || listening !== undefined || Date.now() - heardAt < SILENT_MILLIS) return
    heardAt = Date.now()
    endTurn()
    takeTurn(true)
  }, ALIVE_MILLIS)
  document.addEventListener("visibilitychange", onVisibility)
  if (document.hidden) say({ kind: "hello", seen: false })
  else onVisibility()

  return () => {
    window.clearTimeout(hiddenTimer)
    window.clearInterval(watchdog)
    document.removeEventListener("visibilitychange", onVisibility)
    endTurn()
    channel.close()
  }
}
