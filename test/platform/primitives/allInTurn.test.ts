// Jobs of several parts (service.md 8): one that fails, or dies, keeps no other from its turn.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { allInTurn } from "../../../src/platform/primitives/allInTurn.ts"

describe("parts of a job (service.md 8)", () => {
  it.effect("each has its turn, in their order; the first failure is told", () =>
    Effect.gen(function* () {
      const finishedParts: Array<string> = []
      const part = (name: string) => Effect.sync(() => finishedParts.push(name))
      const exit = yield* Effect.exit(
        allInTurn({ one: part("one"), dies: Effect.die("first"), fails: Effect.fail("second"), last: part("last") })
      )
      assert.deepStrictEqual(finishedParts, ["one", "last"])
      assert.deepStrictEqual(exit, Exit.die("first"))
      const sums: { readonly one: number; readonly two: string } = yield* allInTurn({
        one: Effect.succeed(1),
        two: Effect.succeed("2")
      })
      assert.deepStrictEqual(sums, { one: 1, two: "2" })
    })
  )
})
