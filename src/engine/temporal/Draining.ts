// Tells long activities that the process is about to stop: finish what is in flight, claim nothing, return.
import { Context, Effect, Latch, Layer } from "effect"

export class Draining extends Context.Service<
  Draining,
  { readonly begin: Effect.Effect<void>; readonly begun: Effect.Effect<boolean>; readonly wait: Effect.Effect<void> }
>()("millrace/temporal/Draining") {
  static readonly layer = Layer.effect(
    Draining,
    Effect.sync(() => {
      const latch = Latch.makeUnsafe(false)
      return Draining.of({
        begin: Effect.asVoid(latch.open),
        begun: Effect.sync(() => latch.isOpen()),
        wait: latch.await
      })
    })
  )
}
