// A worker killed in the middle of a run: the next one goes on behind the last committed step, and nothing is done twice (decisions
// A1). In full by `npm run disturb`.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer } from "../../../support/app.ts"
import { eventually } from "../../../support/eventually.ts"
import { answers, receiver as startReceiver } from "../../../support/receiver.ts"
import { freshName } from "../../../support/temporal.ts"
import { assign, automate, createRecord, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { makeApp, seedApp } from "../support.ts"
import { kill, makePauses, pausesAt, startWorker } from "./killSupport.ts"

const ITEMS = 250
/** Of an organization's places (`run/slotStatements.ts`). */
const PLACE_LOCKS = 727_050_000

layer(appLayer(), { excludeTestServices: true })("a run and its worker's death", (it) => {
  it.effect("a loop of mutations outlives two SIGKILLs: every item once, in order, none twice (A1)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const namespace = freshName("kill")
      const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
      const create = (name: string) => ({
        type: "record_create",
        config: {
          app_id: appId,
          field_assignments: [assign("single_text", fields["name"]!, [name])],
          trigger_other_flows: false
        }
      })
      const id = yield* automate(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        actions: [
          {
            type: "for_loop",
            config: {
              iterable: { kind: "variable", source: "trigger", trigger_type: "webhook_payload" },
              action_rows: [create("first"), create("second")]
            }
          }
        ]
      })
      const killedAt = yield* makePauses(appId)
      yield* app.call("POST", `/v1/automation/${id}/manual-run`, {
        token,
        body: { webhook_payload: Array.from({ length: ITEMS }, (_, i) => i) }
      })
      const steps = Effect.map(runsOf(id), ([run]) => run?.ledger.length ?? 0)
      yield* killedAt(namespace, 150)
      const stepsBefore = yield* steps
      assert.isTrue(stepsBefore > 0 && stepsBefore <= 151, `killed in the middle: ${stepsBefore}`)
      yield* killedAt(namespace, 300)
      const stepsAfter = yield* steps
      assert.isTrue(stepsAfter > stepsBefore && stepsAfter <= 301, `killed in the middle once more: ${stepsAfter}`)
      yield* startWorker(namespace)
      const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.status === "completed")
      assert.strictEqual(run!.ledger.length, ITEMS * 2 + 1)
      const recordCounts = yield* sql<{ name: string; n: number }>`
          SELECT cells -> ${String(fields["name"])} ->> 0 AS name, count(*)::int AS n FROM records
          WHERE app_id = ${appId} GROUP BY 1 ORDER BY 1`
      assert.deepStrictEqual(recordCounts, [
        { name: "first", n: ITEMS },
        { name: "second", n: ITEMS }
      ])
      assert.strictEqual(run!.credits, ITEMS * 2)
    })
  )

  it.effect("a loop of outside steps outlives a SIGKILL: in order, each once but the one that was under way (A1)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const namespace = freshName("kill")
      const { appId, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
      const receiver = yield* startReceiver()
      const reachable = { OUTBOUND_ALLOW: receiver.hostPort }
      const iterable = { kind: "variable", source: "trigger", trigger_type: "webhook_payload" }
      const config = { http_call_type: "get", http_call_url: [`${receiver.origin}/`, iterable] }
      const id = yield* automate(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        actions: [{ type: "for_loop", config: { iterable, action_rows: [{ type: "http_call", config }] } }]
      })
      const items = Array.from({ length: 30 }, (_, i) => i)
      receiver.on("/20", answers.hang)
      const firstWorker = yield* startWorker(namespace, reachable)
      yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body: { webhook_payload: items } })
      yield* eventually(
        "it hangs",
        Effect.sync(() => receiver.of("/20").length),
        (n) => n === 1
      )
      yield* kill(firstWorker)
      receiver.on("/20", answers.status(200))
      yield* startWorker(namespace, reachable)
      const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.completed_on != null)
      assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
      assert.deepStrictEqual(
        receiver.received.map(({ path }) => path),
        [...items.slice(0, 21), ...items.slice(20)].map((i) => `/${i}`)
      )
      const twice = run!.ledger.filter(({ attempts }) => attempts > 1)
      assert.deepStrictEqual(
        twice.map(({ attempts, iteration, state }) => [state, iteration, attempts]),
        [["done", "20", 2]]
      )
    })
  )

  it.effect(
    "a script whose process is killed between its api call and the commit of its step: the repeat gets the first answer (A1)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const namespace = freshName("kill")
        const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
        const name = fields["name"]!
        const def = { custom_type: "any", label: "Made" }
        const receiver = yield* startReceiver()
        receiver.on("/pause", answers.hang)
        // Every beginning would make another record; the first hangs after the call, to be killed there.
        const code = [
          `const made = await api.Record.create(${appId}, { name: 'once ' + Math.random() });\n`,
          `await http.get('${receiver.origin}/pause');\n`,
          "return made.data.record_id;"
        ]
        const answerVariable = { kind: "variable", source: "custom", ...def }
        const id = yield* automate(token, appId, {
          trigger: { type: "webhook_received", config: {} },
          actions: [
            { type: "custom_code", config: { code, custom_variable_defs: [def] } },
            {
              type: "record_create",
              config: {
                app_id: appId,
                field_assignments: [{ ...assign("single_text", name, []), field_value: ["answered ", answerVariable] }],
                trigger_other_flows: false
              }
            }
          ]
        })
        const reachable = { OUTBOUND_ALLOW: receiver.hostPort }
        const firstWorker = yield* startWorker(namespace, reachable)
        yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body: { webhook_payload: {} } })
        const named = sql<{ record_id: number; name: string }>`
          SELECT record_id, cells -> ${String(name)} ->> 0 AS name FROM records WHERE app_id = ${appId} ORDER BY record_id`
        yield* eventually(
          "it hangs",
          Effect.sync(() => receiver.of("/pause").length),
          (n) => n === 1
        )
        assert.strictEqual((yield* named).length, 1, "the call has had its effect")
        yield* kill(firstWorker)
        receiver.on("/pause", answers.status(200))
        const [open] = yield* runsOf(id)
        assert.deepStrictEqual(
          open!.ledger.map(({ attempts, state }) => [state, attempts]),
          [["started", 1]],
          "killed before its commit"
        )
        yield* startWorker(namespace, reachable)
        const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.completed_on != null)
        assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
        assert.deepStrictEqual(
          run!.ledger.map(({ attempts, state }) => [state, attempts]),
          [
            ["done", 2],
            ["done", 1]
          ]
        )
        const [once, answered, ...more] = yield* named
        assert.match(once!.name, /^once /)
        assert.strictEqual(answered!.name, `answered ${once!.record_id}`)
        assert.deepStrictEqual(more, [])
      })
  )

  it.effect(
    "a step that is tried again, killed in a pause and in an attempt: no attempt is lost or made twice over (7.13)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const namespace = freshName("kill")
        const { appId, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
        const receiver = yield* startReceiver()
        const reachable = { OUTBOUND_ALLOW: receiver.hostPort }
        const id = yield* automate(token, appId, {
          trigger: { type: "webhook_received", config: {} },
          actions: [
            {
              type: "http_call",
              config: { http_call_type: "post", http_call_url: [`${receiver.origin}/tried`], http_call_body: ["{}"] },
              retry: { attempts: 3, first_ms: 3_000, factor: 1, at_most_ms: 3_000 }
            }
          ]
        })
        const attemptCount = Effect.sync(() => receiver.of("/tried").length)
        receiver.on("/tried", answers.status(503))
        const firstWorker = yield* startWorker(namespace, reachable)
        yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body: { webhook_payload: {} } })
        yield* eventually("rests", runsOf(id), (rows) => rows[0]?.wait_until != null)
        yield* kill(firstWorker)
        assert.strictEqual(yield* attemptCount, 1)
        receiver.on("/tried", answers.hang)
        const second = yield* startWorker(namespace, reachable)
        yield* eventually("the second attempt hangs", attemptCount, (n) => n === 2)
        yield* kill(second)
        let failuresLeft = 1
        receiver.on("/tried", (request, response) =>
          (failuresLeft-- > 0 ? answers.status(503) : answers.status(200))(request, response)
        )
        yield* startWorker(namespace, reachable)
        const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.completed_on != null)
        assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
        // The second attempt was cut off: it is made again, and counts once.
        assert.strictEqual(yield* attemptCount, 4)
        // Each worker of the test has an origin of its own.
        const keys = receiver.of("/tried").map(({ headers }) => String(headers["idempotency-key"]).split("@")[0])
        assert.deepStrictEqual([...new Set(keys)], [`${run!.run_id}/0/`])
        const steps = run!.logs.filter(({ type }) => type === "action")
        assert.deepStrictEqual(
          steps.map(({ messages, status }) => [status, messages.find(({ level }: any) => level === "warn")?.message]),
          [
            ["in_progress", "Attempt 1 of 3 failed: The server answered 503."],
            ["in_progress", "The request is sent again after an interruption."],
            ["success", undefined]
          ]
        )
        assert.include(JSON.stringify(steps[1].messages), "Attempt 2 of 3 failed")
        assert.deepStrictEqual(
          run!.ledger.map(({ attempts, state }) => [state, attempts]),
          [["done", 4]]
        )
      })
  )

  it.effect(
    "a failure and the call that it makes: killed where the called run is made, it is made once (7.13, A1)",
    () =>
      Effect.gen(function* () {
        const namespace = freshName("kill")
        const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
        const handler = yield* automate(token, appId, {
          trigger: { type: "automation_called", config: {} },
          actions: [setText(fields["name"]!, "told")]
        })
        const id = yield* automate(token, appId, {
          trigger: { type: "record_created", config: {} },
          on_failure_automation_id: handler,
          actions: [{ type: "exit", config: { exit_type: "failure" } }]
        })
        const killedWhileMade = yield* pausesAt("runs", `NEW.automation_id = ${handler}`)
        const record = yield* createRecord(token, appId, { name: "x" })
        yield* killedWhileMade(namespace)
        const [failed] = yield* runsOver(id)
        assert.deepStrictEqual([failed!.status, (yield* runsOf(handler)).length], ["failed", 0])
        yield* startWorker(namespace)
        const [run, ...more] = yield* runsOver(handler)
        assert.deepStrictEqual([run!.status, run!.ledger.length, more.length], ["completed", 1, 0])
        yield* settled(appId)
        assert.deepStrictEqual([(yield* runsOf(id)).length, (yield* runsOf(handler)).length], [1, 1])
        assert.strictEqual(yield* textOf(record, fields["name"]!), "told")
      })
  )

  it.effect("a secret that one worker sent is hidden by the next, which never sent it (7.13)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const namespace = freshName("kill")
      const { appId, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
      const receiver = yield* startReceiver()
      receiver.on("/echo", answers.hang)
      const value = "s3cr+t/va=l-7xqz"
      yield* app.call("POST", `/v1/secret/app/${appId}`, { token, body: { name: "key", value } })
      const request = (path: string, headers: ReadonlyArray<object>) => ({
        type: "http_call",
        config: {
          http_call_type: "post",
          http_call_url: [`${receiver.origin}${path}`],
          http_call_headers: headers,
          custom_variable_defs: [{ custom_type: "any", label: "Answer" }]
        }
      })
      const id = yield* automate(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        actions: [
          request("/sent", [{ key: "X-Key", value: [{ kind: "variable", source: "secret", name: "key" }] }]),
          request("/echo", [])
        ]
      })
      const reachable = { OUTBOUND_ALLOW: receiver.hostPort }
      const firstWorker = yield* startWorker(namespace, reachable)
      yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body: { webhook_payload: {} } })
      yield* eventually(
        "it hangs behind the step that sent the secret",
        Effect.sync(() => receiver.of("/echo").length),
        (n) => n === 1
      )
      assert.strictEqual(receiver.of("/sent")[0]!.headers["x-key"], value)
      yield* kill(firstWorker)
      receiver.on("/echo", answers.status(200, {}, `you sent ${value} and ${encodeURIComponent(value)}`))
      yield* startWorker(namespace, reachable)
      const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.completed_on != null)
      assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
      const read = yield* app.call("GET", `/v1/automation-run/${run!.run_id}`, { token })
      const sql = yield* SqlClient.SqlClient
      const [variable] = yield* sql<{ value: { data: string } }>`
        SELECT value FROM run_variables WHERE run_id = ${run!.run_id}::bigint`
      assert.strictEqual(variable!.value.data, "you sent ••• and •••")
      for (const text of [read.text, JSON.stringify(run)]) {
        assert.notInclude(text, "7xqz")
        assert.notInclude(text, encodeURIComponent(value))
      }
      assert.include(JSON.stringify(run!.logs), "you sent •••")
    })
  )

  it.effect("a call that waits, killed in the called run: both go on, nothing is called or done twice (7.13, A1)", () =>
    Effect.gen(function* () {
      const namespace = freshName("kill")
      const { appId, fields, token, workspaceId } = yield* seedApp([
        { field_type: "single_text", config: { label: "Name" } }
      ])
      const targetApp = yield* makeApp(token, workspaceId, [{ field_type: "single_text", config: { label: "Made" } }])
      const def = { custom_type: "any", label: "answer" }
      const child = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: {} },
        actions: [
          { type: "custom_variable", config: { assignment_code: ["'child'"], custom_variable_defs: [def] } },
          { type: "record_create", config: { app_id: targetApp.appId, field_assignments: [] } }
        ]
      })
      const answered = [{ kind: "variable", source: "custom", ...def }]
      const named = { ...assign("single_text", fields["name"]!, []), field_value: ["from ", ...answered] }
      const parent = yield* automate(token, appId, {
        trigger: { type: "record_created", config: {} },
        actions: [
          { type: "current_record_call_automation", config: { automation_id: child, wait_for_result: true } },
          { type: "current_record_update", config: { field_assignments: [named] } }
        ]
      })
      const sql = yield* SqlClient.SqlClient
      const record = yield* createRecord(token, appId, { name: "x" })
      const killedInChild = yield* pausesAt("records", `NEW.app_id = ${targetApp.appId}`)
      yield* killedInChild(namespace)
      const [waiting] = yield* runsOf(parent)
      assert.strictEqual(waiting!.status, "running")
      yield* startWorker(namespace)
      const [ended] = yield* runsOver(parent)
      assert.strictEqual(ended!.status, "completed", ended!.error_message ?? "")
      assert.strictEqual(yield* textOf(record, fields["name"]!), "from child")
      yield* settled(appId)
      assert.deepStrictEqual([(yield* runsOf(parent)).length, (yield* runsOf(child)).length], [1, 1])
      const rows = yield* sql`SELECT 1 FROM records WHERE app_id = ${targetApp.appId}`
      assert.strictEqual(rows.length, 1)
    })
  )

  for (const ending of ["rolled back", "as it comes"] as const) {
    it.effect(
      `killed in the statement in which a run begins and ends, which is ${ending}: all of it or nothing, and once (A1)`,
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const namespace = freshName("kill")
          const { appId, fields, token } = yield* seedApp([
            { field_type: "single_text", config: { label: "Name" } },
            { field_type: "single_text", config: { label: "Note" } }
          ])
          const [name, note] = [fields["name"]!, fields["note"]!]
          const id = yield* automate(token, appId, {
            trigger: { type: "record_created", config: {} },
            actions: [setText(note, "done")]
          })
          const killedAt = yield* pausesAt("run_triggers", `NEW.data #>> '{record,cells,${name},0}' = 'second'`)
          // Of the first run its actor learns of what kind they are.
          yield* createRecord(token, appId, { name: "first" })
          let record = 0
          const meanwhile = Effect.gen(function* () {
            yield* runsOver(id)
            record = yield* createRecord(token, appId, { name: "second" })
            // On the ordinary way a run gets its place behind these rows.
            const statementWaits = sql`SELECT 1 FROM pg_locks w JOIN pg_locks place USING (pid)
            WHERE w.locktype = 'advisory' AND NOT w.granted AND place.locktype = 'advisory' AND place.granted
              AND place.objid::bigint BETWEEN ${PLACE_LOCKS + 1}::bigint AND ${PLACE_LOCKS + 50}::bigint
              AND w.database = (SELECT oid FROM pg_database WHERE datname = current_database())`
            yield* eventually("in the one statement", statementWaits, (rows) => rows.length > 0)
          })
          yield* killedAt(namespace, meanwhile, ending)
          if (ending === "rolled back") {
            assert.strictEqual((yield* runsOf(id)).length, 1)
            assert.isNull(yield* textOf(record, note))
          } else yield* runsOver(id, 2)
          yield* startWorker(namespace)
          const [, run] = yield* runsOver(id, 2)
          assert.strictEqual(run!.status, "completed")
          yield* settled(appId)
          const revisions = yield* sql`SELECT 1 FROM revisions WHERE record_id = ${record} AND revision > 0`
          assert.deepStrictEqual([revisions.length, (yield* runsOf(id)).length], [1, 2])
          assert.strictEqual(yield* textOf(record, note), "done")
        })
    )
  }
})
