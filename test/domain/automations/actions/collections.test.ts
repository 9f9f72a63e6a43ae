// Record collections (service.md 2.7 "Producer and consumer rules", developer-api.md 7.6, 7.7 rules 2 to 4; decisions A6, A13).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { automate, runsOver } from "../runSupport.ts"
import { makeApp } from "../support.ts"
import {
  assignTo,
  collection,
  completed,
  compute,
  custom,
  item,
  itemRef,
  meta,
  order,
  record,
  ref,
  runSteps,
  seedWorld,
  shown,
  type World,
  where
} from "./support.ts"

const collectItems = (world: World, match_condition: object | null = null, more: object = {}) => ({
  type: "collect_app_records",
  config: { app_id: world.items.appId, match_condition, ...more }
})
const wholeCollection = { collection: true }
const scalar = (label: string, ...code: ReadonlyArray<unknown>) => compute(label, ...code)

layer(spineLayer(), { excludeTestServices: true })("steps on collections", (it) => {
  it.effect("collect_app_records matches in SQL and evaluator, oldest first; `limit` holds only when enabled", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { amount: 2, name: "Bolt" })
      const itemIds: Array<number> = []
      for (const [title, pieces] of [
        ["Bolt", 1],
        ["nut", 2],
        ["BOLT X", 3],
        ["Washer", 4]
      ] as const) {
        itemIds.push(yield* item(world, { title, pieces }))
      }
      const [one, two, three, four] = itemIds as [number, number, number, number]
      const collected = Effect.fnUntraced(function* (match: object | null, more: object = {}) {
        const run = yield* runSteps(world, id, [collectItems(world, match, more)])
        completed(run)
        return run.collections[world.items.appId]
      })
      const title = itemRef(world, "title")
      const pieces = itemRef(world, "pieces")
      assert.deepStrictEqual(yield* collected(null), itemIds as ReadonlyArray<number>)
      assert.deepStrictEqual(yield* collected(null, { limit: 2 }), itemIds)
      assert.deepStrictEqual(yield* collected(null, { limit: 2, limit_enabled: true }), [one, two])
      assert.deepStrictEqual(yield* collected(where(title, "contains", { type: "text", text: ["bolt"] })), [one, three])
      // The value is the current record's, the subject the collected one's (A13).
      const amount = ref(world, "amount")
      assert.deepStrictEqual(yield* collected(where(pieces, "greater_than", { type: "number", number: [amount] })), [
        three,
        four
      ])
      assert.deepStrictEqual(yield* collected(where(title, "is", { type: "text", text: [ref(world, "name")] })), [one])
      const script = { operator: "and", rows: [{ code: [pieces, " % 2 === 0"] }] }
      assert.deepStrictEqual(yield* collected(script), [two, four])
      const mixed = {
        operator: "or",
        rows: [
          { subject: title, operator: "starts_with", value: { type: "text", text: ["W"] } },
          { code: ["current_record.title === ", title] }
        ]
      }
      assert.deepStrictEqual(yield* collected(mixed), [one, four])
      // Against the collected record itself.
      const exceedsOwn = where(pieces, "is", {
        type: "number",
        number: ["0 + ", itemRef(world, "pieces", wholeCollection)]
      })
      assert.deepStrictEqual(yield* collected(exceedsOwn), itemIds)
    })
  )

  it.effect(
    "rollups and arithmetic of number fields are exact, and texts show them with the field's decimals (A30)",
    () =>
      Effect.gen(function* () {
        const world = yield* seedWorld
        for (const amount of [0.1, 0.6]) yield* order(world, { amount })
        const id = yield* order(world, { amount: 0.7 })
        const amount = ref(world, "amount")
        const roll = (rollup_type: string) => ({
          type: "rollup_iterable_values",
          config: {
            ...{ rollup_type, rollup_variable_def: ref(world, "amount", wholeCollection) },
            custom_variable_def: { custom_type: "any", label: rollup_type }
          }
        })
        const run = yield* runSteps(world, id, [
          { type: "collect_app_records", config: { app_id: world.appId } },
          ...["sum", "average", "median"].map(roll),
          compute("product", amount, " * 3 + 0.1"),
          compute("chained", "(var_product - ", amount, ") / 5"),
          compute("script", "[", amount, " + 1].length"),
          {
            type: "current_record_comment_create",
            config: {
              trigger_other_flows: false,
              comment_content: [
                custom("sum"),
                "|",
                custom("product"),
                "|",
                amount,
                "|",
                { ...amount, property: "formatted" }
              ]
            }
          }
        ])
        completed(run)
        const { average, chained, median, product, script, sum } = run.variables
        assert.deepStrictEqual([sum, median, product, chained, script], [1.4, 0.6, 2.2, 0.3, 1])
        assert.strictEqual(average, 7 / 15)
        assert.strictEqual(run.steps.at(-1).detail.inputs.comment_content, "1.4|2.2|0.70|0.70 kg")
        assert.deepStrictEqual(run.steps[4].detail.inputs, { "reference 1": 0.7 })
      })
  )

  it.effect("the log says which condition is left out, and why (A27)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, {})
      yield* item(world, { title: "Somebody's" })
      const match = where(itemRef(world, "title"), "is", { type: "text", text: [ref(world, "name")] })
      const filter = {
        type: "filter_record_collection",
        config: { record_collection: collection(world.items.appId), match_condition: match }
      }
      const run = yield* runSteps(world, id, [collectItems(world, match), filter])
      completed(run)
      assert.lengthOf(run.collections[world.items.appId] ?? [], 1)
      const warning = `The condition on field "Title" is left out, since field "Name" is empty: every record matches it.`
      for (const { messages } of run.steps) assert.deepStrictEqual(messages, [{ message: warning, level: "warn" }])
      const named = yield* order(world, { name: "Somebody's" })
      const namedRun = yield* runSteps(world, named, [collectItems(world, match)])
      assert.deepStrictEqual(namedRun.steps[0].messages, [])
    })
  )

  it.effect("without a current record each is compared with its own fields, wherever the filter stands (A6, A13)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const numbers = ["N", "M"].map((label) => ({ field_type: "number", config: { label } }))
      const { appId, fields } = yield* makeApp(world.token, world.workspaceId, numbers)
      const recordIds: Array<number> = []
      for (const [n, m] of [
        [1, 1],
        [2, 2],
        [3, 1]
      ]) {
        recordIds.push(yield* record(world.token, appId, { n, m }))
      }
      const number = (slug: string) => ({
        kind: "variable",
        source: "field",
        field_id: fields[slug],
        field_type: "number"
      })
      const match_condition = where(number("n"), "is", { type: "number", number: [number("m")] })
      const collect = { type: "collect_app_records", config: { app_id: appId, match_condition } }
      const filter = {
        type: "filter_record_collection",
        config: { record_collection: collection(appId), match_condition }
      }
      const trigger = { type: "periodic", config: { schedule_type: "daily" } }
      const everything = { type: "collect_app_records", config: { app_id: appId, match_condition: null } }
      for (const steps of [[collect], [everything, filter]]) {
        for (const automated of [appId, world.appId]) {
          const run = yield* runSteps(world, null, steps, { appId: automated, trigger })
          completed(run)
          assert.deepStrictEqual(
            run.collections[appId],
            recordIds.slice(0, 2),
            `${steps.length} steps in app ${automated}`
          )
        }
      }
    })
  )

  it.effect("filter, sort, clear; a later collect of the same app is the nearest (7.6)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world)
      const a = yield* item(world, { title: "b", pieces: 1 })
      const b = yield* item(world, { title: "A", pieces: 2 })
      const c = yield* item(world, { title: "c", pieces: 2 })
      const d = yield* item(world, { title: "d" })
      const { appId } = world.items
      const sort = (...keys: ReadonlyArray<readonly [object, "asc" | "desc"]>) => ({
        type: "sort_record_collection",
        config: {
          record_collection: collection(appId),
          sorts: keys.map(([variable_def, direction]) => ({ variable_def, direction }))
        }
      })
      const sorted = yield* runSteps(world, id, [
        collectItems(world),
        sort([itemRef(world, "pieces", wholeCollection), "desc"], [itemRef(world, "title", wholeCollection), "asc"])
      ])
      assert.deepStrictEqual(sorted.collections[appId], [b, c, a, d])
      const stable = yield* runSteps(world, id, [
        collectItems(world),
        sort([meta("app_record_id", { collection: true, app_id: appId }), "desc"]),
        sort([itemRef(world, "pieces", wholeCollection), "asc"])
      ])
      assert.deepStrictEqual(stable.collections[appId], [a, c, b, d])
      const filtered = yield* runSteps(world, id, [
        collectItems(world),
        {
          type: "filter_record_collection",
          config: {
            record_collection: collection(appId),
            match_condition: where(itemRef(world, "pieces"), "is", { type: "number", number: ["2"] })
          }
        },
        scalar("n", collection(appId), ".length"),
        collectItems(world, null, { limit: 1, limit_enabled: true }),
        scalar("m", collection(appId)),
        { type: "clear_record_collection", config: { record_collection: collection(appId) } },
        scalar("cleared", collection(appId))
      ])
      completed(filtered)
      assert.deepInclude(filtered.variables, { n: 2, m: [a], cleared: null })
    })
  )

  it.effect("a view's filter and sort; a bad view id, or another's private view, fails the step (7.6, 11.6)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* seedWorld
      const { appId, fields } = world.items
      const id = yield* order(world)
      const itemIds: Array<number> = []
      for (const pieces of [5, 1, 9, 3]) itemIds.push(yield* item(world, { title: `T${pieces}`, pieces }))
      const view = yield* app.call("POST", `/v1/view/app/${appId}`, {
        token: world.token,
        body: {
          name: "Many",
          layout: "table",
          sort_by: fields["pieces"],
          sort_desc: true,
          filters: [{ field_id: fields["pieces"], type: "number", match_type: "larger", values: [{ value: 2 }] }]
        }
      })
      assert.strictEqual(view.status, 201, view.text)
      const app_view_id = view.json.view?.view_id ?? view.json.view_id
      const step = (config: object) => ({ type: "collect_app_view_records", config: { app_id: appId, ...config } })
      const run = yield* runSteps(world, id, [step({ app_view_id })])
      completed(run)
      assert.deepStrictEqual(run.collections[appId], [itemIds[2]!, itemIds[0]!, itemIds[3]!])
      const privateAnswer = yield* app.call("PUT", `/v1/view/${app_view_id}`, {
        token: world.token,
        body: { private: true }
      })
      assert.strictEqual(privateAnswer.status, 200, privateAnswer.text)
      completed(yield* runSteps(world, id, [step({ app_view_id })]))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE views SET created_by = created_by + 1 WHERE view_id = ${app_view_id}`
      const ofSomebodyElse = yield* runSteps(world, id, [step({ app_view_id })])
      assert.deepStrictEqual([ofSomebodyElse.status, ofSomebodyElse.collections], ["failed", {}])
      assert.match(ofSomebodyElse.error_message!, /no view/)
      const bad = yield* runSteps(world, id, [step({ app_view_id: 999_999 })])
      assert.strictEqual(bad.status, "failed")
      assert.match(bad.error_message!, /no view/)
    })
  )

  it.effect(
    "records reached from the current one and from a collection, one collection per app, duplicates dropped",
    () =>
      Effect.gen(function* () {
        const world = yield* seedWorld
        const { appId, fields } = world.items
        const firstOrder = yield* order(world, { name: "1" })
        const second = yield* order(world, { name: "2" })
        const a = yield* item(world, { title: "a", order: firstOrder, others: [firstOrder, second] })
        const b = yield* item(world, { title: "b", order: firstOrder })
        const trashed = yield* item(world, { title: "c", order: firstOrder })
        const app = yield* App
        yield* app.call("DELETE", `/v1/record/${trashed}`, { token: world.token })
        const defs = (...ref_collection_defs: ReadonlyArray<object>) => ({
          type: "collect_referenced_records",
          config: { ref_collection_defs }
        })
        const run = yield* runSteps(world, firstOrder, [
          defs({ direction: "incoming", match_type: "all" }),
          {
            type: "collected_records_collect_referenced_records",
            config: {
              record_collection: collection(appId),
              ref_collection_defs: [{ direction: "outgoing", match_type: "all", app_id: world.appId }]
            }
          }
        ])
        completed(run)
        assert.deepStrictEqual(run.collections[appId], [a, b])
        assert.deepStrictEqual(run.collections[world.appId], [firstOrder, second])
        assert.strictEqual(run.steps.length, 1, "collected_records_collect_referenced_records logs no success")
        const some = yield* runSteps(world, firstOrder, [
          defs({ direction: "incoming", match_type: "all", via_field_ids: [fields["others"]] }),
          scalar("via", collection(appId)),
          defs({
            direction: "both",
            match_type: "filtered",
            app_id: appId,
            match_condition: where(itemRef(world, "title"), "is", { type: "text", text: ["b"] })
          })
        ])
        completed(some)
        assert.deepStrictEqual(some.variables["via"], [a])
        assert.deepStrictEqual(some.collections[appId], [b])
      })
  )

  it.effect("a deleted record's relations are followed as they were, from the trash and from beyond (7.5)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const app = yield* App
      const { token } = world
      const automation = yield* automate(token, world.items.appId, {
        trigger: { type: "record_deleted", config: {} },
        actions: [
          {
            type: "collect_referenced_records",
            config: { ref_collection_defs: [{ direction: "outgoing", match_type: "all", app_id: world.appId }] }
          },
          compute("reached", collection(world.appId)),
          {
            type: "referenced_records_update",
            config: {
              app_id: world.appId,
              field_assignments: [
                assignTo(ref(world, "amount"), [ref(world, "amount"), " - ", itemRef(world, "pieces")])
              ],
              trigger_other_flows: false
            }
          }
        ]
      })
      const sql = yield* SqlClient.SqlClient
      let n = 0
      for (const query of ["", "?skip_trash=true"]) {
        const parent = yield* order(world, { amount: 12 })
        const other = yield* order(world, { amount: 7 })
        const child = yield* item(world, { title: "x", pieces: 5, order: parent, others: [other] })
        const deletion = yield* app.call("DELETE", `/v1/record/${child}${query}`, { token })
        assert.strictEqual(deletion.status, 200, deletion.text)
        const run = (yield* runsOver(automation, ++n)).at(-1)!
        completed(run)
        const [reached] = yield* sql<{ value: unknown }>`
          SELECT value FROM run_variables WHERE run_id = ${run.run_id}::bigint`
        assert.deepStrictEqual(reached?.value, [parent, other])
        const amounts = yield* Effect.forEach([parent, other], (id) =>
          Effect.map(shown(token, id), ({ values }) => values["amount"][0].value)
        )
        assert.deepStrictEqual(amounts, [7, 2])
      }
    })
  )

  it.effect(
    "of more related records than are looked at a step takes what it needs, or fails and says so",
    () =>
      Effect.gen(function* () {
        const world = yield* seedWorld
        const sql = yield* SqlClient.SqlClient
        const { appId, fields } = world.items
        const id = yield* order(world, { name: "1" })
        const cells = `{"${fields["title"]}": ["a"], "${fields["order"]}": [${id}]}`
        yield* sql`
        WITH made AS (
          INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
          SELECT ${appId}, org_id, 1000 + n, 'a', ${cells}::jsonb, now(), '{"type":"user","user_id":1}'
          FROM apps, generate_series(1, 100000) n WHERE app_id = ${appId} RETURNING record_id)
        INSERT INTO record_links SELECT record_id, ${fields["order"]}, ${id} FROM made`
        const collect = (...texts: ReadonlyArray<string>) => ({
          type: "collect_referenced_records",
          config: {
            ref_collection_defs: [
              texts.length === 0
                ? { direction: "incoming", match_type: "all" }
                : {
                    ...{ direction: "incoming", match_type: "filtered", app_id: appId },
                    match_condition: where(itemRef(world, "title"), "is", { type: "text", text: texts })
                  }
            ]
          }
        })
        // As many as are looked at are looked at all.
        const none = yield* runSteps(world, id, [collect("b")])
        completed(none)
        assert.deepStrictEqual(none.collections[appId], [])
        yield* item(world, { title: "b", order: id })
        const lacking = yield* runSteps(world, id, [collect("b")])
        assert.strictEqual(lacking.status, "failed")
        assert.match(lacking.error_message!, /More than 100,000 records of app \d+ are related/)
        for (const full of [collect(), collect("a")]) {
          const run = yield* runSteps(world, id, [full])
          completed(run)
          assert.strictEqual(run.collections[appId]?.length, 1000)
        }
        // Those in the trash stand before those that live.
        yield* sql`UPDATE records SET deleted_on = now() WHERE app_id = ${appId} AND app_record_id > 1000`
        const trashed = yield* runSteps(world, id, [collect()])
        assert.strictEqual(trashed.status, "failed")
      }),
    120_000
  )

  it.effect(
    "a column keeps a place for each record, empty ones null; loops, rollups and texts pass over them (7.4)",
    () =>
      Effect.gen(function* () {
        const world = yield* seedWorld
        const id = yield* order(world)
        const firstItem = yield* item(world, { title: "a", pieces: 10, others: [id] })
        yield* item(world, { title: "b" })
        yield* item(world, { title: "c", pieces: 30 })
        assert.isAbove(firstItem, 0)
        const pieces = itemRef(world, "pieces", wholeCollection)
        const run = yield* runSteps(world, id, [
          collectItems(world),
          compute(
            "zip",
            "(",
            itemRef(world, "title", wholeCollection),
            ").map((t, i) => t + ': ' + (",
            pieces,
            ")[i])"
          ),
          compute("plain", pieces),
          compute("others", itemRef(world, "others", wholeCollection)),
          {
            type: "rollup_iterable_values",
            config: {
              rollup_type: "average",
              rollup_variable_def: pieces,
              custom_variable_def: { custom_type: "any", label: "mean" }
            }
          }
        ])
        completed(run)
        assert.deepStrictEqual(run.variables["zip"], ["a: 10", "b: null", "c: 30"])
        assert.deepStrictEqual(run.variables["plain"], [10, null, 30])
        assert.deepStrictEqual(run.variables["others"], [[id], null, null])
        assert.strictEqual(run.variables["mean"], 20)
      })
  )

  it.effect("collected and referenced updates: one revision each, the others go on past a failing record (7.6)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "Base" })
      const a = yield* item(world, { title: "a", pieces: 1, order: id })
      const b = yield* item(world, { title: "b", pieces: 20 })
      const run = yield* runSteps(world, id, [
        collectItems(world),
        {
          type: "collected_records_update",
          config: {
            record_collection: collection(world.items.appId),
            field_assignments: [
              assignTo(itemRef(world, "title"), [itemRef(world, "title", wholeCollection), " of ", ref(world, "name")]),
              assignTo(itemRef(world, "pieces"), [itemRef(world, "pieces", wholeCollection), " * 2"])
            ],
            trigger_other_flows: false
          }
        }
      ])
      completed(run)
      assert.strictEqual(run.credits, 3)
      const [after, other] = [yield* shown(world.token, a), yield* shown(world.token, b)]
      assert.strictEqual(after.values["title"][0].value, "a of Base")
      assert.strictEqual(other.values["pieces"][0].value, 40)
      assert.strictEqual(after.revision, 1)

      const long = yield* runSteps(world, id, [
        collectItems(world),
        {
          type: "collected_records_update",
          config: {
            record_collection: collection(world.items.appId),
            field_assignments: [
              {
                field_type: "single_text",
                variable_def: itemRef(world, "title"),
                assignment_type: "set_code",
                code: [itemRef(world, "pieces", wholeCollection), " > 10 ? 'x'.repeat(501) : 'short'"]
              }
            ],
            trigger_other_flows: false
          }
        }
      ])
      assert.strictEqual(long.status, "failed")
      assert.match(JSON.stringify(long.steps[1].messages), new RegExp(`Record ${b}`))
      assert.match(long.error_message!, new RegExp(`^1 of 2 records failed\\. Record ${b}: .*[Tt]itle`))
      assert.strictEqual((yield* shown(world.token, a)).values["title"][0].value, "short")

      const related = yield* runSteps(world, id, [
        {
          type: "referenced_records_update",
          config: {
            app_id: world.items.appId,
            field_assignments: [assignTo(itemRef(world, "title"), ["related"])],
            trigger_other_flows: false
          }
        }
      ])
      assert.strictEqual((yield* shown(world.token, a)).values["title"][0].value, "related")
      completed(related)
    })
  )

  it.effect("the log tells what a collection's first records and first failures were worked on with (7.11)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "Base" })
      const itemIds: Array<number> = []
      for (const title of ["a", "b", "c", "d", "e"]) itemIds.push(yield* item(world, { title, order: id }))
      const assigns = [
        {
          field_type: "single_text",
          variable_def: itemRef(world, "title"),
          assignment_type: "set_code",
          // Long beside what a busy machine puts between two looks at a clock.
          code: [
            "(() => { const from = Date.now(); while (Date.now() - from < 30); return ",
            itemRef(world, "title", wholeCollection),
            " === 'd' ? 'x'.repeat(5000) : ",
            itemRef(world, "title", wholeCollection),
            " + '!' })()"
          ]
        }
      ]
      const mutes = { trigger_other_flows: false, trigger_webhooks: false }
      const run = yield* runSteps(world, id, [
        collectItems(world),
        {
          type: "collected_records_comment_create",
          config: {
            record_collection: collection(world.items.appId),
            comment_content: ["About ", itemRef(world, "title", wholeCollection)],
            ...mutes
          }
        },
        {
          type: "collected_records_update",
          continue_on_error: true,
          config: { record_collection: collection(world.items.appId), field_assignments: assigns, ...mutes }
        },
        {
          type: "referenced_records_update",
          config: {
            app_id: world.items.appId,
            field_assignments: [assignTo(itemRef(world, "title"), ["seen"])],
            ...mutes
          }
        }
      ])
      completed(run)
      const [, commented, updated, related] = run.steps.map(({ detail }) => detail)
      const brief = { app_id: world.items.appId, num_records: 5 }
      const [first] = commented.inputs.records
      assert.deepStrictEqual(commented.inputs, {
        record_collection: brief,
        records: [
          ...["a", "b", "c"].map((title, i) => ({
            record_id: itemIds[i],
            inputs: { comment_content: `About ${title}` },
            outputs: { comment_id: first.outputs.comment_id + i }
          })),
          "… (cut, 5 records in all)"
        ]
      })
      const [one, , , bad, mark] = updated.inputs.records
      assert.deepStrictEqual(one, { record_id: itemIds[0], inputs: { Title: "a!" }, outputs: {} })
      assert.strictEqual(bad.record_id, itemIds[3])
      assert.match(bad.inputs.Title, /^"x{1999}… \(cut, 5002 characters in all\)$/)
      assert.strictEqual(mark, "… (cut, 5 records in all)")
      assert.isAtLeast(updated.duration_ms, 1)
      assert.strictEqual(updated.attempts, 1)
      assert.deepStrictEqual(related.inputs.related_records, { num_records: 5 })
      assert.strictEqual(related.inputs.records.length, 4)
      // What was refused names the field as the API does, not by its id.
      const errorMessage = run.steps[2]!.messages.find(({ level }: any) => level === "error")
      assert.match(errorMessage.message, new RegExp(`^Record ${itemIds[3]}: fields\\.title: `))
      // The steps' time is counted once: twice would be far from it, while clocks are read a moment apart.
      assert.isAtMost(run.executed_ms, 1.5 * run.steps.reduce((sum, { detail }) => sum + detail.duration_ms, 0))
    })
  )

  it.effect("a loop over a collection: the current item, omitted collections, index (7.6, 8.2)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const world = yield* seedWorld
      const id = yield* order(world, { name: "Base" })
      const a = yield* item(world, { title: "a", pieces: 1 })
      const b = yield* item(world, { title: "b", pieces: 2 })
      yield* item(world, { title: "skipped", pieces: 3 })
      const run = yield* runSteps(world, id, [
        collectItems(world),
        {
          type: "for_loop",
          config: {
            iterable: collection(world.items.appId),
            continue_condition: where(itemRef(world, "title", wholeCollection), "is", {
              type: "text",
              text: ["skipped"]
            }),
            action_rows: [
              scalar(
                "seen",
                "(var_seen || '') + loop_index + ",
                itemRef(world, "title", wholeCollection),
                " + loop_item.record_id"
              ),
              {
                type: "collected_records_comment_create",
                config: {
                  comment_content: ["Hi ", itemRef(world, "title", wholeCollection)],
                  trigger_other_flows: false
                }
              },
              {
                type: "collected_records_update",
                config: {
                  field_assignments: [assignTo(itemRef(world, "title"), [ref(world, "name")])],
                  trigger_other_flows: false
                }
              }
            ]
          }
        }
      ])
      completed(run)
      assert.strictEqual(run.variables["seen"], `0a${a}1b${b}`)
      const comments = yield* app.call("GET", `/v1/comment/record/${b}`, { token: world.token })
      assert.strictEqual(comments.json.comments[0].value, "Hi b")
      assert.strictEqual((yield* shown(world.token, a)).title, "Base")
    })
  )

  it.effect("loops over lists give the item; what cannot be iterated fails (7.7 rule 4)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { tags: ["Red", "Green"], mails: ["a@x.at", "b@x.at"], name: "text" })
      const loop = (iterable: object) => ({
        type: "for_loop",
        config: { iterable, action_rows: [scalar("seen", "(var_seen || '') + ", iterable, " + ';'")] }
      })
      const tags = yield* runSteps(world, id, [loop(ref(world, "tags"))])
      completed(tags)
      assert.strictEqual(tags.variables["seen"], "Red;Green;")
      const mails = yield* runSteps(world, id, [loop(ref(world, "mails"))])
      assert.strictEqual(mails.variables["seen"], "a@x.at;b@x.at;")
      completed(yield* runSteps(world, id, [loop(ref(world, "team"))]))
      const text = yield* runSteps(world, id, [loop(ref(world, "name"))])
      assert.strictEqual(text.status, "failed")
      assert.match(text.error_message!, /cannot be iterated/)
    })
  )

  it.effect("rollups over a collection: empties, numbers, dates (7.7 rule 3)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world)
      for (const [pieces, made] of [
        [4, "2026-03-01"],
        [1, "2026-01-01"],
        [7, "2026-02-01"]
      ] as const) {
        yield* item(world, { title: "t", pieces, made })
      }
      yield* item(world, { title: "none" })
      const roll = (rollup_type: string, field: object, label = rollup_type) => ({
        type: "rollup_iterable_values",
        config: { rollup_type, rollup_variable_def: field, custom_variable_def: { custom_type: "any", label } }
      })
      const pieces = itemRef(world, "pieces", wholeCollection)
      const createdOn = itemRef(world, "made", wholeCollection)
      const types = ["count_all", "count_empty", "count_not_empty", "percent_empty", "percent_not_empty"]
      const figures = ["sum", "average", "median", "min", "max"]
      const run = yield* runSteps(world, id, [
        collectItems(world),
        ...[...types, ...figures].map((type) => roll(type, pieces)),
        roll("min", createdOn, "first"),
        roll("max", createdOn, "last")
      ])
      completed(run)
      assert.deepInclude(run.variables, {
        count_all: 4,
        count_empty: 1,
        count_not_empty: 3,
        percent_empty: 25,
        percent_not_empty: 75,
        sum: 12,
        average: 4,
        median: 4,
        min: 1,
        max: 7,
        first: "2026-01-01",
        last: "2026-03-01"
      })
      const none = yield* runSteps(world, id, [
        collectItems(world, where(itemRef(world, "title"), "is", { type: "text", text: ["nobody"] })),
        roll("sum", pieces),
        roll("average", pieces)
      ])
      assert.deepInclude(none.variables, { sum: 0, average: null })
    })
  )

  it.effect("calls: the current record and every collected one, with arguments by name (7.6, 7.8; A14)", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const inputs = [{ custom_type: "any", label: "How many" }]
      const target = yield* automate(world.token, world.appId, {
        trigger: {
          type: "automation_called",
          config: { custom_variable_defs: inputs, custom_variable_defs_enabled: true }
        },
        actions: [
          scalar("got", { kind: "variable", source: "custom", ...inputs[0] }, " + 1"),
          scalar("by", ref(world, "name", { triggering: true }))
        ]
      })
      const callerOrder = yield* order(world, { name: "caller", amount: 5 })
      const second = yield* order(world, { name: "other" })
      const call_arguments = [{ variable_def: inputs[0], assignment_type: "set_code", code: [ref(world, "amount")] }]
      const run = yield* runSteps(world, callerOrder, [
        { type: "current_record_call_automation", config: { automation_id: target, call_arguments } },
        {
          type: "collect_app_records",
          config: {
            app_id: world.appId,
            match_condition: where(meta("app_record_id"), "is", { type: "number", number: ["2"] })
          }
        },
        {
          type: "collected_records_call_automation",
          config: { automation_id: target, call_arguments, record_collection: collection(world.appId) }
        }
      ])
      completed(run)
      const runs = yield* runsOver(target, 2)
      assert.deepStrictEqual(runs.map((it: any) => it.record_id).toSorted(), [callerOrder, second].toSorted())
      for (const called of runs) completed(called)
    })
  )

  it.effect(
    "every collect takes at most 1000 records whatever its limit, updates of related ones too (2.7, 7.7 rule 2)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const world = yield* seedWorld
        const id = yield* order(world, { name: "hub" })
        const firstItem = yield* item(world, { title: "copy", pieces: 1, order: id })
        const copies = yield* sql<{ record_id: number }>`
        INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
        SELECT app_id, org_id, 10000 + n, title, cells, created_on, created_by
        FROM records, generate_series(1, 1004) n WHERE record_id = ${firstItem} RETURNING record_id`
        yield* sql`
        INSERT INTO record_links (record_id, field_id, target_id)
        SELECT r.record_id, l.field_id, l.target_id FROM record_links l, records r
        WHERE l.record_id = ${firstItem} AND r.app_id = ${world.items.appId} AND r.record_id <> ${firstItem}`
        assert.strictEqual(copies.length, 1004)
        const { appId } = world.items
        const view = yield* app.call("GET", `/v1/app/${appId}/views`, { token: world.token })
        const count = compute("n", collection(appId), ".length")
        const big = { limit: 5000, limit_enabled: true }
        const relation = { direction: "incoming", match_type: "all" }
        for (const collect of [
          collectItems(world),
          collectItems(world, null, big),
          collectItems(world, where(itemRef(world, "title"), "is", { type: "text", text: ["copy"] }), big),
          {
            type: "collect_app_view_records",
            config: { app_id: appId, app_view_id: view.json.views[0].view_id, ...big }
          },
          { type: "collect_referenced_records", config: { ref_collection_defs: [relation] } },
          {
            type: "collect_referenced_records",
            config: {
              ref_collection_defs: [
                {
                  ...relation,
                  match_type: "filtered",
                  match_condition: where(itemRef(world, "title"), "is", { type: "text", text: ["copy"] })
                }
              ]
            }
          }
        ]) {
          const run = yield* runSteps(world, id, [collect, count])
          completed(run)
          assert.strictEqual(run.variables["n"], 1000, JSON.stringify(collect))
          assert.strictEqual(new Set(run.collections[appId]).size, 1000)
          // Truncated without a warning.
          assert.deepStrictEqual(run.steps[0].messages, [])
        }
        const kept = yield* app.call("POST", `/v1/automation/app/${world.appId}`, {
          token: world.token,
          body: { name: "Kept", actions: [collectItems(world, null, big)] }
        })
        assert.strictEqual(kept.json.automation.actions[0].config.limit, 5000, "the stored limit is kept")
        // A simulation counts its targets as a run does.
        const updated = yield* runSteps(
          world,
          id,
          [
            {
              type: "referenced_records_update",
              config: { app_id: appId, field_assignments: [assignTo(itemRef(world, "pieces"), ["7"])] }
            }
          ],
          { simulate: true }
        )
        completed(updated)
        assert.strictEqual(updated.credits, 1000)
      })
  )
})
