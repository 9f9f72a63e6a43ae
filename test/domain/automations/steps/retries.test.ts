// `retry` of outside steps (developer-api.md 7.13), against a real Temporal, a receiver and a mail server that fail at first.
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import type { Tuning } from "../../../../src/platform/config/Tuning.ts"
import { startSmtp } from "../../../platform/mail/smtp.ts"
import { App } from "../../../support/app.ts"
import { ddl } from "../../../support/database.ts"
import { type Answer, answers, receiver as startReceiver } from "../../../support/receiver.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { compute, custom, order, runSteps, seedWorld, type World } from "../actions/support.ts"
import { runsOf, runsOver } from "../runSupport.ts"

const TRIED = "someone@example.com"

class Outside extends Context.Service<
  Outside,
  {
    readonly receiver: Effect.Success<ReturnType<typeof startReceiver>>
    readonly smtp: Effect.Success<ReturnType<typeof startSmtp>> & { failNext: number }
  }
>()("test/Outside") {}

const world = (tuning: Partial<Tuning> = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const receiver = yield* startReceiver()
      const mails = { failNext: 0 }
      const busy = Object.assign(new Error("Busy"), { responseCode: 451 })
      const smtp = Object.assign(
        mails,
        // The service's own mails about failures go through the same server.
        yield* startSmtp({
          onRcptTo: ({ address }, _session, done) => (address === TRIED && mails.failNext-- > 0 ? done(busy) : done())
        })
      )
      const config = {
        OUTBOUND_ALLOW: receiver.hostPort,
        SMTP_URL: smtp.url,
        MAIL_FROM: "Millrace <service@example.com>",
        RUNS_CONCURRENT: "1"
      }
      return spineLayer(config, tuning).pipe(Layer.merge(Layer.succeed(Outside, { receiver, smtp })))
    })
  )

const quick = { attempts: 3, first_ms: 100, factor: 2, at_most_ms: 1_000 }
const long = { attempts: 3, first_ms: 3_600_000, factor: 1, at_most_ms: 3_600_000 }

const post = (url: string, more: object = {}) => ({
  type: "http_call",
  config: { http_call_type: "post", http_call_url: [url], http_call_body: ["{}"] },
  ...more
})

/** Fails so many times before it answers. */
const failing = (times: number, answer: Answer): Answer => {
  let failuresLeft = times
  return (request, response) => (failuresLeft-- > 0 ? answer : answers.status(200, {}, "there"))(request, response)
}

const messagesOf = (log: any): ReadonlyArray<string> => log.messages.map(({ message }: any) => message)

/** Begins a run of these steps by hand; answers the automation. */
const begin = Effect.fnUntraced(function* (
  { appId, token }: World,
  recordId: number,
  actions: ReadonlyArray<object>,
  more: object = {}
) {
  const app = yield* App
  const trigger = { type: "record_created", config: {} }
  const body = { name: "Begun", trigger, actions, ...more }
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body: { record_id: recordId } })
  return id
})

const resting = (automationId: number) =>
  Effect.map(
    eventually("rests", runsOf(automationId), (rows) => rows[0]?.wait_until != null),
    ([run]) => run!
  )

