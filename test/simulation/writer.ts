// Changes records, as the API does: each change is a transaction of its own session, and wakes the relays once it has committed.
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { NewEvent } from "../../src/engine/outbox/Event.ts"
import { Outbox } from "../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../src/engine/outbox/RelayWake.ts"
import type { DrawnEvent } from "./drawnWorld.ts"
import { foundations, poolLayer, type Surroundings } from "./processes.ts"
import type { World } from "./world.ts"

/** Name of its sessions. */
const OWNER = "w"

/** An event that has been committed. */
export interface Written extends DrawnEvent {
  readonly eventId: number
  readonly recordId: number
}

export const makeWriter = (surroundings: Surroundings, world: World, poke: () => void) => {
  const written: Array<Written> = []
  let isBusy = false
  const base = foundations(surroundings, () => true)
  const wake = Layer.succeed(RelayWake, RelayWake.of({ poke: Effect.sync(poke), next: Effect.never }))
  const layer = Outbox.layer.pipe(
    Layer.provideMerge(wake),
    Layer.provideMerge(poolLayer(surroundings, OWNER)),
    Layer.fresh
  )
  const scope = Scope.makeUnsafe()
  const context = Layer.buildWithScope(layer, scope)
  const { apps, orgId, records } = world
  let revision = 1

  const eventOf = ({ record, type }: DrawnEvent): NewEvent =>
    ({
      ...{ type, org_id: orgId, app_id: apps[0]!.appId, record_id: records[record]!, depth: 0, cause: null },
      switches: { hook: true, workflow: true, silent: false },
      payload: {
        ...{ revision: ++revision, author: { type: "user", user_id: 1 }, title: "Ada" },
        cells: { [apps[0]!.name]: ["Ada"] },
        ...(type === "record.update" ? { previous: { [apps[0]!.name]: ["Bob"] }, changed: [apps[0]!.name] } : {})
      }
    }) as unknown as NewEvent

  const write = (events: ReadonlyArray<DrawnEvent>) => {
    isBusy = true
    const change = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      return yield* sql.withTransaction(
        Effect.andThen(
          outbox.append(events.map(eventOf)),
          sql<{ id: number }>`SELECT event_id AS id FROM outbox ORDER BY event_id DESC LIMIT ${events.length}`
        )
      )
    })
    const work = Effect.flatMap(context, (services) => Effect.provideContext(change, Context.merge(base, services)))
    Effect.runForkWith(base)(work).addObserver((exit) => {
      isBusy = false
      if (Exit.isFailure(exit)) throw new Error("a change fails", { cause: exit.cause })
      const ids = exit.value.map(({ id }) => id).reverse()
      for (const [at, event] of events.entries())
        written.push({ ...event, eventId: ids[at]!, recordId: records[event.record]! })
    })
  }
  const closeScope = () => void Effect.runFork(Scope.close(scope, Exit.void))
  return { owner: OWNER, free: closeScope, isBusy: () => isBusy, write, written }
}
