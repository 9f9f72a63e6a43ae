// Writes events of records to the outbox, as a change through the API does.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { NewEvent } from "../../../src/engine/outbox/Event.ts"
import { Outbox } from "../../../src/engine/outbox/Outbox.ts"
import type { Surroundings } from "../processes.ts"
import type { Writer } from "../World.ts"
import { writerOver } from "../writer.ts"
import type { DrawnEvent } from "./drawnHooks.ts"
import type { Hooks } from "./hookWorld.ts"

/** An event that has been committed. */
export interface Written extends DrawnEvent {
  readonly eventId: number
  readonly recordId: number
}

export const eventWriter = ({ app, orgId, records }: Pick<Hooks, "app" | "orgId" | "records">) => {
  const eventsOf = new WeakMap<Writer, ReadonlyArray<Written>>()

  const makeWriter = (surroundings: Surroundings, poke: () => void): Writer => {
    const writtenEvents: Array<Written> = []
    let revision = 1
    const eventOf = ({ record, type }: DrawnEvent): NewEvent =>
      ({
        ...{ type, org_id: orgId, app_id: app.appId, record_id: records[record]!, depth: 0, cause: null },
        switches: { hook: true, workflow: true, silent: false },
        payload: {
          ...{ revision: ++revision, author: { type: "user", user_id: 1 }, title: "Ada" },
          cells: { [app.name]: ["Ada"] },
          ...(type === "record.update" ? { previous: { [app.name]: ["Bob"] }, changed: [app.name] } : {})
        }
      }) as unknown as NewEvent

    const change = Effect.fnUntraced(function* (events: ReadonlyArray<DrawnEvent>) {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      const rows = yield* sql.withTransaction(
        Effect.andThen(
          outbox.append(events.map(eventOf)),
          // Only its own: a notice of a hook may have been committed meanwhile.
          sql<{
            id: number
          }>`SELECT event_id AS id FROM outbox WHERE xmin = pg_current_xact_id()::xid ORDER BY event_id`
        )
      )
      for (const [at, event] of events.entries())
        writtenEvents.push({ ...event, eventId: rows[at]!.id, recordId: records[event.record]! })
    })
    const writer = writerOver(surroundings, Outbox.layer, change, poke)
    eventsOf.set(writer, writtenEvents)
    return writer
  }
  return { makeWriter, writtenBy: (writer: Writer) => eventsOf.get(writer) ?? [] }
}
