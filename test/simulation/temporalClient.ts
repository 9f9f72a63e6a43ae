// The client of Temporal that a process of a schedule has: each of its calls is a message, which may be lost, doubled or late.
import { WorkflowNotFoundError } from "@temporalio/common"
import type { Execution, Signal, SimulatedTemporal, StartOptions } from "./SimulatedTemporal.ts"

const describe = ({ executions }: SimulatedTemporal, workflowId: string) => {
  const execution = executions.get(workflowId)
  if (execution === undefined) throw new WorkflowNotFoundError("it is not there", workflowId, undefined)
  const { memo, status } = execution
  return { memo, status: { name: status }, typedSearchAttributes: { get: () => undefined } }
}

export const temporalClient = (temporal: SimulatedTemporal, owner: string) => {
  const { executions, messages, signal, signalWithStart, start } = temporal
  const send = (what: string, deliver: () => unknown) =>
    new Promise<unknown>((resolve, reject) => {
      messages.push({ what, owner, deliver, answer: { resolve, reject } })
    })
  return {
    schedule: {
      list: async function* () {
        yield* (await send("list schedules", () => [])) as ReadonlyArray<never>
      }
    },
    workflowService: {
      getWorkflowExecutionHistory: () => send("a history", () => ({ history: { events: [] } }))
    },
    workflow: {
      start: (type: string, options: StartOptions) => send(`start ${options.workflowId}`, () => start(type, options)),
      signalWithStart: (type: string, options: Parameters<SimulatedTemporal["signalWithStart"]>[1]) =>
        send(`wake ${options.workflowId}`, () => signalWithStart(type, options)),
      list: async function* () {
        const running = await send("list workflows", () => [...executions.values()].filter(({ isOpen }) => isOpen))
        yield* (running as ReadonlyArray<Execution>).map(({ id: workflowId, memo }) => ({ memo, workflowId }))
      },
      getHandle: (id: string) => ({
        describe: () => send(`describe ${id}`, () => describe(temporal, id)),
        signal: ({ name }: Signal, ...args: ReadonlyArray<unknown>) =>
          send(`${name} ${id}`, () => signal(id, name, args))
      })
    }
  }
}