layer(world(), { excludeTestServices: true })("an outside step that is tried again", (it) => {
  it.effect(
    "each attempt is in the log with its cause and the next pause; the key stays, the step costs once (7.13, A19)",
    () =>
      Effect.gen(function* () {
        const { receiver } = yield* Outside
        const w = yield* seedWorld
        const id = yield* order(w)
        receiver.on("/twice", failing(2, answers.status(503)))
        const run = yield* runSteps(w, id, [post(`${receiver.origin}/twice`, { retry: quick })])
        assert.strictEqual(run.status, "completed", run.error_message ?? "")
        const [first, second, third, ...more] = run.steps
        assert.deepStrictEqual(more, [])
        assert.deepStrictEqual([first.status, second.status, third.status], ["in_progress", "in_progress", "success"])
        assert.deepStrictEqual(
          [first, second, third].map(({ detail }) => detail.attempts),
          [1, 2, 3]
        )
        assert.strictEqual(messagesOf(first)[0], "Attempt 1 of 3 failed: The server answered 503.")
        assert.match(messagesOf(first)[1]!, /^The next is made after 0\.1 s, at 2\d{3}-/)
        assert.match(messagesOf(second)[1]!, /^The next is made after 0\.2 s, at 2\d{3}-/)
        const requests = receiver.of("/twice")
        assert.strictEqual(requests.length, 3)
        assert.strictEqual(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size, 1)
        assert.isTrue(
          requests[1]!.at - requests[0]!.at >= 95 && requests[2]!.at - requests[1]!.at >= 195,
          "the pauses grow"
        )
        assert.strictEqual(run.credits, 1)
      })
  )

  it.effect("the last attempt fails the step; what can not pass is not tried again (7.13, 7.11 run semantics 3)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w)
      const tried = Effect.fnUntraced(function* (path: string, answer: Answer, retry: object = quick) {
        receiver.on(path, answer)
        const run = yield* runSteps(w, id, [post(receiver.origin + path, { retry })])
        assert.strictEqual(run.status, "failed")
        return [receiver.of(path).length, run.error_message] as const
      })
      assert.deepStrictEqual(yield* tried("/always", answers.status(500)), [3, "The server answered 500."])
      assert.deepStrictEqual(yield* tried("/refused", answers.status(404)), [1, "The server answered 404."])
      assert.deepStrictEqual((yield* tried("/reset", answers.resetBeforeAnswer))[0], 3)
      // `on_status` replaces the list; the network's faults are not in it.
      assert.deepStrictEqual((yield* tried("/named", answers.status(404), { ...quick, on_status: [404] }))[0], 3)
      assert.deepStrictEqual((yield* tried("/not-named", answers.status(500), { ...quick, on_status: [404] }))[0], 1)
      assert.deepStrictEqual((yield* tried("/gone", answers.resetBeforeAnswer, { ...quick, on_status: [404] }))[0], 3)
      assert.deepStrictEqual((yield* tried("/once", answers.status(500), { ...quick, attempts: 1 }))[0], 1)
    })
  )

  it.effect("continue_on_error holds after the last attempt (7.11 run semantics 3)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w)
      receiver.on("/down", answers.status(503))
      const run = yield* runSteps(w, id, [
        post(`${receiver.origin}/down`, { retry: quick, continue_on_error: true }),
        compute("seen", "1")
      ])
      assert.strictEqual(run.status, "completed")
      assert.strictEqual(run.variables["seen"], 1)
      assert.strictEqual(receiver.of("/down").length, 3)
    })
  )

  it.effect(
    "operators see the attempt, its cause and the next one in Temporal; the pause holds no place (7.11 rule 7)",
    () =>
      Effect.gen(function* () {
        const { receiver } = yield* Outside
        const temporal = yield* Temporal
        const app = yield* App
        const w = yield* seedWorld
        const id = yield* order(w)
        receiver.on("/rest", answers.status(502))
        const automation = yield* begin(w, id, [post(`${receiver.origin}/rest`, { retry: long })])
        const run = yield* resting(automation)
        const pending = temporal.call(async (client) => {
          const { raw } = await client.workflow.getHandle(runWorkflowId(run)).describe()
          return raw.pendingActivities ?? []
        })
        const [activity] = yield* eventually("backs off", pending, (rows) => rows[0]?.lastFailure != null)
        assert.strictEqual(activity!.activityType?.name, "http_call")
        assert.strictEqual(activity!.attempt, 2, "the next one")
        assert.match(
          activity!.lastFailure!.message!,
          /^Attempt 1 of 3 failed: The server answered 502\. The next is made after 3600 s/
        )
        const runAnswer = yield* app.call("GET", `/v1/automation-run/${run.run_id}`, { token: w.token })
        const { waiting } = runAnswer.json.automation_run
        assert.deepStrictEqual([waiting.why, waiting.label], ["retry", "HTTP request"])
        assert.isNotNull(waiting.until)
        // The only place of the organization.
        const other = yield* runSteps(w, id, [compute("there", "1")])
        assert.strictEqual(other.status, "completed")
        const cancelled = yield* app.call("POST", `/v1/automation-run/${run.run_id}/cancel`, { token: w.token })
        assert.strictEqual(cancelled.status, 202)
        assert.strictEqual(cancelled.json.automation_run.status, "cancelled")
        // An hour before the next attempt.
        yield* eventually(
          "its workflow ends",
          temporal.call((client) => client.workflow.getHandle(runWorkflowId(run)).describe()),
          ({ status }) => status.name === "COMPLETED"
        )
        assert.strictEqual(receiver.of("/rest").length, 1)
      })
  )

  it.effect("an attempt outside of its window waits until that opens, on the automation's clock (7.13)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const app = yield* App
      const w = yield* seedWorld
      const id = yield* order(w)
      receiver.on("/closed", answers.status(503))
      // It opens a few hours from now, whatever the time is: by UTC at `opening`, seven hours later on the automation's clock.
      const nowMillis = yield* Clock.currentTimeMillis
      const hour = (hours: number) => new Date(nowMillis + hours * 3_600_000).toISOString().slice(11, 13)
      const [opening, window] = [hour(5), { from: `${hour(12)}:00`, to: `${hour(14)}:00` }]
      const step = post(`${receiver.origin}/closed`, { retry: { ...quick, window } })
      const run = yield* resting(yield* begin(w, id, [step], { timezone: "Etc/GMT-7" }))
      assert.strictEqual(run.wait_until!.toISOString().slice(11, 19), `${opening}:00:00`)
      const { json } = yield* app.call("GET", `/v1/automation-run/${run.run_id}/log`, { token: w.token })
      assert.match(JSON.stringify(json), /The next is made at 2\d{3}-\S+, when the step's window opens\./)
      assert.lengthOf(receiver.of("/closed"), 1)
      yield* app.call("POST", `/v1/automation-run/${run.run_id}/cancel`, { token: w.token })
    })
  )

  it.effect(
    "each mail of a collection has its attempts, under one Message-ID; scripts are tried again as well (7.13)",
    () =>
      Effect.gen(function* () {
        const { receiver, smtp } = yield* Outside
        const w = yield* seedWorld
        const id = yield* order(w, { name: "Bolt" })
        smtp.failNext = 2
        const mails = yield* runSteps(w, id, [
          { type: "collect_app_records", config: { app_id: w.appId } },
          {
            type: "collected_records_send_email",
            config: {
              record_collection: { kind: "variable", source: "action", action_type: "record_collection" },
              to_address: [TRIED],
              subject: ["Tried"]
            },
            retry: quick
          }
        ])
        assert.strictEqual(mails.status, "completed", mails.error_message ?? "")
        assert.strictEqual(smtp.about("Tried").length, 1)
        const ofMails = mails.steps.filter(
          (log) => log.label === "Send email to collected records" || log.detail?.attempts
        )
        assert.deepStrictEqual(
          ofMails.slice(-3).map(({ status }) => status),
          ["in_progress", "in_progress", "success"]
        )
        assert.match(messagesOf(ofMails.at(-3))[0]!, new RegExp(`^Attempt 1 of 3 failed: Record ${id}: `))
        assert.strictEqual(mails.credits, 2, "the collect step, and one for the record")

        receiver.on("/script", failing(1, answers.status(500)))
        const def = { custom_type: "any", label: "answer" }
        const script = yield* runSteps(w, id, [
          {
            type: "custom_code",
            config: {
              code: [
                `const answer = await http.get('${receiver.origin}/script');\n`,
                "if (answer.status !== 200) throw new Error('no answer');\nreturn answer.data;"
              ],
              custom_variable_defs: [def]
            },
            retry: quick
          },
          compute("kept", custom("answer"))
        ])
        assert.strictEqual(script.status, "completed", script.error_message ?? "")
        assert.deepStrictEqual([script.variables["kept"], receiver.of("/script").length], ["there", 2])
      })
  )

  it.effect("the attempts take part in the 15 minutes of a run, their pauses do not (7.11 rule 6)", () =>
    Effect.gen(function* () {
      const { receiver } = yield* Outside
      const w = yield* seedWorld
      const id = yield* order(w)
      receiver.on("/slow", answers.delayed(300, answers.status(503)))
      const automation = yield* begin(w, id, [
        post(`${receiver.origin}/slow`, { retry: { ...quick, first_ms: 1_000 } })
      ])
      const [run] = yield* runsOver(automation)
      assert.strictEqual(run!.status, "failed")
      assert.isAtLeast(run!.executed_ms, 900)
      // A busy machine stretches the attempts; the two pauses of a second are no part of them.
      const { completed_on, started_on } = run as unknown as { completed_on: Date; started_on: Date }
      assert.isAtMost(run!.executed_ms, completed_on.getTime() - started_on.getTime() - 2_000)
    })
  )
})

