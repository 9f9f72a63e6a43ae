// What workflow code imports from the SDK, over the Temporal of a schedule.
import { AsyncLocalStorage } from "node:async_hooks"
import { CancelledFailure } from "@temporalio/common"
import { millisOf } from "./durations.ts"
import { currentExecution, type SimulatedTemporal, type Task } from "./SimulatedTemporal.ts"

let temporal: SimulatedTemporal | undefined

/** The Temporal of the schedule that runs now. */
export const useTemporal = (of: SimulatedTemporal | undefined) => {
  temporal = of
}

const here = () => ({ execution: currentExecution.getStore()!, temporal: temporal! })

const currentScope = new AsyncLocalStorage<Scope>()

class Scope {
  static readonly nonCancellable = <A>(run: () => Promise<A>) => run()
  readonly tasks = new Set<Task>()
  readonly run = <A>(run: () => Promise<A>) => currentScope.run(this, run)
  readonly cancel = () => {
    for (const task of this.tasks) task.cancel(new CancelledFailure("cancelled"))
  }
}

export const workflowApi = {
  condition: (holds: () => boolean, timeout?: number | string) => {
    const { execution, temporal: of } = here()
    return of.condition(execution, holds, timeout === undefined ? undefined : millisOf(timeout))
  },
  proxyActivities: (options: Task["options"]) => {
    const { execution, temporal: of } = here()
    const activity = (name: string) => {
      const call = (...args: ReadonlyArray<unknown>) => {
        const { result, task } = of.schedule(execution, name, options, args)
        currentScope.getStore()?.tasks.add(task)
        return result
      }
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
    const { execution, temporal: of } = here()
    const child = of.start(type, options)
    return { result: () => of.condition(child, () => !child.isOpen).finally(() => of.goesOn(execution)) }
  },
  workflowInfo: () => ({
    typedSearchAttributes: { get: () => undefined },
    historyLength: 0,
    continueAsNewSuggested: false
  }),
  patched: () => true,
  setCurrentDetails: () => undefined,
  upsertSearchAttributes: () => undefined,
  isCancellation: (error: unknown) => error instanceof CancelledFailure,
  CancellationScope: Scope
}
