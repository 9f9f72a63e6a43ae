// The cells that are not saved yet, in the order in which they were edited; the tab keeps them over a reload, for the same user.
import { useSyncExternalStore } from "react"
import { type CellWrite, cellKey, type WriteState } from "./CellWrite.ts"

const keyOf = (userId: number) => `millrace unsaved cells ${userId}`

let owner: number | undefined
let writes: ReadonlyArray<CellWrite> = []
let lastId = 0
const watchers = new Set<() => void>()

/** More would not fit where the browser keeps them; the page asks before it is closed. */
const KEPT = 2_000

const keep = () => {
  if (owner === undefined) return
  if (writes.length === 0 || writes.length > KEPT) sessionStorage.removeItem(keyOf(owner))
  else sessionStorage.setItem(keyOf(owner), JSON.stringify(writes))
}

const set = (next: ReadonlyArray<CellWrite>) => {
  writes = next
  for (const watcher of watchers) watcher()
  keep()
}

/** Takes up what the user left unsaved in this tab; another user's waits for them. */
export const restoreWrites = (userId: number) => {
  owner = userId
  const keptText = sessionStorage.getItem(keyOf(userId))
  const keptWrites: ReadonlyArray<CellWrite> = keptText === null ? [] : JSON.parse(keptText)
  lastId = Math.max(lastId, ...keptWrites.map(({ id }) => id))
  set([...keptWrites, ...writes])
}

/** @param sent ids of the writes that are on their way, which nothing replaces */
export const addWrites = (added: ReadonlyArray<Omit<CellWrite, "id" | "state">>, sent: ReadonlySet<number>) => {
  const next: Array<CellWrite> = [...writes]
  const indexByCell = new Map(next.map((write, index) => [cellKey(write), index]))
  for (const addedWrite of added) {
    const write: CellWrite = { ...addedWrite, id: ++lastId, state: { kind: "waiting" } }
    const cellIndex = indexByCell.get(cellKey(write))
    const former = cellIndex === undefined ? undefined : next[cellIndex]
    if (former === undefined || sent.has(former.id)) {
      indexByCell.set(cellKey(write), next.length)
      // Over what the first of them saw, or over what is on its way.
      next.push(former === undefined ? write : { ...write, before: former.shown ?? write.before })
    } else next[cellIndex!] = { ...write, before: former.before, revision: former.revision }
  }
  set(next)
}

/** Records of a batch. */
const BATCH = 50

/**
 * The next writes to send: one, or those behind it of the same app, up to fifty records.
 * @param isAlone true if a write is sent by itself
 */
export const nextWrites = (isAlone: (write: CellWrite) => boolean): ReadonlyArray<CellWrite> => {
  const firstIndex = writes.findIndex(({ state }) => state.kind === "waiting")
  const write = writes[firstIndex]
  if (write === undefined || isAlone(write)) return write === undefined ? [] : [write]
  const batch: Array<CellWrite> = []
  const [records, cells] = [new Set<number>(), new Set<string>()]
  for (const laterWrite of writes.slice(firstIndex)) {
    if (laterWrite.state.kind !== "waiting" || laterWrite.appId !== write.appId || isAlone(laterWrite)) break
    if (cells.has(cellKey(laterWrite)) || (!records.has(laterWrite.recordId) && records.size === BATCH)) break
    records.add(laterWrite.recordId)
    cells.add(cellKey(laterWrite))
    batch.push(laterWrite)
  }
  return batch
}

/** The unsaved cells now, for what is not drawn. */
export const currentWrites = () => writes
export const laterWrite = (write: CellWrite) =>
  writes.find((one) => one.id > write.id && cellKey(one) === cellKey(write))

export const changeState = (id: number, state: WriteState) =>
  set(writes.map((one) => (one.id === id ? { ...one, state } : one)))
export const changeWrites = (change: (write: CellWrite) => CellWrite | undefined) =>
  set(writes.flatMap((one) => change(one) ?? []))

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
export const useWrites = (): ReadonlyArray<CellWrite> => useSyncExternalStore(watch, () => writes)

// A closed tab forgets them.
window.addEventListener("beforeunload", (event) => writes.length > 0 && event.preventDefault())
