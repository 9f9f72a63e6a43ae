// What workflow code imports from the SDK, over the Temporal of a schedule.

import { millisOf } from "./durations.ts"
import { currentExecution, type SimulatedTemporal, type Task } from "./SimulatedTemporal.ts"

let temporal: SimulatedTemporal | undefined

/** The Temporal of the schedule that runs now. */
export const useTemporal = (of: SimulatedTemporal | undefined) => {
  temporal = of
}

const here = () => ({ execution: currentExecution.getStore()!, temporal: temporal! })

class Scope {
  static readonly nonCancellable = <A>(run: () => Promise<A>) => run()
  readonly run = <A>(run: () => Promise<A>) => run()
  readonly cancel = () => undefined
}

export const workflowApi = {
  condition: (holds: () => boolean, timeout?: number | string) => {
    const { execution, temporal: of } = here()
    return of.condition(execution, holds, timeout === undefined ? undefined : millisOf(timeout))
  },
  proxyActivities: (options: Task["options"]) => {
    const { execution, temporal: of } = here()
    const activity = (name: string) => {
      const call = (...args: ReadonlyArray<unknown>) => of.schedule(execution, name, options, args)
      return Object.assign(call, {
        executeWithOptions: (_: object, args: ReadonlyArray<unknown>) => call(...args)
      })
    }
    return new Proxy({}, { get: (_, name) => activity(String(name)) })
  },
  setHandler: ({ name }: { readonly name: string }, handler: (...args: ReadonlyArray<unknown>) => void) => {
    here().execution.handlers.set(name, handler)
  },
  startChild: async (type: string, options: Parameters<SimulatedTemporal["start"]>[1]) => {
    const { temporal: of } = here()
    const child = of.start(type, options)
    return { result: () => of.condition(child, () => !child.isOpen) }
  },
  workflowInfo: () => ({
    typedSearchAttributes: { get: () => undefined },
    historyLength: 0,
    continueAsNewSuggested: false
  }),
  patched: () => true,
  setCurrentDetails: () => undefined,
  upsertSearchAttributes: () => undefined,
  isCancellation: () => false,
  CancellationScope: Scope
}
