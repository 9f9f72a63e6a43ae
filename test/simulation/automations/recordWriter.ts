// Changes records as people do: through the writer of the API, each change in a transaction.
import { Effect } from "effect"
import { ownWrite } from "../../../src/domain/records/model/RecordRow.ts"
import { RecordWriter } from "../../../src/domain/records/writing/RecordWriter.ts"
import { defaultSwitches } from "../../../src/engine/outbox/Event.ts"
import { type Surroundings, servicesLayer } from "../processes.ts"
import { writerOver } from "../writer.ts"
import type { Automations } from "./automationWorld.ts"
import type { DrawnChange } from "./drawnAutomations.ts"

const OWNER = "w"

export const recordWriter =
  ({ caller, main, records }: Pick<Automations, "caller" | "main" | "records">) =>
  (surroundings: Surroundings, poke: () => void) => {
    const write = ownWrite(caller, defaultSwitches)
    const change = Effect.fnUntraced(function* (drawn: DrawnChange) {
      const writer = yield* RecordWriter
      const fields = (name: string) => ({ [main.name]: name })
      if (drawn.type === "create") return yield* Effect.asVoid(writer.create(write, main.appId, [fields(drawn.name)]))
      const record_id = records[drawn.record]!
      const writing =
        drawn.type === "delete"
          ? writer.remove(write, main.appId, [record_id], false)
          : writer.update(write, main.appId, [{ record_id, fields: fields(drawn.name) }])
      // A record that has been deleted stays as it is.
      yield* Effect.catchTag(Effect.asVoid(writing), "RecordDeleted", () => Effect.void)
    })
    return writerOver(surroundings, servicesLayer(surroundings, OWNER), change, poke, true)
  }
