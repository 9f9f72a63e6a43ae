// The database away while a script calls the API (developer-api.md 1.5, 8.2; decisions A1): the call waits, then the script is told,
// and a step that fails of it is begun again.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { App } from "../../../support/app.ts"
import { Cuttable, layerCuttable } from "../../../support/cuttableDatabase.ts"
import { BOUND } from "../../../support/eventually.ts"
import { answers, receiver as startReceiver } from "../../../support/receiver.ts"
import { eventually, spineLayerOver } from "../../../support/spine.ts"
import { automate, createRecord, runsOver, settled } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const MET = "/met?503&service_unavailable"

class Told extends Context.Service<Told, Effect.Success<ReturnType<typeof startReceiver>>>()("test/Told") {}

const world = Layer.unwrap(
  Effect.gen(function* () {
    const receiver = yield* startReceiver()
    return spineLayerOver(layerCuttable, { OUTBOUND_ALLOW: receiver.hostPort }).pipe(
      Layer.merge(Layer.succeed(Told, receiver))
    )
  })
)

/** A record, and a run of a script that is about it. */
const scripted = Effect.fnUntraced(function* (script: (record: number) => string) {
  const { appId, options, token } = yield* seedApp()
  const fields = { state: options["state"]![0] }
  const record = yield* createRecord(token, appId, fields)
  // Its event must not meet the automation, which would run for it too.
  yield* settled(appId)
  const id = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [{ type: "custom_code", config: { code: [script(record)], custom_variable_defs: [] } }]
  })
  yield* createRecord(token, appId, fields)
  return { id, record, token }
})

/** The test asks over the same connections that are cut. */
const patiently = Effect.retry(Schedule.upTo(Schedule.spaced("200 millis"), { duration: BOUND }))

const metOf = (told: Told["Service"]) =>
  told.received.filter(({ path }) => path.startsWith("/met")).map(({ path }) => path)

const commentsOf = Effect.fnUntraced(function* (token: string, record: number) {
  const app = yield* App
  const { json } = yield* app.call("GET", `/v1/comment/record/${record}`, { token })
  return json.comments.map(({ value }: { readonly value: string }) => value) as ReadonlyArray<string>
})

layer(world, { excludeTestServices: true })("a script whose calls meet no database", (it) => {
  it.effect(
    "it is told 503 service_unavailable; the step that fails of it is begun again, its calls are made once",
    () =>
      Effect.gen(function* () {
        const { down, up } = yield* Cuttable
        const receiver = yield* Told
        const beginCalls = { n: 0 }
        receiver.on("/begin", (request, response) => {
          if (beginCalls.n++ === 0) Effect.runSync(down)
          answers.status(200)(request, response)
        })
        receiver.on(MET, (request, response) => {
          Effect.runSync(up)
          answers.status(200)(request, response)
        })
        const { id, record, token } = yield* scripted(
          (record) => `
        await api.Comment.create(${record}, "first")
        await http.get("${receiver.origin}/begin")
        try {
          await api.Comment.create(${record}, "second")
        } catch (error) {
          await http.get("${receiver.origin}/met?" + error.status + "&" + error.data.error_code)
          throw error
        }`
        )
        // Until the database is back, nothing can be asked of it here either.
        yield* eventually(
          "the script was told",
          Effect.sync(() => metOf(receiver)),
          (met) => met.length > 0
        )
        const [run] = yield* runsOver(id).pipe(patiently)
        assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
        assert.strictEqual(beginCalls.n, 2)
        assert.deepStrictEqual(
          receiver.received.filter(({ path }) => path.startsWith("/met")).map(({ path }) => path),
          [MET]
        )
        assert.deepStrictEqual((yield* commentsOf(token, record)).toSorted(), ["first", "second"])
      })
  )

  it.effect(
    "away for a moment, or lost at the commit: the call waits and answers once, the script knows of nothing",
    () =>
      Effect.gen(function* () {
        const { cutNextCommit } = yield* Cuttable
        const receiver = yield* Told
        receiver.on("/cut", (request, response) => {
          Effect.runSync(cutNextCommit("after"))
          answers.status(200)(request, response)
        })
        const { id, record, token } = yield* scripted(
          (record) => `
        for (const text of ["a", "b", "c"]) {
          await http.get("${receiver.origin}/cut")
          await api.Comment.create(${record}, text)
        }`
        )
        const [run] = yield* runsOver(id).pipe(patiently)
        assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
        const comments = yield* eventually("three comments", commentsOf(token, record), (all) => all.length >= 3)
        assert.deepStrictEqual(comments.toSorted(), ["a", "b", "c"])
      })
  )
})
