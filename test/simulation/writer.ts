// Changes records, as the API does: each change is a transaction of its own session, and wakes the relays once it has committed.
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { RelayWake } from "../../src/engine/outbox/RelayWake.ts"
import { gatedPool } from "./gatedPool.ts"
import { foundations, SESSIONS, type Surroundings } from "./processes.ts"
import type { Writer } from "./World.ts"

const OWNER = "w"

type Pool = Layer.Success<ReturnType<typeof gatedPool>>

/** @param layer what changes need, over a pool and relays to wake @param change makes one @param isKept the layer serves all changes */
export const writerOver = <Change, Services, LayerError, ChangeError>(
  surroundings: Surroundings,
  layer: Layer.Layer<Services, LayerError, RelayWake | Pool>,
  change: (change: Change) => Effect.Effect<void, ChangeError, Services | Pool>,
  poke: () => void,
  isKept = false
): Writer => {
  let isBusy = false
  const base = foundations(surroundings, OWNER, () => true)
  const wake = Layer.succeed(RelayWake, RelayWake.of({ poke: Effect.sync(poke), next: Effect.never }))
  const writerLayer = layer.pipe(
    Layer.provideMerge(wake),
    Layer.provideMerge(gatedPool(surroundings, OWNER, SESSIONS)),
    Layer.fresh
  )
  const scope = Scope.makeUnsafe()
  const build = Layer.buildWithScope(writerLayer, scope)
  const context = isKept ? Effect.runSync(Effect.cached(build)) : build

  const write = (one: Change) => {
    isBusy = true
    const work = Effect.flatMap(context, (services) =>
      Effect.provideContext(change(one), Context.merge(base, services))
    )
    Effect.runForkWith(base)(work).addObserver((exit) => {
      isBusy = false
      if (Exit.isFailure(exit)) throw new Error("a change fails", { cause: exit.cause })
    })
  }
  const closeScope = () => void Effect.runFork(Scope.close(scope, Exit.void))
  return { owner: OWNER, close: closeScope, isBusy: () => isBusy, write: write as Writer["write"] }
}