layer(world({ aloneAt: 2, asideAt: 3 }), { excludeTestServices: true })(
  "a step of which three attempts may come to nothing",
  (it) => {
    it.effect(
      "attempts that failed as they may do not count among those that come to nothing (7.11 run semantics 1)",
      () =>
        Effect.gen(function* () {
          const { receiver } = yield* Outside
          const w = yield* seedWorld
          const id = yield* order(w)
          receiver.on("/twice", failing(2, answers.status(503)))
          // The third meets a defect, once: a sequence forgets nothing that is rolled back.
          yield* ddl(
            "CREATE SEQUENCE spoilt",
            `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
          IF NEW.attempts = 3 AND nextval('spoilt') = 1 THEN RAISE 'spoilt'; END IF;
          RETURN NEW;
        END $$`,
            "CREATE TRIGGER spoil BEFORE INSERT ON run_ledger FOR EACH ROW EXECUTE FUNCTION spoil()"
          )
          const retry = { attempts: 3, first_ms: 100, factor: 1, at_most_ms: 100 }
          const run = yield* runSteps(w, id, [post(`${receiver.origin}/twice`, { retry })])
          yield* ddl("DROP TRIGGER spoil ON run_ledger", "DROP FUNCTION spoil()", "DROP SEQUENCE spoilt")
          assert.strictEqual(run.status, "completed", run.error_message ?? "")
          assert.lengthOf(receiver.of("/twice"), 3)
        })
    )
  }
)
