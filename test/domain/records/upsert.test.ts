// developer-api.md 11.2: records created or updated by their unique fields, alone, in a row and against each other.
import { assert, layer } from "@effect/vitest"
import { Effect, Random } from "effect"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { as, createApp, eventsOf, field, seedWorkspace } from "../../support/records.ts"

const unique = (type: string, label: string) => field(type, label, undefined, { unique: true })

layer(appLayer(), { excludeTestServices: true })("developer-api.md 11.2: upsert", (it) => {
  const setup = Effect.gen(function* () {
    const { owner, workspaceId } = yield* seedWorkspace
    const app = yield* createApp(owner, workspaceId, [
      unique("single_text", "Code"),
      unique("multi_email", "Mail"),
      field("number", "Amount"),
      field("single_text", "Name", undefined, { required: true })
    ])
    const [code, mail, amount] = app.fields.map((one: any) => one.field_id) as ReadonlyArray<number>
    const call = as(owner)
    const path = `/v1/record/app/${app.app_id}/upsert`
    const upsert = (match: ReadonlyArray<number | undefined>, ...fields: ReadonlyArray<object>) =>
      call("POST", path, { match, records: fields.map((one) => ({ fields: one })) })
    return { amount, app, call, code, mail, owner, path, upsert }
  })

  it.effect("creates or updates by the value, answers which, and an update needs no required field", () =>
    Effect.gen(function* () {
      const { app, call, code, mail, upsert } = yield* setup
      const firstUpsert = yield* upsert(
        [code],
        { code: "A", mail: ["a@example.net"], name: "One" },
        { code: "B", name: "Two" }
      )
      assert.strictEqual(firstUpsert.status, 200, firstUpsert.text)
      assert.deepStrictEqual(
        firstUpsert.json.results.map((one: any) => [one.revision_id, one.created]),
        [
          [0, true],
          [0, true]
        ]
      )
      const ids = firstUpsert.json.results.map((one: any) => one.record_id)
      const second = yield* upsert(
        [code, mail],
        { mail: "A@example.net", amount: 5 },
        { code: "c", name: "Three" },
        { code: "b", name: "Two" }
      )
      assert.deepStrictEqual(
        second.json.results.map((one: any) => [one.revision_id, one.created]),
        [
          [1, false],
          [0, true],
          [1, false]
        ]
      )
      assert.deepStrictEqual([second.json.results[0].record_id, second.json.results[2].record_id], ids)
      // The same again changes nothing: entries that plain texts name stay what they are.
      const third = yield* upsert([mail], { mail: ["a@example.net"], amount: 5 })
      assert.deepStrictEqual(third.json.results, [{ record_id: ids[0], revision_id: 1, created: false }])
      const record = (yield* call("GET", `/v1/record/${ids[0]}`)).json
      assert.deepStrictEqual(
        record.fields.map((one: any) => one.values[0].value),
        ["A", "a@example.net", 5, "One"]
      )
      const events = (yield* eventsOf("app_id", app.app_id)).map(({ type }) => type)
      assert.deepStrictEqual(
        events.sort(),
        [...Array(3).fill("record.create"), ...Array(2).fill("record.update")].sort()
      )
    })
  )

  it.effect("inputs of one call follow on each other", () =>
    Effect.gen(function* () {
      const { call, code, mail, upsert } = yield* setup
      const reply = yield* upsert(
        [code, mail],
        { code: "x", name: "first", amount: 1 },
        { code: "X", mail: ["x@example.net"], amount: 2 },
        { mail: ["x@example.net"], amount: 3 }
      )
      assert.strictEqual(reply.status, 200, reply.text)
      const [one] = reply.json.results
      assert.deepStrictEqual(
        reply.json.results.map((result: any) => [result.record_id, result.revision_id, result.created]),
        [
          [one.record_id, 0, true],
          [one.record_id, 1, false],
          [one.record_id, 2, false]
        ]
      )
      assert.strictEqual((yield* call("GET", `/v1/record/${one.record_id}`)).json.fields[2].values[0].value, 3)
    })
  )

  it.effect("what cannot be is refused with its place, and nothing is written", () =>
    Effect.gen(function* () {
      const { amount, app, call, code, mail, owner, path, upsert } = yield* setup
      yield* upsert([code], { code: "a", name: "A" }, { code: "b", mail: "b@example.net", name: "B" })
      const ok = { code: "new", name: "N" }
      for (const [match, fields, place] of [
        [[], {}, "match"],
        [[amount], { amount: 1 }, "match[0]"],
        [[code, 999_999_999], ok, "match[1]"],
        [[code], { name: "no code" }, "records[1].fields"],
        [[code], { code: null, name: "none" }, "records[1].fields"],
        [[code], { code: 5, name: "x" }, "records[1].fields.code"],
        [[code], { code: "c" }, "records[1].fields.name"],
        [[code], { code: "c", name: "x", colour: 1 }, "records[1].fields.colour"]
      ] as const) {
        const reply = yield* upsert(match, ok, fields)
        assert.strictEqual(reply.status, 400, `${place} ${reply.text}`)
        assert.include(reply.json.error_message, place)
      }
      const several = yield* upsert([code, mail], ok, { code: "a", mail: "b@example.net" })
      assert.deepStrictEqual(
        [several.status, several.json.error_code, several.json.field_id],
        [409, "unique_conflict", mail]
      )
      const other = yield* upsert([code], ok, { code: "a", mail: "b@example.net" })
      assert.deepStrictEqual([other.status, other.json.field_id], [409, mail])
      assert.include(other.json.error_message, "records[1].fields.mail")
      assert.strictEqual((yield* upsert([code])).status, 400)
      assert.strictEqual(
        (yield* upsert([code], ...Array.from({ length: 51 }, (_, n) => ({ code: `n${n}`, name: "n" })))).status,
        400
      )
      assert.strictEqual((yield* call("GET", `/v1/record/app/${app.app_id}?limit=0`)).json.total, 2)
      const { call: raw } = yield* App
      const reader = yield* seedToken(owner.userId, ["records:read"])
      const body = { match: [code], records: [{ fields: ok }] }
      assert.strictEqual((yield* raw("POST", path, { token: reader, body })).status, 403)
      const headers = { "idempotency-key": "again" }
      const firstReply = yield* raw("POST", path, { token: owner.key, body, headers })
      const repeated = yield* raw("POST", path, { token: owner.key, body, headers })
      assert.deepStrictEqual([firstReply.json.results[0].created, repeated.json], [true, firstReply.json])
    })
  )

  it.effect("drawn writes in a row end as a naive model says", () =>
    Effect.gen(function* () {
      const { app, call, code, mail, upsert } = yield* setup
      interface Model {
        id: number
        revision: number
        code: string | null
        mail: string | null
        amount: number
        live: boolean
      }
      const records: Array<Model> = []
      const draw = (most: number) => Random.nextIntBetween(0, most)
      const has = (one: Model, fields: { code?: string; mail?: string }) =>
        one.live &&
        ((fields.code !== undefined && one.code === fields.code) ||
          (fields.mail !== undefined && one.mail === fields.mail))
      for (let step = 0; step < 80; step++) {
        const fields = {
          ...((yield* draw(3)) > 0 ? { code: `c${yield* draw(5)}` } : {}),
          ...((yield* draw(3)) > 0 ? { mail: `m${yield* draw(5)}@example.net` } : {})
        }
        const sentFields = { ...fields, amount: step, name: "n" }
        const kind = yield* draw(6)
        const pickedRecord = records[yield* draw(Math.max(1, records.length))]
        if (kind === 0 && pickedRecord !== undefined) {
          const reply = yield* call(
            pickedRecord.live ? "DELETE" : "POST",
            `/v1/record/${pickedRecord.id}${pickedRecord.live ? "" : "/restore"}`
          )
          const isConflict =
            !pickedRecord.live &&
            records.some(
              (other) =>
                other.live &&
                ((pickedRecord.code !== null && other.code === pickedRecord.code) ||
                  (pickedRecord.mail !== null && other.mail === pickedRecord.mail))
            )
          assert.strictEqual(reply.status, isConflict ? 409 : 200, reply.text)
          if (!isConflict) [pickedRecord.live, pickedRecord.revision] = [!pickedRecord.live, pickedRecord.revision + 1]
          continue
        }
        const byCode = kind < 3
        const keyed = byCode ? { ...(fields.code === undefined ? {} : { code: fields.code }) } : fields
        const reply = yield* upsert(byCode ? [code] : [code, mail], sentFields)
        const matchingRecords = records.filter((record) => has(record, keyed))
        const clash = records.some((record) => !matchingRecords.includes(record) && has(record, fields))
        if (Object.keys(keyed).length === 0) assert.strictEqual(reply.status, 400)
        else if (matchingRecords.length > 1 || clash) assert.strictEqual(reply.status, 409, reply.text)
        else if (matchingRecords.length === 1) {
          const [target] = matchingRecords
          Object.assign(target!, fields, { amount: step, revision: target!.revision + 1 })
          assert.deepStrictEqual(reply.json.results, [
            { record_id: target!.id, revision_id: target!.revision, created: false }
          ])
        } else {
          const [result] = reply.json.results
          assert.deepInclude(result, { revision_id: 0, created: true })
          records.push({
            id: result.record_id,
            revision: 0,
            code: null,
            mail: null,
            ...fields,
            amount: step,
            live: true
          })
        }
      }
      const { json } = yield* call("GET", `/v1/record/app/${app.app_id}?limit=500`)
      const read = new Map<number, any>(json.records.map((record: any) => [record.record_id, record]))
      const live = records.filter((record) => record.live)
      assert.strictEqual(json.total, live.length)
      for (const record of live) {
        const values = Object.fromEntries(
          read.get(record.id).fields.map((one: any) => [one.external_id, one.values[0].value])
        )
        assert.deepStrictEqual(
          [values.code ?? null, values.mail ?? null, values.amount, read.get(record.id).revision],
          [record.code, record.mail, record.amount, record.revision]
        )
      }
    })
  )

  it.effect(
    "many at once: each value has one live record, its answers are its revisions, and the last one stands",
    () =>
      Effect.gen(function* () {
        const { app, call, code, upsert } = yield* setup
        let amount = 0
        const answers: Array<{ readonly result: any; readonly amount: number }> = []
        const deletedIds = new Set<number>()
        yield* Effect.forEach(
          Array.from({ length: 12 }, (_, worker) => worker),
          (worker) =>
            Effect.gen(function* () {
              for (let step = 0; step < 8; step++) {
                const sentRecords = [
                  `k${yield* Random.nextIntBetween(0, 4)}`,
                  `j${yield* Random.nextIntBetween(0, 4)}`
                ].map((key) => ({
                  code: worker % 2 ? key : key.toUpperCase(),
                  amount: ++amount,
                  name: "n"
                }))
                const reply = yield* upsert([code], ...sentRecords)
                assert.strictEqual(reply.status, 200, reply.text)
                for (const [at, result] of reply.json.results.entries())
                  answers.push({ result, amount: sentRecords[at]!.amount })
                if (step % 4 === 3) {
                  const { record_id } = reply.json.results[0]
                  if ((yield* call("DELETE", `/v1/record/${record_id}`)).status === 200) deletedIds.add(record_id)
                }
              }
            }),
          { concurrency: "unbounded", discard: true }
        )
        const { json } = yield* call("GET", `/v1/record/app/${app.app_id}?limit=500`)
        const codes = json.records.map((record: any) => record.fields[0].values[0].value.toLowerCase())
        assert.strictEqual(new Set(codes).size, codes.length)
        for (const [id, of] of Map.groupBy(answers, ({ result }) => result.record_id)) {
          const inOrder = of.toSorted((one, other) => one.result.revision_id - other.result.revision_id)
          assert.deepStrictEqual(
            inOrder.map(({ result }) => [result.revision_id, result.created]),
            inOrder.map((_, revision) => [revision, revision === 0])
          )
          const live = json.records.find((record: any) => record.record_id === id)
          assert.strictEqual(live === undefined, deletedIds.has(id))
          if (live !== undefined) assert.strictEqual(live.fields[1].values[0].value, inOrder.at(-1)!.amount)
        }
      })
  )
})
