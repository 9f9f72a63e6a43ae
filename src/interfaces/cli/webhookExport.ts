// `webhook export`: the delivery log of a hook as JSON lines on the standard output, as fast as whatever reads it (decisions W8).
import { Effect, Option, Schema, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { deliveryStatuses } from "../../domain/webhooks/Delivery.ts"
import { DeliveryExport } from "../../domain/webhooks/DeliveryExport.ts"
import { hookTypes } from "../../domain/webhooks/Hook.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { failWith, instant } from "./output.ts"

const Known = Schema.Struct({ org_id: Schema.Int })

export const webhookExport = Command.make(
  "export",
  {
    hookId: Argument.Int("hook_id"),
    status: Flag.Literals("status", deliveryStatuses).pipe(Flag.optional),
    since: Flag.String("since").pipe(Flag.optional),
    before: Flag.String("before").pipe(Flag.withDescription("A time, not included"), Flag.optional),
    type: Flag.Literals("type", hookTypes).pipe(Flag.optional),
    error: Flag.String("error").pipe(
      Flag.withDescription("Only those whose last attempt ended with this class of error, such as timeout"),
      Flag.optional
    ),
    after: Flag.String("after").pipe(
      Flag.withDescription("The delivery_id of the last line of an export that was broken off"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ after, before, error, hookId, since, status, type }) {
    const sql = yield* Sql
    const hook = yield* rowOf(Known)(sql`SELECT org_id FROM hooks WHERE hook_id = ${String(hookId)}::numeric`)
    if (hook === undefined) return yield* failWith({ message: `No hook with id ${hookId}.` })
    const filter = {
      ...(Option.isSome(status) ? { status: status.value } : {}),
      ...(Option.isSome(since) ? { since: yield* instant(since.value) } : {}),
      ...(Option.isSome(before) ? { before: yield* instant(before.value) } : {}),
      ...(Option.isSome(type) ? { type: type.value } : {}),
      ...(Option.isSome(error) ? { error: error.value } : {})
    }
    const service = yield* DeliveryExport
    const deliveries = yield* service.read({ hookId, orgId: hook.org_id }, filter, Option.getOrUndefined(after))
    const { stdout } = yield* Stdio.Stdio
    yield* Stream.run(
      Stream.map(deliveries, (delivery) => `${JSON.stringify(delivery)}\n`),
      stdout()
    )
  })
).pipe(Command.withDescription("Print a hook's delivery log as JSON lines, oldest first, with every attempt"))
