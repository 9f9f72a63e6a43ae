// decisions P4: a process whose key does not fit the database refuses to start and says so.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as KeyCheck from "../../../src/platform/sealing/KeyCheck.ts"
import { Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { configLayer } from "../../support/app.ts"
import { layerDatabase } from "../../support/database.ts"

const key = (byte: number) =>
  Layer.fresh(Secrets.layer).pipe(Layer.provide(configLayer({ SECRET_KEY: Buffer.alloc(32, byte).toString("base64") })))
const start = (byte: number) => Effect.scoped(Layer.build(Layer.fresh(KeyCheck.layer).pipe(Layer.provide(key(byte)))))

layer(layerDatabase, { excludeTestServices: true })("decisions P4: the key", (it) => {
  it.effect("the first start fixes it; the same key starts again, another one is refused by name, never shown", () =>
    Effect.gen(function* () {
      yield* start(1)
      yield* start(1)
      const refusal = yield* Effect.flip(start(2))
      assert.strictEqual(refusal._tag, "KeyMismatch")
      assert.match(refusal.message, /SECRET_KEY is not the key/)
      assert.notInclude(refusal.message, Buffer.alloc(32, 2).toString("base64").slice(0, 8))
      yield* start(1)
    })
  )
})
