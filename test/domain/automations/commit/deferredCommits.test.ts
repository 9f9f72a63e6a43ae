// Steps of a plain run without effect wait for the commit of the next effect or of the end (docs/architecture/runs.md): one transaction for
// all of them, each with its own rows.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { spineLayer } from "../../../support/spine.ts"
import { inbound, send } from "../inbound/answerSupport.ts"
import { assign, automate, createRecord, runsOver, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const variable = (label: string) => ({ kind: "variable", source: "custom", custom_type: "any", label })
const setVariable = (label: string, assignment_code: ReadonlyArray<unknown>) => ({
  type: "custom_variable",
  config: { assignment_code, custom_variable_defs: [{ custom_type: "any", label }] }
})

/** Transaction of each row of the run's ledger, in the order of the steps. */
const transactionsOf = (runId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ id: string }>`
        SELECT xmin::text AS id FROM run_ledger WHERE run_id = ${runId}::bigint ORDER BY path COLLATE "C"`,
      (rows) => rows.map(({ id }) => id)
    )
  )

const endOf = (runId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ id: string }>`SELECT xmin::text AS id FROM runs WHERE run_id = ${runId}::bigint`,
      ([row]) => row!.id
    )
  )

layer(spineLayer({}, { deferredMillis: 60_000 }), { excludeTestServices: true })("deferred commits", (it) => {
  it.effect(
    "steps without effect go in with the run's end and its answer, each with its own ledger row and entry",
    () =>
      Effect.gen(function* () {
        const { id, url } = yield* inbound({ response_body: [variable("Label")] }, () => [
          setVariable("Parcels", ["Math.ceil(5.2)"]),
          setVariable("Boxes", [variable("Parcels"), " * 2"]),
          setVariable("Label", ["'for ' + ", variable("Boxes")])
        ])
        assert.strictEqual((yield* send(url)).text, "for 12")
        const [run] = yield* runsOver(id)
        assert.deepStrictEqual([run!.status, run!.durable, run!.credits], ["completed", false, 3])
        assert.deepStrictEqual(
          run!.logs.map(({ detail, seq, type }) => [seq, type, detail?.outputs.value]),
          [
            [1, "trigger", undefined],
            [2, "action", 6],
            [3, "action", 12],
            [4, "action", "for 12"]
          ]
        )
        const transactions = yield* transactionsOf(run!.run_id)
        assert.strictEqual(transactions.length, 3)
        assert.deepStrictEqual([...new Set([...transactions, yield* endOf(run!.run_id)])].length, 1)
      })
  )

  it.effect("they go in with the next effect, which sees their values; a step that fails keeps them (7.11, A1)", () =>
    Effect.gen(function* () {
      const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
      const note = fields["reference"]!
      const id = yield* automate(token, appId, {
        trigger: { type: "record_created", config: {} },
        actions: [
          setVariable("First", ["[1, 2].join('-')"]),
          setVariable("Second", [variable("First"), " + '-3'"]),
          {
            type: "current_record_update",
            config: {
              field_assignments: [{ ...assign("single_text", note, []), field_value: [variable("Second")] }],
              trigger_other_flows: false
            }
          },
          setVariable("Third", ["[4].join()"]),
          setVariable("Failing", ["missing.name"])
        ]
      })
      const recordId = yield* createRecord(token, appId, { reference: "before" })
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "failed")
      assert.strictEqual(yield* textOf(recordId, note), "1-2-3")
      assert.deepStrictEqual(
        run!.ledger.map(({ state }) => state),
        ["done", "done", "done", "done", "failed"]
      )
      const [first, second, effect, third, failing] = yield* transactionsOf(run!.run_id)
      assert.deepStrictEqual([second, effect], [first, first])
      assert.strictEqual(failing, third)
      assert.notStrictEqual(third, first)
    })
  )

  it.effect("values that take much room are committed with their own step", () =>
    Effect.gen(function* () {
      const { id, url } = yield* inbound({ response_body: [variable("After")] }, () => [
        setVariable("Small", ["[1].join()"]),
        setVariable("Long", ["'x'.repeat(9000)"]),
        setVariable("After", [variable("Long"), ".length"])
      ])
      assert.strictEqual((yield* send(url)).text, "9000")
      const [run] = yield* runsOver(id)
      const [small, long, after] = yield* transactionsOf(run!.run_id)
      assert.strictEqual(long, small)
      assert.notStrictEqual(after, long)
    })
  )
})
