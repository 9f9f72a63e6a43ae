// State that the parts of the flow show, each its own: a key in a form draws the card of its step anew, and no other.
import { createContext, useContext, useLayoutEffect, useState, useSyncExternalStore } from "react"
import type { Names } from "./model/conditionSentence.ts"
import type { Definition } from "./model/definition.ts"
import type { Step } from "./model/steps.ts"

interface FlowState {
  readonly definition: Definition
  readonly app_id: number
  readonly steps: ReadonlyMap<string, Step>
  /** Changes only when the flow has to be laid out anew (model/layout.ts). */
  readonly shape: string
  readonly folded: ReadonlySet<string>
  readonly chosen: string
  readonly names: Names
  /** Numbers of errors and warnings by part, as its card says them. */
  readonly troubles: ReadonlyMap<string, string>
  readonly choose: (id: string) => void
  readonly fold: (id: string) => void
}

const makeFlowStore = (initialState: FlowState) => {
  let state = initialState
  const listeners = new Set<() => void>()
  return {
    read: () => state,
    write: (next: FlowState) => {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}
type FlowStore = ReturnType<typeof makeFlowStore>

export const FlowContext = createContext<FlowStore | undefined>(undefined)

/** Holds the latest state after each drawing of the editor. */
export const useNewFlowStore = (state: FlowState): FlowStore => {
  const [store] = useState(() => makeFlowStore(state))
  useLayoutEffect(() => store.write(state), [state, store])
  return store
}

export const useFlowStore = (): FlowStore => {
  const store = useContext(FlowContext)
  if (store === undefined) throw new Error("outside of the editor")
  return store
}

/** @param select gives the same value until what it reads has changed: a part of the state, or a primitive */
export const useFlow = <A>(select: (state: FlowState) => A): A => {
  const store = useFlowStore()
  return useSyncExternalStore(store.subscribe, () => select(store.read()))
}
