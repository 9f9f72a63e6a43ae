// What an actor's executions left in Temporal.
import type { Client } from "@temporalio/client"
import { Effect } from "effect"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"

const eventTypes = async (client: Client, workflowId: string): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  const executions = client.workflow.list({ query: `WorkflowId = "${workflowId}"` })
  for await (const { runId } of executions) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    for (const event of history.events ?? []) {
      names.push(Object.keys(event).find((key) => key.endsWith("EventAttributes")) ?? "unknown")
    }
  }
  return names
}

/** Names of the events of all executions, newest execution first. */
export const historyOf = (workflowId: string) =>
  Effect.flatMap(Temporal, (temporal) => temporal.call((client) => eventTypes(client, workflowId)))

export const count = (names: ReadonlyArray<string>, name: string) =>
  names.filter((it) => it === `${name}EventAttributes`).length
