// developer-api.md 4.2, 4.4: what a filter or a sort gives does not depend on whether the field has an index; and indexes follow every write.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { buildFieldIndexes } from "../../../src/domain/records/listing/buildFieldIndexes.ts"
import { large, SIZE, world } from "../../support/largeApp.ts"

layer(world, { excludeTestServices: true, timeout: "2 minutes" })("indexes of fields", (it) => {
  it.effect(
    "are asked for by listings of a large app, and change nothing of what these give, before and after writes",
    () =>
      Effect.gen(function* () {
        const { app, call, everything, filter, id, indexes, kinds, listed, ready, unready, wrong } = yield* large
        const scanned = yield* everything
        assert.deepStrictEqual(
          (yield* indexes).map(({ kind, ready }) => [kind, ready]),
          ["text", "number", "day", "day", "refs", "refs", "refs"].map((kind) => [kind, false])
        )
        const { records_indexed } = yield* buildFieldIndexes
        assert.strictEqual(records_indexed, 7 * SIZE)
        assert.isTrue((yield* indexes).every((one) => one.ready))
        assert.deepStrictEqual(yield* wrong, [])
        assert.deepStrictEqual(yield* everything, scanned)

        const [[, [first, second, third, fourth]]] = (yield* listed([filter("kind", "equal", kinds[2])])) as any
        const creation = yield* call("POST", `/v1/record/app/${app.app_id}`, {
          fields: { name: "gull16", weight: 12.5, due: "2026-02-10", kind: "barrel" }
        })
        assert.strictEqual(creation.status, 200, creation.text)
        yield* call("PUT", `/v1/record/${first}`, { fields: { weight: 0.25, name: "GULL  one" } })
        yield* call("PUT", `/v1/record/${second}`, { fields: { weight: null, due: null, kind: null } })
        yield* call("DELETE", `/v1/record/${third}`)
        yield* call("DELETE", `/v1/record/${fourth}?permanent=true`)
        yield* call("DELETE", `/v1/record/${creation.json.record_id}`)
        yield* call("POST", `/v1/record/${creation.json.record_id}/restore`)
        assert.deepStrictEqual(yield* wrong, [])
        const keyed = yield* everything
        yield* unready
        const anew = yield* everything
        yield* ready
        assert.deepStrictEqual(keyed, anew)
        assert.notDeepEqual(anew, scanned)

        // A field that is gone takes its index along, and its keys after it.
        const fields_to_delete = [{ field_id: Number(id("kind")) }]
        const fieldDeletion = yield* call("PUT", `/v1/app/${app.app_id}`, { fields_to_delete })
        assert.strictEqual(fieldDeletion.status, 200, fieldDeletion.text)
        assert.lengthOf(yield* indexes, 6)
        assert.strictEqual((yield* buildFieldIndexes).record_keys, 0)
        assert.strictEqual((yield* buildFieldIndexes).record_keys, 0)
      })
  )

  it.effect("are built beside writers, none of whose changes is missed", () =>
    Effect.gen(function* () {
      const { app, call, filter, listed, sql, wrong } = yield* large
      const [[, ids]] = (yield* listed([filter("weight", "larger", 0)], "&sort_by=name", 100)) as any
      const touch = (i: number) =>
        Effect.all([
          call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: `New ${i}`, weight: i } }),
          call("PUT", `/v1/record/${ids[i]}`, { fields: { name: `Touched ${i}`, weight: null } }),
          call("DELETE", `/v1/record/${ids[i + 40]}`)
        ])
      const writing = Effect.forEach(
        Array.from({ length: 40 }, (_, i) => i),
        touch,
        { concurrency: 6 }
      )
      yield* Effect.all([writing, buildFieldIndexes], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* wrong, [])
      const [open] = yield* sql<{ n: number }>`
        SELECT count(*)::int AS n FROM field_indexes WHERE app_id = ${app.app_id} AND ready_on IS NULL`
      assert.strictEqual(open!.n, 0)
    })
  )

  it.effect("go when nobody has asked for them for a month", () =>
    Effect.gen(function* () {
      const { app, filter, indexes, listed, sql } = yield* large
      yield* listed([filter("weight", "larger", 0)])
      yield* buildFieldIndexes
      assert.lengthOf(yield* indexes, 1)
      yield* sql`UPDATE field_indexes SET asked_on = now() - interval '31 days' WHERE app_id = ${app.app_id}`
      assert.isAtLeast((yield* buildFieldIndexes).record_keys, 0.8 * SIZE)
      assert.lengthOf(yield* indexes, 0)
    })
  )

  it.effect("one that went, and is asked for before its keys did, is built from nothing: nobody has kept them", () =>
    Effect.gen(function* () {
      const { app, call, filter, listed, sql, wrong } = yield* large
      const [[, ids]] = (yield* listed([filter("weight", "larger", 0)])) as any
      yield* buildFieldIndexes
      yield* sql`DELETE FROM field_indexes WHERE app_id = ${app.app_id}`
      yield* call("PUT", `/v1/record/${ids[0]}`, { fields: { weight: 4_000 } })
      yield* call("DELETE", `/v1/record/${ids[1]}`)
      yield* listed([filter("weight", "larger", 0)])
      yield* buildFieldIndexes
      assert.deepStrictEqual(yield* wrong, [])
    })
  )
})
