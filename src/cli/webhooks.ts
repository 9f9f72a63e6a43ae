// Operator commands for webhooks: hooks with their health, deliveries, replay (decisions P1, W8).
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { Deliveries, replayedByDefault } from "../webhooks/Deliveries.ts"
import { deliveryStatuses } from "../webhooks/Delivery.ts"
import { instant, json, print } from "./output.ts"

const hookId = Argument.Int("hook_id")
const deliveryId = Argument.String("delivery_id")
const status = Flag.Literals("status", deliveryStatuses).pipe(Flag.optional)
const SHOWN = 100

const hooksOf = (appId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Record<string, unknown>>`
      SELECT hook_id, type, host, status, num_failed_executions,
        (SELECT count(*)::int FROM webhook_queue q WHERE q.hook_id = h.hook_id) AS waiting
      FROM hooks h WHERE app_id = ${appId} ORDER BY hook_id`
  )

export const webhookCommands = [
  Command.make("webhook").pipe(
    Command.withDescription("Webhooks: hooks, deliveries, replay"),
    Command.withSubcommands([
      Command.make("list", { appId: Argument.Int("app_id"), json }, ({ appId, json }) =>
        Effect.flatMap(hooksOf(appId), (rows) => print(json, [...rows]))
      ).pipe(Command.withDescription("List an app's hooks with their failures in a row and what waits")),
      Command.make("deliveries", { hookId, status, json }, ({ hookId, status, json }) =>
        Effect.gen(function* () {
          const deliveries = yield* Deliveries
          const filter = Option.match(status, { onNone: () => ({}), onSome: (status) => ({ status }) })
          const page = yield* deliveries.list(hookId, filter, { limit: SHOWN })
          yield* print(json, [...page.deliveries])
        })
      ).pipe(Command.withDescription(`List a hook's newest deliveries (${SHOWN} at most)`)),
      Command.make("delivery", { deliveryId, json }, ({ deliveryId, json }) =>
        Effect.flatMap(
          Deliveries.use((d) => d.get(deliveryId)),
          (delivery) => print(json, delivery)
        )
      ).pipe(Command.withDescription("Show one delivery with every attempt")),
      Command.make("replay", { deliveryId, json }, ({ deliveryId, json }) =>
        Effect.flatMap(
          Deliveries.use((d) => d.replay(deliveryId)),
          (replayed) => print(json, { replayed })
        )
      ).pipe(Command.withDescription("Send one delivery again")),
      Command.make("replay-since", { hookId, since: Argument.String("since"), status, json }, (input) =>
        Effect.gen(function* () {
          const deliveries = yield* Deliveries
          const statuses = Option.match(input.status, { onNone: () => replayedByDefault, onSome: (one) => [one] })
          const replayed = yield* deliveries.replaySince(input.hookId, yield* instant(input.since), statuses)
          yield* print(input.json, { replayed })
        })
      ).pipe(Command.withDescription("Send again what failed or was withheld since a time (UTC), or what has --status"))
    ])
  )
]
