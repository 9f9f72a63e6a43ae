// developer-api.md 7.6 M: a mutating step needs its owner's right. Runs ask for it at the same moment, and in rounds that overlap.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Access } from "../../../src/accounts/Access.ts"
import { Mutations } from "../../../src/automations/actions/run/mutations.ts"
import type { MutationConfig, Step } from "../../../src/automations/engine/Step.ts"
import { Values } from "../../../src/automations/engine/Values.ts"
import { layerDatabase } from "../../support/database.ts"

/** Answers only once the test says so for this app. */
const answers = new Map<number, Deferred.Deferred<void>>()
const asked: Array<number> = []

const layerAccess = Layer.mock(Access, {
  check: (_caller, _kind, id) =>
    Effect.gen(function* () {
      asked.push(Number(id))
      yield* Deferred.await(answers.get(Number(id))!)
      return undefined as never
    })
})

const step = {
  caller: { userId: 1, orgId: 1, role: "member" },
  config: {},
  run: { depth: 1, org_id: 1, automation_id: 1 },
  cause: null,
  automation: { automation_id: 1, name: "Stamps" }
} as unknown as Step<MutationConfig>

const Setting = Mutations.layer.pipe(Layer.provide(Layer.mergeAll(layerAccess, Layer.mock(Values, {}), layerDatabase)))

layer(Setting, { excludeTestServices: true })("rights of mutating steps", (it) => {
  it.effect("a question that was asked before and is not answered yet is answered to whoever asks again", () =>
    Effect.gen(function* () {
      const mutations = yield* Mutations
      for (const app of [1, 2]) answers.set(app, yield* Deferred.make<void>())
      const ask = (app: number) => Effect.forkChild(mutations.write(step, app, 3))
      // One round asks for both apps and hangs at the first.
      const first = [yield* ask(1), yield* ask(2)]
      while (asked.length === 0) yield* Effect.sleep("1 millis")
      // The next round asks for the second app, too, before the former has come to it.
      const second = yield* ask(2)
      yield* Effect.sleep("5 millis")
      for (const app of [1, 2]) yield* Deferred.succeed(answers.get(app)!, undefined)
      for (const fiber of [...first, second]) assert.strictEqual((yield* Fiber.join(fiber)).depth, 1)
    })
  )
})
