// Loops: at most 1000 items, continue and break conditions, nesting (developer-api.md 7.7 rule 4).
import { randomBytes } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { executionsOf } from "../../../../bench/support/histories.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { eventually } from "../../../support/eventually.ts"
import { spineLayer } from "../../../support/spine.ts"
import { assign, automate, runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const payload = (key: string) => ({
  kind: "variable",
  source: "trigger",
  trigger_type: "webhook_payload_property",
  key_path: [key]
})
const payloadCondition = (key: string, type: "number" | "text", operator: string, value: string) => ({
  operator: "and",
  rows: [
    {
      // Equal to the loop's iterable: the current item.
      subject: payload(key),
      operator,
      value: type === "number" ? { type: "number", number: [value] } : { type: "text", text: [value] }
    }
  ]
})
const create = (appId: number, ref: number, value: ReadonlyArray<unknown>) => ({
  type: "record_create",
  config: {
    app_id: appId,
    field_assignments: [assign("single_text", ref, value as ReadonlyArray<string>)],
    trigger_other_flows: false
  }
})
const loop = (config: object) => ({ type: "for_loop", config })

const run = Effect.fnUntraced(function* (
  actions: (place: { appId: number; ref: number }) => ReadonlyArray<object>,
  webhook_payload: object
) {
  const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const ref = fields["reference"]!
  const id = yield* automate(token, appId, {
    trigger: { type: "webhook_received", config: {} },
    actions: actions({ appId, ref })
  })
  const app = yield* App
  const answer = yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body: { webhook_payload } })
  assert.strictEqual(answer.status, 202, answer.text)
  const [done] = yield* runsOver(id)
  assert.strictEqual(done!.status, "completed", done!.error_message ?? "")
  const sql = yield* SqlClient.SqlClient
  const createdRecords = yield* sql<{ text: string | null }>`
    SELECT cells -> ${String(ref)} ->> 0 AS text FROM records WHERE app_id = ${appId} ORDER BY record_id`
  return { run: done!, texts: createdRecords.map(({ text }) => text) }
})

layer(spineLayer({}, { sliceMillis: 1 }), { excludeTestServices: true })("loops in slices", (it) => {
  it.effect("turns and branches that leave nothing are not begun again with each segment of the run (A1)", () =>
    Effect.gen(function* () {
      // Ten times as much to look at as goes into a transaction.
      const items = Array.from({ length: 300 }, (_, i) => i + 1)
      const { rows } = payloadCondition("items", "number", "is", "300")
      const condition = { operator: "or", rows: Array.from({ length: 40 }, () => rows[0]) }
      const { run: done, texts } = yield* run(
        ({ appId, ref }) => [
          loop({
            iterable: payload("items"),
            action_rows: [
              {
                type: "conditional",
                config: {
                  condition,
                  action_rows: [create(appId, ref, [payload("items")])]
                }
              }
            ]
          })
        ],
        { items }
      )
      assert.deepStrictEqual(texts, ["300"])
      assert.strictEqual(done.credits, 1)
    })
  )
})

layer(spineLayer({}, { loopBytesAtMost: 500_000 }), { excludeTestServices: true })("lists of loops", (it) => {
  it.effect("a loop in a loop keeps its list with each turn until they take too much: then its step fails", () =>
    Effect.gen(function* () {
      const y = Array.from({ length: 100 }, () => randomBytes(1_000).toString("hex"))
      const { run: done, texts } = yield* run(
        ({ appId, ref }) => [
          loop({
            iterable: payload("x"),
            action_rows: [
              {
                ...loop({
                  iterable: payload("y"),
                  break_condition: { operator: "and", rows: [] },
                  action_rows: [create(appId, ref, [payload("x")])]
                }),
                continue_on_error: true
              }
            ]
          }),
          create(appId, ref, ["after"])
        ],
        { x: ["a", "b", "c", "d", "e"], y }
      )
      const sql = yield* SqlClient.SqlClient
      const [kept] = yield* sql<{ bytes: number }>`
        SELECT sum(pg_column_size(items))::int AS bytes FROM run_items WHERE run_id = ${done.run_id}::bigint`
      assert.isAtMost(kept!.bytes, 500_000)
      assert.isAtLeast(texts.length, 2)
      assert.isAtMost(texts.length, 5)
      assert.strictEqual(texts.at(-1), "after")
      assert.include(JSON.stringify(done.logs), "The lists of the run's loops take more than 500000 bytes.")
    })
  )
})

