// What strangers answer and steps compose has a largest size, and what is larger is told by the step, once (developer-api.md 7.6, 7.11;
// decisions P7, P8).
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { answers, receiver as startReceiver } from "../../../support/receiver.ts"
import { spineLayer } from "../../../support/spine.ts"
import { automate } from "../runSupport.ts"
import { collection, completed, compute, custom, itemRef, meta, order, runSteps, seedWorld } from "./support.ts"

class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()(
  "test/sizes/Receiver"
) {}

const spine = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    Layer.merge(spineLayer({ OUTBOUND_ALLOW: receiver.hostPort }), Layer.succeed(Receiver, receiver))
  )
)

const any = (label: string) => ({ custom_type: "any", label })
const messagesOf = ({ messages }: any): string => JSON.stringify(messages)

layer(spine, { excludeTestServices: true })("what has a largest size", (it) => {
  it.effect(
    "http_call: an answer that nests deeply, or holds very many values, is kept as text, after one request (7.6)",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver
        const w = yield* seedWorld
        const id = yield* order(w)
        const deep = "[".repeat(5_000) + "]".repeat(5_000)
        const many = `[${"0,".repeat(250_000)}0]`
        const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, n])))
        const cases = [
          ["deep", deep, /nests deeper than 200 levels/],
          ["many", many, /holds more than 200000 values/],
          ["wide", wide, /holds an object of more than 10000 keys/]
        ] as const
        for (const [name, body, why] of cases) {
          receiver.on(`/${name}`, answers.status(200, {}, body))
          for (const defs of [[], [any("answer")]]) {
            const requestsBefore = receiver.of(`/${name}`).length
            const config = {
              http_call_type: "post",
              http_call_url: [`${receiver.origin}/${name}`],
              custom_variable_defs: defs
            }
            const run = yield* runSteps(w, id, [{ type: "http_call", config }])
            completed(run)
            assert.strictEqual(receiver.of(`/${name}`).length, requestsBefore + 1)
            assert.match(messagesOf(run.steps[0]), why)
            assert.isBelow(JSON.stringify(run.steps[0].detail.outputs).length, 5_000)
            if (defs.length > 0) assert.strictEqual(run.variables["answer"].data, body)
          }
        }
      })
  )

  it.effect(
    "a text of very many references fails its step: of an answer to send, a comment, a call's arguments (7.4)",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver
        const w = yield* seedWorld
        const id = yield* order(w)
        const target = yield* automate(w.token, w.appId, {
          trigger: {
            type: "automation_called",
            config: { custom_variable_defs_enabled: true, custom_variable_defs: [any("in")] }
          },
          actions: [compute("B", "1")]
        })
        const often = Array.from({ length: 100 }, () => custom("A"))
        const steps = [
          {
            type: "http_call",
            config: { http_call_type: "post", http_call_url: [`${receiver.origin}/sent`], http_call_body: often }
          },
          { type: "current_record_comment_create", config: { comment_content: often } },
          {
            type: "current_record_call_automation",
            config: {
              automation_id: target,
              call_arguments: [{ variable_def: any("in"), assignment_type: "set", value: often, code: [] }]
            }
          },
          { type: "redirect_user", config: { redirect_url: often } }
        ]
        const trigger = { type: "weblink_clicked", config: {} }
        const tolerant = steps.map((step) => ({ ...step, continue_on_error: true }))
        const run = yield* runSteps(w, id, [compute("A", '"x".repeat(250000)'), ...tolerant], { trigger })
        completed(run)
        const failures = run.steps.flatMap(({ label, messages, status }: any) =>
          status === "failure" ? [`${label}: ${messages.at(-1).message}`] : []
        )
        assert.strictEqual(failures.length, steps.length, JSON.stringify(failures))
        for (const failureText of failures) assert.match(failureText, /The text is longer than \d+ characters\./)
        assert.strictEqual(receiver.of("/sent").length, 0)
      })
  )

  it.effect("a page that steps add to is as long as it may be, and the click is told what failed (7.10)", () =>
    Effect.gen(function* () {
      const w = yield* seedWorld
      const id = yield* order(w)
      const page = {
        type: "display_webpage",
        config: { webpage_body: [custom("A")], join_type: "add_below", fullscreen: false, remove_branding: false }
      }
      const run = yield* runSteps(
        w,
        id,
        [
          compute("A", '"x".repeat(200000)'),
          compute("Items", "Array.from({ length: 100 }, (_, n) => n)"),
          { type: "for_loop", config: { iterable: custom("Items"), action_rows: [page] } }
        ],
        { trigger: { type: "weblink_clicked", config: {} } }
      )
      assert.strictEqual(run.status, "failed")
      assert.strictEqual(run.error_message, "The page is longer than 2097152 characters.")
      const sql = yield* SqlClient.SqlClient
      const [kept] = yield* sql<{ chars: number }>`
        SELECT length(html) AS chars FROM run_pages WHERE run_id = ${run.run_id}::bigint`
      assert.strictEqual(kept!.chars, 2_000_000)
    })
  )

  it.effect("all_comments holds the newest, a mebibyte of all the records that are read (7.4)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const w = yield* seedWorld
      const id = yield* order(w)
      for (let n = 0; n < 22; n++) {
        const body = { value: `${n} `.padEnd(50_000, "x") }
        const creation = yield* app.call("POST", `/v1/comment/record/${id}?workflow=false`, { token: w.token, body })
        assert.strictEqual(creation.status, 200, creation.text)
      }
      const commentTexts = meta("all_comments")
      const run = yield* runSteps(w, id, [
        compute("Numbers", commentTexts, '.map((text) => Number(text.split(" ")[0]))')
      ])
      completed(run)
      assert.deepStrictEqual(
        run.variables["Numbers"],
        Array.from({ length: 20 }, (_, n) => n + 2)
      )
    })
  )

  it.effect("a script condition over many records is sent a large variable once, not with each (8.3)", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver
      const app = yield* App
      const w = yield* seedWorld
      const id = yield* order(w)
      const kept: Array<number> = []
      for (let from = 0; from < 450; from += 50) {
        const inputs = Array.from({ length: 50 }, (_, n) => ({ fields: { title: "t", pieces: from + n } }))
        const path = `/v1/record/app/batch/${w.items.appId}?workflow=false`
        const creation = yield* app.call("POST", path, { token: w.token, body: { inputs } })
        assert.strictEqual(creation.status, 200, creation.text)
        kept.push(...creation.json.records.flatMap(({ record_id }: any, n: number) => (n % 2 === 0 ? [record_id] : [])))
      }
      const data = { ids: kept.map((_, n) => 2 * n), filler: "x".repeat(1_200_000) }
      receiver.on("/data", answers.status(200, {}, JSON.stringify(data)))
      const config = {
        http_call_type: "get",
        http_call_url: [`${receiver.origin}/data`],
        custom_variable_defs: [any("Data")]
      }
      const code = ["var_data.data.ids.includes(", itemRef(w, "pieces"), ")"]
      const run = yield* runSteps(w, id, [
        { type: "http_call", config },
        { type: "collect_app_records", config: { app_id: w.items.appId } },
        {
          type: "filter_record_collection",
          config: {
            record_collection: collection(w.items.appId),
            match_condition: { operator: "and", rows: [{ code }] }
          }
        }
      ])
      completed(run)
      assert.deepStrictEqual(
        [...run.collections[w.items.appId]!].sort((a, b) => a - b),
        kept
      )
    })
  )
})
