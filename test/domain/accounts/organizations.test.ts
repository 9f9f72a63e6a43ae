// decisions P1: organizations as the operator makes them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations } from "../../../src/domain/accounts/Organizations.ts"
import { appLayer } from "../../support/app.ts"

const madeOf = Effect.fnUntraced(function* (names: ReadonlyArray<string>, concurrency: number) {
  const { create } = yield* Organizations
  return yield* Effect.forEach(names, (name) => Effect.map(create(name), ({ slug }) => slug), { concurrency })
})

layer(appLayer(), { excludeTestServices: true })("organizations of one name", (it) => {
  it.effect("get the first number that is free, whatever others are called", () =>
    Effect.gen(function* () {
      const slugs = yield* madeOf(["Quay 3", "Quay", "Quay", "Quay", "Quayside"], 1)
      assert.deepStrictEqual(slugs, ["quay-3", "quay", "quay-2", "quay-4", "quayside"])
    })
  )

  it.effect("are made one after another where they come at once", () =>
    Effect.gen(function* () {
      const slugs = yield* madeOf(["Pier", "Pier", "Pier", "Pier"], 4)
      assert.deepStrictEqual(slugs.toSorted(), ["pier", "pier-2", "pier-3", "pier-4"])
    })
  )
})
