// Measures how long the histories of an app's actor grow, and what they hold (issue "webhooks that never go missing").
import { Connection, WorkflowClient } from "@temporalio/client"
import { Effect } from "effect"
import type { Check } from "../support/Check.ts"
import { EVENTS_PER_DELIVERY, historiesOf, tellTales } from "../support/histories.ts"
import { append, creations, hookBed, seedApps, seedHook } from "../support/hooks.ts"
import type { Machine } from "../support/machine.ts"
import { BenchFailed } from "../support/Row.ts"
import { arrivedAll, steadily } from "../support/steady.ts"

const PER_SECOND = 100
const BEATS = 10
const PATH = "/private-path"

const readHistories = ({ env }: Machine, workflowId: string) =>
  Effect.tryPromise({
    try: async () => {
      const connection = await Connection.connect({ address: env["TEMPORAL_ADDRESS"]! })
      const client = new WorkflowClient({ connection, namespace: env["TEMPORAL_NAMESPACE"]! })
      const histories = await historiesOf(client, workflowId)
      await connection.close()
      return histories
    },
    catch: (error) => new BenchFailed({ message: (error as Error).message })
  })

export const history: Check = {
  name: "webhook-history",
  work: `${PER_SECOND} deliveries a second with limits lifted: the history of all executions of the app's actor together`,
  seconds: 100,
  run: Effect.fnUntraced(function* (seconds, say) {
    const { machine, operate, receiver } = yield* hookBed()
    const [app] = yield* operate(seedApps("History", 1))
    const { secret } = yield* operate(seedHook(app!, receiver.port, PATH))
    const deliveries = seconds * PER_SECOND
    const each = PER_SECOND / BEATS
    yield* steadily(seconds, BEATS, (tick) => operate(append(creations(app!, 1 + tick * each, each))))
    yield* arrivedAll(receiver, deliveries, 60)
    // Past the linger, so that the last execution has ended.
    yield* Effect.sleep("8 seconds")
    const { events, executions, text } = yield* readHistories(machine, `webhooks/app/${app!.appId}`)
    say(`${executions} executions, ${events} events, ${text.length} characters`)
    const leakedParts = tellTales(secret, PATH).filter((part) => text.includes(part))
    return [
      { what: "deliveries", value: deliveries, unit: "" },
      { what: "executions of the actor", value: executions, unit: "" },
      {
        what: "history events of all of them",
        value: events,
        unit: "",
        atMost: Math.ceil(deliveries * EVENTS_PER_DELIVERY)
      },
      { what: "URLs, payloads and secrets found in them", value: leakedParts.length, unit: "", atMost: 0 }
    ]
  }, Effect.scoped)
}
