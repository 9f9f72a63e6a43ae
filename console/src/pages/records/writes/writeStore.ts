// The cells that are not saved yet, in the order in which they were edited; the tab keeps them over a reload, for the same user.
import { useSyncExternalStore } from "react"
import { type CellWrite, isSameCell, type WriteState } from "./CellWrite.ts"

const keyOf = (userId: number) => `millrace unsaved cells ${userId}`

let owner: number | undefined
let writes: ReadonlyArray<CellWrite> = []
let lastId = 0
const watchers = new Set<() => void>()

const keep = () => {
  if (owner === undefined) return
  if (writes.length === 0) sessionStorage.removeItem(keyOf(owner))
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

/** @param sent the write that is on its way, which nothing replaces */
export const addWrite = (write: Omit<CellWrite, "id" | "state">, sent: number | undefined) => {
  const added: CellWrite = { ...write, id: ++lastId, state: { kind: "waiting" } }
  const former = writes.findLast((one) => isSameCell(one, added))
  if (former === undefined) return set([...writes, added])
  // Over what the first of them saw, or over what is on its way.
  if (former.id === sent) return set([...writes, { ...added, before: former.shown ?? added.before }])
  const { before, revision } = former
  return set(writes.map((one) => (one === former ? { ...added, before, revision } : one)))
}

export const nextWrite = () => writes.find(({ state }) => state.kind === "waiting")
export const laterWrite = (write: CellWrite) => writes.find((one) => one.id > write.id && isSameCell(one, write))

export const changeState = (id: number, state: WriteState) =>
  set(writes.map((one) => (one.id === id ? { ...one, state } : one)))
export const changeWrites = (change: (write: CellWrite) => CellWrite | undefined) =>
  set(writes.flatMap((one) => change(one) ?? []))
export const dropWrite = (id: number) => set(writes.filter((one) => one.id !== id))

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
export const useWrites = (): ReadonlyArray<CellWrite> => useSyncExternalStore(watch, () => writes)

/** The latest unsaved value of a cell. */
export const writeOf = (all: ReadonlyArray<CellWrite>, recordId: number, fieldId: number) =>
  all.findLast((one) => one.recordId === recordId && one.field.field_id === fieldId)

// A closed tab forgets them.
window.addEventListener("beforeunload", (event) => writes.length > 0 && event.preventDefault())
