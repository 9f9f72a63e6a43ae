// Temporal of a schedule: executions of the real workflow functions in this process. Each call to it, each task and each completion waits until the
// schedule lets it happen, and may be lost, doubled or late.
import { AsyncLocalStorage } from "node:async_hooks"
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/common"
import type { VirtualTime } from "./virtualTime.ts"

interface Wait {
  readonly holds: () => boolean
  readonly resume: (held: boolean) => void
}

export interface Execution {
  readonly id: string
  readonly type: string
  readonly handlers: Map<string, (...args: ReadonlyArray<unknown>) => void>
  readonly waits: Set<Wait>
  readonly memo: unknown
  isOpen: boolean
  /** How it ended, as Temporal shows it. */
  status: "RUNNING" | "COMPLETED" | "FAILED"
}

/** An activity that no process has taken yet. */
export interface Task {
  readonly execution: Execution
  readonly name: string
  readonly args: ReadonlyArray<unknown>
  readonly options: { readonly heartbeatTimeout?: number | string }
  readonly attempt: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  /** Its workflow waits for it no longer. */
  readonly cancel: (error: unknown) => void
  readonly isWanted: () => boolean
  /** What the attempt before has told with its heartbeats, and what this one tells. */
  readonly details: () => unknown
  readonly heartbeat: (details: unknown) => void
  isOver: boolean
}

/** Something on its way between a process and Temporal. */
export interface Message {
  readonly what: string
  readonly owner: string
  readonly deliver: () => unknown
  /** Hears what has come of it; undefined where nobody waits. */
  readonly answer?: { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void }
}

export interface StartOptions {
  readonly workflowId: string
  readonly args: ReadonlyArray<unknown>
  readonly memo?: unknown
  readonly workflowIdReusePolicy?: string
  readonly workflowIdConflictPolicy?: string
}
export interface Signal {
  readonly name: string
}

export type Workflow = (input: never) => Promise<unknown>

export const currentExecution = new AsyncLocalStorage<Execution>()

export const makeTemporal = (time: VirtualTime, workflows: Readonly<Record<string, Workflow>>, touch: () => void) => {
  const executions = new Map<string, Execution>()
  const messages: Array<Message> = []
  const tasks: Array<Task> = []

  const wake = (execution: Execution) => {
    for (const wait of [...execution.waits])
      if (wait.holds()) {
        execution.waits.delete(wait)
        wait.resume(true)
      }
  }
  const condition = (execution: Execution, holds: () => boolean, millis = Number.POSITIVE_INFINITY) =>
    new Promise<boolean>((resolve) => {
      if (holds()) return resolve(true)
      const cancel = time.after(millis, () => {
        if (execution.waits.delete(wait)) resolve(false)
      })
      const wait: Wait = {
        holds,
        resume: (held) => {
          cancel()
          resolve(held)
        }
      }
      execution.waits.add(wait)
    })

  /** Looks at its conditions anew, once its code has gone on with what it has just got. */
  const goesOn = (execution: Execution) => {
    setImmediate(() => {
      touch()
      wake(execution)
    })
  }

  const schedule = (execution: Execution, name: string, options: Task["options"], args: ReadonlyArray<unknown>) => {
    const { promise, reject, resolve } = Promise.withResolvers<unknown>()
    let isWanted = true
    let details: unknown
    const task: Task = {
      ...{ execution, name, args, options, resolve, reject, attempt: 1, isOver: false },
      cancel: (error) => {
        isWanted = false
        const index = tasks.findIndex((other) => other.cancel === task.cancel)
        if (index >= 0) tasks.splice(index, 1)
        reject(error)
      },
      isWanted: () => isWanted,
      details: () => details,
      heartbeat: (told) => {
        if (told !== undefined) details = told
      }
    }
    tasks.push(task)
    return { task, result: promise.finally(() => goesOn(execution)) }
  }

  const start = (type: string, { args, memo, workflowId, ...policies }: StartOptions) => {
    const former = executions.get(workflowId)
    if (former?.isOpen === true && policies.workflowIdConflictPolicy === "USE_EXISTING") return former
    if (former !== undefined && (former.isOpen || policies.workflowIdReusePolicy === "REJECT_DUPLICATE"))
      throw new WorkflowExecutionAlreadyStartedError("it is there", workflowId, type)
    const workflow = workflows[type]
    if (workflow === undefined) throw new Error(`no workflow is called ${type}`)
    const execution: Execution = {
      id: workflowId,
      type,
      handlers: new Map(),
      waits: new Set(),
      memo,
      isOpen: true,
      status: "RUNNING"
    }
    executions.set(workflowId, execution)
    const endAs = (status: Execution["status"]) => () => {
      execution.isOpen = false
      execution.status = status
      goesOn(execution)
    }
    currentExecution.run(execution, () => workflow(args[0] as never)).then(endAs("COMPLETED"), endAs("FAILED"))
    return execution
  }
  const signal = (workflowId: string, name: string, args: ReadonlyArray<unknown>) => {
    const execution = executions.get(workflowId)
    if (execution?.isOpen !== true) throw new WorkflowNotFoundError("it is not there", workflowId, undefined)
    execution.handlers.get(name)?.(...args)
    wake(execution)
  }
  const signalWithStart = (
    type: string,
    options: StartOptions & { readonly signal: Signal; readonly signalArgs: ReadonlyArray<unknown> }
  ) => {
    if (executions.get(options.workflowId)?.isOpen !== true) start(type, options)
    signal(options.workflowId, options.signal.name, options.signalArgs)
  }

  return { condition, executions, goesOn, messages, schedule, signal, signalWithStart, start, tasks, wake }
}
export type SimulatedTemporal = ReturnType<typeof makeTemporal>