/** Far below what a run's history may grow to, so that a short loop continues as new. */
const HISTORY_AT_MOST = 60

layer(spineLayer({}, { historyAtMost: HISTORY_AT_MOST }), { excludeTestServices: true })("loops", (it) => {
  it.effect(
    "the 1001st item is left out with a warning; a continue condition skips to the next item (7.7 rule 4)",
    () =>
      Effect.gen(function* () {
        const items = Array.from({ length: 1001 }, (_, i) => i + 1)
        const { run: done, texts } = yield* run(
          ({ appId, ref }) => [
            loop({
              iterable: payload("items"),
              continue_condition: payloadCondition("items", "number", "less_than", "998"),
              action_rows: [create(appId, ref, [payload("items")])]
            })
          ],
          { items }
        )
        assert.deepStrictEqual(texts, ["998", "999", "1000"])
        const warnings = done.logs.flatMap((log) => log.messages).filter(({ level }) => level === "warn")
        assert.strictEqual(warnings.length, 1)
        assert.match(warnings[0].message, /1001 items; the first 1000/)
        assert.strictEqual(done.credits, 3)
      })
  )

  it.effect("a break condition stops the loop after the body in which it matches (7.7 rule 4)", () =>
    Effect.gen(function* () {
      const { texts } = yield* run(
        ({ appId, ref }) => [
          loop({
            iterable: payload("items"),
            continue_condition: payloadCondition("items", "text", "is", "b"),
            break_condition: payloadCondition("items", "text", "is", "c"),
            action_rows: [create(appId, ref, [payload("items")])]
          }),
          create(appId, ref, ["after"])
        ],
        { items: ["a", "b", "c", "d"] }
      )
      assert.deepStrictEqual(texts, ["a", "c", "after"])
    })
  )

  it.effect(
    "a condition that names the iterable means the current item, whatever type it reads it as (7.7 rule 4)",
    () =>
      Effect.gen(function* () {
        const items = (data_type: string) => ({ ...payload("items"), data_type })
        const number = (operator: string, value: string) => ({
          operator: "and",
          rows: [{ subject: items("number"), operator, value: { type: "number", number: [value] } }]
        })
        const { texts } = yield* run(
          ({ appId, ref }) => [
            loop({
              iterable: items("any"),
              continue_condition: number("less_than", "10"),
              break_condition: number("greater_than", "20"),
              action_rows: [create(appId, ref, [items("text"), "!"])]
            })
          ],
          { items: ["9", "11", 12, "100", "13"] }
        )
        assert.deepStrictEqual(texts, ["11!", "12!", "100!"])
      })
  )

  it.effect("a break condition that matches a skipped item stops nothing: only a body tests it (7.7 rule 4)", () =>
    Effect.gen(function* () {
      const { texts } = yield* run(
        ({ appId, ref }) => [
          loop({
            iterable: payload("items"),
            continue_condition: payloadCondition("items", "text", "is", "b"),
            break_condition: payloadCondition("items", "text", "is", "b"),
            action_rows: [create(appId, ref, [payload("items")])]
          })
        ],
        { items: ["a", "b", "c"] }
      )
      assert.deepStrictEqual(texts, ["a", "c"])
    })
  )

  it.effect("loops nest to depth 3, each with its own item; an inner break leaves the outer alone (7.7 rule 4)", () =>
    Effect.gen(function* () {
      const { run: done, texts } = yield* run(
        ({ appId, ref }) => [
          loop({
            iterable: payload("x"),
            action_rows: [
              loop({
                iterable: payload("y"),
                break_condition: payloadCondition("y", "text", "is", "2"),
                action_rows: [
                  loop({
                    iterable: payload("z"),
                    action_rows: [create(appId, ref, [payload("x"), payload("y"), payload("z")])]
                  })
                ]
              })
            ]
          })
        ],
        { x: ["a", "b"], y: ["1", "2", "3"], z: ["p", "q"] }
      )
      assert.deepStrictEqual(texts, ["a1p", "a1q", "a2p", "a2q", "b1p", "b1q", "b2p", "b2q"])
      assert.deepStrictEqual(
        done.ledger.filter((row) => row.path === "0.body.0.body.0.body.0").map((row) => row.iteration),
        ["0.0.0", "0.0.1", "0.1.0", "0.1.1", "1.0.0", "1.0.1", "1.1.0", "1.1.1"]
      )
    })
  )

  it.effect(
    "variables: null while never set or when their step failed, anew in every iteration, the last one stays (A16)",
    () =>
      Effect.gen(function* () {
        const variable = (label: string) => ({ kind: "variable", source: "custom", custom_type: "any", label })
        const set = (label: string, code: ReadonlyArray<unknown>, more: object = {}) => ({
          type: "custom_variable",
          ...more,
          config: { assignment_code: code, custom_variable_defs: [{ custom_type: "any", label }] }
        })
        const never = { operator: "and", rows: [{ code: ["false"] }] }
        const { run: done, texts } = yield* run(
          ({ appId, ref }) => [
            { type: "conditional", config: { condition: never, action_rows: [set("unset", ["1"])] } },
            set("failed", ["(() => { throw new Error('no') })()"], { continue_on_error: true }),
            create(appId, ref, ["unset:", variable("unset"), " failed:", variable("failed")]),
            set("nulls", ["[", variable("unset"), ", ", variable("failed"), "]"]),
            loop({
              iterable: payload("items"),
              action_rows: [
                // The second item's step fails: what the first one set is gone.
                set("each", ["(() => { if (loop_item === 'b') throw new Error('no'); return loop_item })()"], {
                  continue_on_error: true
                }),
                create(appId, ref, [variable("each")])
              ]
            }),
            create(appId, ref, ["after:", variable("each")])
          ],
          { items: ["a", "b", "c"] }
        )
        assert.deepStrictEqual(texts, ["unset: failed:", "a", null, "c", "after:c"])
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ label: string; value: unknown }>`
        SELECT label, value FROM run_variables WHERE run_id = ${done.run_id}::bigint`
        const values = Object.fromEntries(rows.map(({ label, value }) => [label, value]))
        assert.deepStrictEqual(values, { failed: null, nulls: [null, null], each: "c" })
      })
  )

  it.effect(
    "an empty or null iterable runs zero times, a missing one too; what is no list fails the step (7.7 rule 4)",
    () =>
      Effect.gen(function* () {
        const runOver = (items: unknown) =>
          run(
            ({ appId, ref }) => [
              {
                ...loop({ iterable: payload("items"), action_rows: [create(appId, ref, ["x"])] }),
                continue_on_error: true
              },
              create(appId, ref, ["after"])
            ],
            { items }
          )
        for (const none of [[], null]) {
          const { run: done, texts } = yield* runOver(none)
          assert.deepStrictEqual(texts, ["after"])
          assert.isTrue(done.logs.every(({ status }) => status === "success"))
        }
        const { run: failed, texts } = yield* runOver(7)
        assert.deepStrictEqual(texts, ["after"])
        assert.isTrue(failed.logs.some(({ status, type }) => type === "action" && status === "failure"))
      })
  )

  it.effect(
    "a loop of outside steps that may be tried again costs six history events an item and continues as new (design: durable runs)",
    () =>
      Effect.gen(function* () {
        const items = Array.from({ length: 30 }, (_, i) => i)
        // Each has its own activity, as those that alternate with another type have.
        const script = {
          type: "custom_code",
          retry: { attempts: 2, first_ms: 1000, factor: 1, at_most_ms: 1000 },
          config: { code: ["return loop_item + 1"], custom_variable_defs: [{ custom_type: "any", label: "last" }] }
        }
        const body = ({ appId, ref }: { appId: number; ref: number }) => [
          loop({
            iterable: payload("list"),
            action_rows: [
              script,
              create(appId, ref, [{ kind: "variable", source: "custom", custom_type: "any", label: "last" }])
            ]
          })
        ]
        const { run: done, texts } = yield* run(body, { list: items })
        assert.deepStrictEqual(
          texts,
          items.map((i) => String(i + 1))
        )
        const temporal = yield* Temporal
        const workflowId = runWorkflowId({ automation_id: done.automation_id, run_id: done.run_id })
        const executions = temporal.call((client) => executionsOf(client.workflow, workflowId))
        const allExecutions = yield* eventually("the last one over", executions, (found) =>
          found.some(({ status }) => status === "COMPLETED")
        )
        const lengths = allExecutions.map(({ events }) => events)
        assert.isAtMost(Math.max(...lengths), HISTORY_AT_MOST + 10)
        const perItem = lengths.reduce((sum, events) => sum + events, 0) / items.length
        // Twelve and more when each step is asked for by a segment of its own.
        assert.isBelow(perItem, 9, `${allExecutions.length} executions with ${lengths.join(", ")} events`)
        assert.isAtLeast(allExecutions.length, 3)
      })
  )
})
