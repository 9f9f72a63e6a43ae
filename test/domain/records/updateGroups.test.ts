// developer-api.md 4.3: groups of single updates, with writes that the test holds up and counts.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Definitions } from "../../../src/domain/records/model/Definitions.ts"
import { ownWrite, type RecordRow } from "../../../src/domain/records/model/RecordRow.ts"
import { makeUpdatesTogether } from "../../../src/domain/records/writing/batchedUpdating.ts"
import { defaultSwitches } from "../../../src/engine/outbox/Event.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { appLayer } from "../../support/app.ts"
import { callerOf, createApp, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("groups of updates", (it) => {
  const setup = Effect.gen(function* () {
    const definitions = yield* Definitions
    const sql = yield* Sql
    const { owner, workspaceId } = yield* seedWorkspace
    const { app_id } = yield* createApp(owner, workspaceId, [
      field("multi_text", "Text"),
      field("single_text", "Code", undefined, { unique: true }),
      field("single_user", "Who"),
      field("multi_attachment", "Files")
    ])
    const steps: Array<string> = []
    const [began, goesOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const updateTogether = yield* makeUpdatesTogether(
      { definitions, open: Effect.succeed(false), sql },
      {
        updateAll: () => Effect.sync(() => steps.push("alone")).pipe(Effect.as([{} as RecordRow])),
        updateFree: (_appId, inputs) =>
          Effect.gen(function* () {
            yield* Deferred.succeed(began, undefined)
            yield* Deferred.await(goesOn)
            steps.push("group")
            return new Map(inputs.map((input) => [input, {} as RecordRow]))
          })
      }
    )
    const write = ownWrite(callerOf(owner), defaultSwitches)
    const update = (fields: Readonly<Record<string, unknown>>) =>
      updateTogether(app_id, { record_id: 1, fields, write, place: "" })
    return { began, goesOn, steps, update }
  })

  it.effect("a caller that is interrupted keeps what its group still needs until the group ends (P8)", () =>
    Effect.gen(function* () {
      const { began, goesOn, steps, update } = yield* setup
      const keeping = Effect.ensuring(
        update({ text: "long" }),
        Effect.sync(() => steps.push("let go"))
      )
      const caller = yield* Effect.forkChild(keeping)
      yield* Deferred.await(began)
      caller.interruptUnsafe()
      yield* Effect.yieldNow
      yield* Deferred.succeed(goesOn, undefined)
      yield* Fiber.await(caller)
      while (!steps.includes("group")) yield* Effect.yieldNow
      assert.deepStrictEqual(steps, ["group", "let go"])
    })
  )

  it.effect(
    "an update of a unique field, or of one that may need a lookup, does not wait for a group first (4.3)",
    () =>
      Effect.gen(function* () {
        const { goesOn, steps, update } = yield* setup
        yield* Deferred.succeed(goesOn, undefined)
        for (const fields of [{ code: "a" }, { who: [1] }, { text: "short", files: [] }, { text: "short" }])
          yield* update(fields)
        assert.deepStrictEqual(steps, ["alone", "alone", "alone", "group"])
      })
  )
})
