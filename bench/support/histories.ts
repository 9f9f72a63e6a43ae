// The histories of every execution of a workflow id, as text in which one can look for what must not be there.
import type { WorkflowClient } from "@temporalio/client"

export interface Told {
  readonly executions: number
  readonly events: number
  readonly text: string
  /** Executions that have not ended. */
  readonly running: number
}

const decodeBytes = (_key: string, value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value

/** Every execution of a workflow id with its history. */
const histories = async function* (client: WorkflowClient, workflowId: string) {
  for await (const { runId, status } of client.list({ query: `WorkflowId = "${workflowId}"` })) {
    yield { status: status.name, history: await client.getHandle(workflowId, runId).fetchHistory() }
  }
}

export const executionsOf = async (client: WorkflowClient, workflowId: string) => {
  const executions: Array<{ readonly status: string; readonly events: number }> = []
  for await (const { history, status } of histories(client, workflowId)) {
    executions.push({ status, events: history.events?.length ?? 0 })
  }
  return executions
}

export const historiesOf = async (client: WorkflowClient, workflowId: string): Promise<Told> => {
  const texts: Array<string> = []
  let [events, running] = [0, 0]
  for await (const { history, status } of histories(client, workflowId)) {
    if (status === "RUNNING") running++
    events += history.events?.length ?? 0
    texts.push(JSON.stringify(history, decodeBytes))
  }
  return { executions: texts.length, events, text: texts.join("\n"), running }
}

/** Whatever of a hook must not be found there. */
export const tellTales = (secret: string, path: string): ReadonlyArray<string> => [
  path,
  "http://",
  secret.slice("whsec_".length),
  "record_id",
  "revision_id"
]

/** History events that 10,000 deliveries at 100 a second may cost, as a share of the deliveries. */
export const EVENTS_PER_DELIVERY = 2_000 / 10_000
