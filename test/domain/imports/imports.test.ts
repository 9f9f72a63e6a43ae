// developer-api.md 4.2 and 7.11: imports of CSV files as jobs: what becomes of rows and cells, updates by unique fields, missing options.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Access } from "../../../src/domain/accounts/Access.ts"
import { Imports } from "../../../src/domain/imports/Imports.ts"
import { App, seedToken } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"
import { callerOf } from "../../support/records.ts"
import { askedBy } from "../../support/statements.ts"
import { jobsLayer } from "../jobs/jobSupport.ts"
import { carryOut, importSetting, upload } from "./importSupport.ts"

layer(jobsLayer, { excludeTestServices: true })("developer-api.md 4.2: imports", (it) => {
  it.effect("make a record of each row; amounts, options and names are read as people write them", () =>
    Effect.gen(function* () {
      const { imported, records } = yield* importSetting
      const job = yield* imported(
        'Name,E-mail,Amount,Stage,Due\nAda,ada@x.example,"7,749.50",PAID,3/14/2026\nBob,bob@x.example,€ 44,,2026-01-02\n'
      )
      const { counts, kind, progress, report, status } = job
      assert.deepStrictEqual(
        { counts, kind, progress, report, status },
        {
          kind: "record_import",
          status: "completed",
          counts: { created: 2 },
          progress: { done: 2, total: 2 },
          report: []
        }
      )
      assert.deepStrictEqual(yield* records, [
        { name: "Ada", mail: "ada@x.example", amount: 7749.5, stage: "Paid", due: "2026-03-14" },
        { name: "Bob", mail: "bob@x.example", amount: 44, stage: "Open", due: "2026-01-02" }
      ])
    })
  )

  it.effect("leave a bad cell empty and report it with its line, or skip its row; defaults fill required fields", () =>
    Effect.gen(function* () {
      const { call, imported, records } = yield* importSetting
      const csv = "Name,Amount,Stage,Kind\nAda,a lot,Unheard of,\nBob,2,Open,Wholesale\n,3,Open,Retail\n"
      const lenient = yield* imported(csv)
      assert.deepStrictEqual(lenient.counts, { created: 2, skipped: 1, cells_left_empty: 3 })
      assert.deepStrictEqual(lenient.report, [
        { id: "2", message: "Left empty: Amount: “a lot” is no number; Stage: “Unheard of” is no option" },
        { id: "3", message: "Left empty: Kind: “Wholesale” is no option" },
        { id: "4", message: "Not imported: Name: it needs a value" }
      ])
      assert.deepStrictEqual(yield* records, [
        { name: "Ada", stage: "Open" },
        { name: "Bob", amount: 2, stage: "Open" }
      ])
      const strict = yield* imported(csv, { on_bad_cell: "skip_row" })
      assert.deepStrictEqual(strict.counts, { created: 0, skipped: 3 })
      const { name, link } = strict.file
      assert.strictEqual(name, "not imported rows.csv")
      const app = yield* App
      const response = yield* app.fetch(new Request(link))
      assert.strictEqual(
        yield* Effect.promise(() => response.text()),
        [
          "Line,Why,Name,Amount,Stage,Kind",
          '2,"Amount: “a lot” is no number; Stage: “Unheard of” is no option",Ada,a lot,Unheard of,',
          "3,Kind: “Wholesale” is no option,Bob,2,Open,Wholesale",
          "4,Name: it needs a value,,3,Open,Retail",
          ""
        ].join("\r\n")
      )
      assert.strictEqual((yield* call("GET", "/v1/job")).json.jobs[0].file.name, name)
    })
  )

  it.effect("quote no more than the beginning of a long cell in the report", () =>
    Effect.gen(function* () {
      const { imported } = yield* importSetting
      const { counts, report } = yield* imported(`Name,Amount\nAda,${"many ".repeat(20_000)}\n`)
      assert.deepStrictEqual(counts, { created: 1, cells_left_empty: 1 })
      assert.isAtMost(report[0].message.length, 1_000)
    })
  )

  it.effect("read of a long file little more than its rows, batch after batch", () =>
    Effect.gen(function* () {
      const { begin, jobOf } = yield* importSetting
      const rows = Array.from({ length: 1_000 }, (_, at) => `${at === 700 ? "x".repeat(50_000) : `Ada ${at}`},${at}`)
      const content = ["Name,Amount", ...rows].join("\n")
      const { json } = yield* begin(content)
      const { asked } = yield* askedBy(carryOut(json.job_id))
      const bytes = asked.flatMap((one) => one.rows as ReadonlyArray<{ readonly bytes?: Uint8Array }>)
      const bytesRead = bytes.reduce((sum, row) => sum + (row.bytes?.length ?? 0), 0)
      assert.isAbove(asked.filter(({ statement }) => statement.includes("UPDATE jobs SET status")).length, 3)
      assert.isAbove(bytesRead, content.length)
      // The first window, the long line once more, and a half more of what the rows take.
      assert.isBelow(bytesRead, content.length * 4)
      const { counts, status } = yield* jobOf(json.job_id)
      assert.deepStrictEqual({ counts, status }, { counts: { created: 999, skipped: 1 }, status: "completed" })
    })
  )

  it.effect("update the record that has the value of a unique field, in the file's order, and create the others", () =>
    Effect.gen(function* () {
      const { app, call, fieldIds, imported, records } = yield* importSetting
      const ada = { name: "Ada", mail: "ada@x.example", amount: 1, stage: "Paid" }
      assert.strictEqual((yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: ada })).status, 200)
      const csv =
        "Mail,Amount,Name\nADA@x.example,5,\nbob@x.example,1,Bob\nBob@x.example,2,\nnew@x.example,3,\n,4,Nameless\n"
      const job = yield* imported(csv, { update_by: [fieldIds["mail"]] })
      assert.deepStrictEqual(job.counts, { created: 2, updated: 2, skipped: 1 })
      assert.deepStrictEqual(job.report, [{ id: "5", message: "Not imported: Name: it needs a value" }])
      assert.deepStrictEqual(yield* records, [
        { ...ada, amount: 5 },
        { name: "Bob", mail: "bob@x.example", amount: 2, stage: "Open" },
        { name: "Nameless", amount: 4, stage: "Open" }
      ])
      const secondImport = yield* imported(csv)
      assert.deepStrictEqual(secondImport.counts, { created: 1, skipped: 4 })
      assert.include(secondImport.report[1].message, "a record has the value of a unique field already")
    })
  )

  it.effect("add missing options where it is asked for, once each, and only with full access to the app", () =>
    Effect.gen(function* () {
      const { app, begin, call, imported, owner, records } = yield* importSetting
      const csv = "Name,Kind\nAda,Wholesale\nBob,wholesale\nCem,Retail\nDan,Export\n"
      const job = yield* imported(csv, { create_missing_options: true })
      assert.deepStrictEqual(job.counts, { created: 4, options_added: 2 })
      assert.deepStrictEqual(
        (yield* records).map(({ kind }: any) => kind),
        ["Wholesale", "Wholesale", "Retail", "Export"]
      )
      const { fields } = (yield* call("GET", `/v1/app/${app.app_id}`)).json
      const kind = fields.find(({ label }: any) => label === "Kind")
      assert.deepStrictEqual(
        kind.config.settings.options.map(({ text }: any) => text),
        ["Retail", "Wholesale", "Export"]
      )
      const mail = fields.find(({ label }: any) => label === "Mail")
      assert.isTrue(mail.config.unique)
      const narrow = yield* seedToken(owner.userId, ["records:edit", "records:read"])
      const file_id = yield* upload(narrow, csv)
      const path = `/v1/record/app/${app.app_id}/import`
      const http = yield* App
      const refusal = yield* http.call("POST", path, { token: narrow, body: { file_id, create_missing_options: true } })
      assert.strictEqual(refusal.status, 403, refusal.text)
      assert.strictEqual((yield* begin(csv, { columns: [{ column: "Nope", field_id: null }] })).status, 400)
    })
  )

  it.effect("that a step of a run begins belong to its chain, so that they fire no automation without end", () =>
    Effect.gen(function* () {
      const { app, owner, uploaded } = yield* importSetting
      const sql = yield* SqlClient.SqlClient
      const cause = { automation_id: 1, run_id: "2", root_run_id: "2", chain: [1] }
      const caller = { ...callerOf(owner), origin: { depth: 3, cause } }
      const grant = yield* Access.use((access) => access.check(caller, "app", app.app_id, 3))
      const switches = { silent: false, hook: true, workflow: true }
      const file_id = yield* uploaded("Name\nAda\n")
      yield* carryOut(yield* Imports.use((imports) => imports.begin(grant, { file_id }, switches)))
      const events = yield* sql`SELECT depth, cause FROM outbox WHERE app_id = ${app.app_id} AND type = 'record.create'`
      assert.deepStrictEqual(events, [{ depth: 3, cause }])
    })
  )

  it.effect("end where the rights end: the app is asked for at each batch", () =>
    Effect.gen(function* () {
      const { app, begin, jobOf, records } = yield* importSetting
      const sql = yield* SqlClient.SqlClient
      const { job_id } = (yield* begin("Name\nAda\n")).json
      const [workspace] = yield* sql<{ workspace_id: number }>`
        SELECT workspace_id FROM apps WHERE app_id = ${app.app_id}`
      yield* sql`UPDATE users SET role = 'guest' WHERE user_id = (SELECT user_id FROM jobs WHERE job_id = ${job_id})`
      yield* sql`UPDATE workspaces SET type = 'private' WHERE workspace_id = ${workspace!.workspace_id}`
      yield* carryOut(job_id)
      yield* sql`UPDATE workspaces SET type = 'default' WHERE workspace_id = ${workspace!.workspace_id}`
      yield* sql`UPDATE users SET role = 'owner' WHERE user_id = (SELECT user_id FROM jobs WHERE job_id = ${job_id})`
      const { report, status } = yield* jobOf(job_id)
      assert.strictEqual(status, "failed")
      assert.match(report[0].message, /No app with id/)
      assert.deepStrictEqual(yield* records, [])
    })
  )

  it.effect(
    "go on behind the last committed batch, and stop where they are cancelled: no row twice, none missing",
    () =>
      Effect.gen(function* () {
        const { app, begin, call, jobOf } = yield* importSetting
        const sql = yield* SqlClient.SqlClient
        const count = 1_000
        const names = Array.from({ length: count }, (_, at) =>
          at % 7 === 0 ? `"Row ${at}\nof ${count}"` : `Row ${at}`
        )
        const { job_id } = (yield* begin(`Name\n${names.join("\n")}\n`)).json
        const rowCount = Effect.map(
          sql<{ n: number }>`SELECT count(*)::int AS n FROM records WHERE app_id = ${app.app_id}`,
          ([row]) => row!.n
        )
        // Killed in the middle: two calls at the same job, each broken off, and once more to the end.
        const firstWorker = yield* Effect.forkChild(carryOut(job_id))
        const second = yield* Effect.forkChild(carryOut(job_id, 2))
        yield* eventually("some batches to be committed", rowCount, (n) => n >= 200)
        yield* Fiber.interrupt(firstWorker)
        yield* Fiber.interrupt(second)
        const interrupted = yield* jobOf(job_id)
        assert.strictEqual(interrupted.progress.done, yield* rowCount)
        while ((yield* jobOf(job_id)).status !== "completed") yield* carryOut(job_id)
        assert.deepStrictEqual((yield* jobOf(job_id)).counts, { created: count })
        const [distinct] = yield* sql<{ n: number }>`
        SELECT count(DISTINCT title)::int AS n FROM records WHERE app_id = ${app.app_id}`
        assert.deepStrictEqual([yield* rowCount, distinct!.n], [count, count])

        const cancelled = (yield* begin("Name\nAda\n")).json.job_id
        assert.strictEqual((yield* call("POST", `/v1/job/${cancelled}/cancel`)).status, 202)
        yield* carryOut(cancelled)
        assert.strictEqual(yield* rowCount, count)
      })
  )
})
