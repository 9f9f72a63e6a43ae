// Shows changes on the server within a second. Events mark cached answers as stale, and visible ones are fetched again: at most about once
// a second, and less often while changes continue, as the person's request budget serves other things too. A hidden page fetches when it
// becomes visible. If events are refused or unavailable, all visible answers are fetched every fifteen seconds or less often.
import { isApiError, type LiveEvent } from "@millrace/client"
import { client, queryClient } from "../client.ts"
import { makePace } from "../pace.ts"
import { busyMillis, isAway, onReturn } from "../service.ts"
import { currentUserId } from "../session.ts"
import { letRequestsBegin } from "./firstReady.ts"
import { type StreamListener, shareStream } from "./sharedStream.ts"

const GATHER = 700
const POLL = 15_000
/** Milliseconds until a failed query is repeated. */
const AGAIN = 5_000

type Key = ReadonlyArray<unknown>

const keysOf = (live: LiveEvent): ReadonlyArray<Key> => {
  switch (live.event) {
    case "record": {
      const { app_id, record_id } = live.data
      return [
        ["records", app_id],
        ["record", record_id],
        ["comments", record_id],
        ["revisions", record_id]
      ]
    }
    case "app": {
      const { app_id, type } = live.data
      // Records too: a view says which of them it shows.
      if (type === "view.update")
        return [
          ["views", app_id],
          ["records", app_id]
        ]
      return [["apps"], ["app", app_id], ["views", app_id]]
    }
    case "run":
      return [["runs"], ["run", live.data.run_id], ["home"]]
    case "delivery": {
      const { app_id, delivery_id, hook_id } = live.data
      return [
        ["home"],
        ["hooks", "of", app_id],
        ["hooks", hook_id, "record"],
        ["hooks", hook_id, "deliveries"],
        ["hooks", hook_id, "statistics"],
        ["hooks", hook_id, "replays"],
        ["hooks", "delivery", delivery_id]
      ]
    }
    case "ready":
      return live.data.resumed ? [] : [[]]
    case "reset":
      return [[]]
  }
}

/** The service was away or had no time; of what it refuses nothing else comes. */
const mayPass = (error: unknown) => !isApiError(error) || error.status >= 500 || error.status === 429

const refetchAll = () => {
  if (!isAway()) void queryClient.invalidateQueries({ refetchType: document.hidden ? "none" : "active" })
}

/** Listens while the page is there. */
export const listen = () => {
  const old = new Map<string, Key>()
  let isFlushDue = false
  const pace = makePace()
  const flush = () => {
    isFlushDue = false
    const refetchedHashes = new Set<string>()
    const refetchType = document.hidden ? "none" : "active"
    for (const queryKey of old.values()) {
      for (const { queryHash } of queryClient.getQueryCache().findAll({ queryKey, type: "active" }))
        refetchedHashes.add(queryHash)
      void queryClient.invalidateQueries({ queryKey, refetchType })
    }
    old.clear()
    if (!document.hidden) pace.spend(refetchedHashes.size, performance.now())
  }
  const soon = (millis: number) => {
    if (!isFlushDue) window.setTimeout(flush, Math.max(millis, busyMillis(), pace.wait(performance.now())))
    isFlushDue = true
  }
  // Queues a failed query again: the event that caused it does not come a second time.
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "error" || !mayPass(event.action.error)) return
    old.set(event.query.queryHash, event.query.queryKey)
    soon(AGAIN)
  })
  onReturn(
    () => void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" })
  )
  let polledAt = Date.now()
  let isPolling = false
  const listener: StreamListener = {
    onEvent: (event) => {
      // What was asked after the stream was opened is no older than it.
      const isFirst = !letRequestsBegin()
      if (isFirst && event.event === "ready") return
      for (const key of keysOf(event)) old.set(JSON.stringify(key), key)
      if (old.size > 0) soon(GATHER)
    },
    onAlive: letRequestsBegin,
    onTrouble: () => {
      letRequestsBegin()
      if (Date.now() - polledAt < POLL) return
      polledAt = Date.now()
      refetchAll()
    },
    onRefused: () => {
      letRequestsBegin()
      if (!isPolling) window.setInterval(refetchAll, POLL)
      isPolling = true
    }
  }
  // Without a session the page is left; without the service the next return begins.
  const begin = () => {
    const onFailure = () => {
      letRequestsBegin()
      const end = onReturn(() => {
        end()
        begin()
      })
    }
    currentUserId().then((userId) => shareStream(client.transport, userId, listener), onFailure)
  }
  begin()
}
