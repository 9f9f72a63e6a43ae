// Recipes that tell people (docs/recipes 04, 05, 07, 11), run from end to end: mails over SMTP, a PDF by Chromium, Slack's side by a server.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { endDelays, runsOf, runsOver, waiting } from "../../domain/automations/runSupport.ts"
import { readPdf } from "../../platform/pdf/read.ts"
import { App } from "../../support/app.ts"
import { answers } from "../../support/receiver.ts"
import { eventually } from "../../support/spine.ts"
import { due, Outside, ran, Stage } from "../stage.ts"
import { recipes, typed } from "./recipeStage.ts"

/** The paths of the links in a mail. */
const linksOf = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => new URL(link!).pathname)

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

layer(recipes(/^(04|05|07|11)/), { excludeTestServices: true })("recipes that tell people", (it) => {
  it.effect("no recipe that tells people is warned of", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* Stage).warnings, [])
    })
  )

  it.effect("04: an expense is approved by its link, once; one that nobody answers expires", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, mails, made, read } = yield* Stage
      const ask = id("04c-ask")
      const openExpense = { state: id("expenses.state.Open"), amount: 120 }
      const answered = yield* made("expenses", { purpose: "Train", ...openExpense })
      yield* waiting(ask)
      const [mail] = yield* mails("boss@example.com")
      assert.strictEqual(mail!.mail.subject, "Approve Train?")
      const [approve, reject] = linksOf(mail!.mail.html!)
      assert.include((yield* app.call("GET", approve!)).text, "The expense is approved")
      assert.include((yield* app.call("GET", reject!)).text, "Too late: the expense is Approved")
      yield* ran("04a-approve")
      yield* ran("04b-reject")
      yield* endDelays(ask)
      yield* ran("04c-ask")
      assert.deepInclude(yield* read(answered), { state: "Approved" })
      const ignored = yield* made("expenses", { purpose: "Hotel", ...openExpense })
      yield* eventually(
        "waits",
        runsOf(ask),
        ([, second]) => second?.workflow_started_on != null && second.wait_until !== null
      )
      yield* endDelays(ask)
      yield* ran("04c-ask", 2)
      assert.deepInclude(yield* read(ignored), { state: "Expired" })
      const [notice] = yield* mails("accounting@example.com")
      assert.strictEqual(notice!.mail.subject, "Nobody has answered: Hotel")
      const subjects = (yield* mails("boss@example.com")).map(({ mail }) => mail.subject)
      yield* typed("04-approval", { APP: `${id("expenses")}`, OPEN: `${id("expenses.state.Open")}` })
      yield* eventually(
        "asked again",
        mails("boss@example.com"),
        (all) => all.length === subjects.length + 1 && all.at(-1)!.mail.subject === "Approve Printer paper?"
      )
    })
  )

  it.effect("05: the approved expenses of a week are mailed as a PDF, others are not in it", () =>
    Effect.gen(function* () {
      const { id, made, smtpAbout } = yield* withSmtp
      const approved = id("expenses.state.Approved")
      const spend = (purpose: string, amount: number, days: number, state = approved) =>
        made("expenses", { purpose, amount, spent: { start: dayBefore(days) }, state })
      yield* spend("Taxi & tip", 30.5, 2)
      yield* spend("Books <new>", 12, 5)
      yield* spend("Long ago", 99, 20)
      yield* spend("Not allowed", 77, 2, id("expenses.state.Rejected"))
      yield* due("05-weekly-pdf")
      yield* ran("05-weekly-pdf")
      const [mail] = yield* smtpAbout(/^Expenses until \d{4}-\d\d-\d\d$/)
      const [file] = mail!.mail.attachments
      assert.match(file!.filename!, /^Expenses until \d{4}-\d\d-\d\d\.pdf$/)
      const [page] = yield* readPdf(Buffer.from(file!.content as ArrayBuffer))
      for (const part of ["Taxi & tip", "30.50", "Books <new>", "12.00", "In all 42.5"])
        assert.include(page!.text, part)
      for (const other of ["Long ago", "Not allowed"]) assert.notInclude(page!.text, other)
      yield* typed("05-weekly-pdf", { AUTOMATION: `${id("05-weekly-pdf")}` })
      yield* ran("05-weekly-pdf", 2)
    })
  )

  it.effect("07: many changes of a project are one mail with what was before the first and is after the last", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { changed, id, made, token } = yield* Stage
      const { smtpAbout } = yield* withSmtp
      const automation = id("07-digest")
      const project = yield* made("projects", { name: "Bridge <east>", phase: "Plan", budget: 100 })
      yield* changed(project, { phase: "Build" })
      yield* changed(project, { budget: 120 })
      yield* changed(project, { phase: "Test" })
      yield* typed("07-digest", { APP: `${id("projects")}` })
      const underWay = sql`SELECT event_id FROM outbox
        UNION ALL SELECT row_id FROM automation_inbox WHERE automation_id = ${automation} AND NOT parked`
      yield* eventually("every change is counted", underWay, (rows) => rows.length === 0)
      // The ten minutes are over.
      yield* app.call("PUT", `/v1/automation/${automation}`, { token, body: { debounce_ms: null } })
      yield* ran("07-digest", 2)
      const [mail, ...others] = yield* smtpAbout(/^Changes of Bridge <east>$/)
      assert.isEmpty(others)
      const html = mail!.mail.html!
      assert.include(html, "<tr><td>phase</td><td>Plan</td><td>Test</td></tr>")
      assert.include(html, "<tr><td>budget</td><td>100</td><td>120</td></tr>")
      assert.notInclude(html, "<td>name</td>")
      yield* smtpAbout(/^Changes of Website$/)
    })
  )

  it.effect(
    "11: an urgent ticket is told to Slack, escaped as Slack asks, again after 429; its address is in no log",
    () =>
      Effect.gen(function* () {
        const { id, made } = yield* Stage
        const { receiver } = yield* Outside
        let calls = 0
        receiver.on("/services/T0/B0/x7", (request, response) =>
          answers.status(++calls === 1 ? 429 : 200, { "retry-after": "1" }, "ok")(request, response)
        )
        const ticket = (title: string, priority: string) =>
          made("tickets", { title, priority: id(`tickets.priority.${priority}`) })
        yield* ticket("Lamp flickers", "Low")
        const urgent = yield* ticket('Pump "A" < 1 bar & falling', "High")
        const runs = yield* ran("11-slack-notice")
        const posts = receiver.of("/services/T0/B0/x7")
        assert.lengthOf(posts, 2)
        const { text } = JSON.parse(posts.at(-1)!.body)
        assert.match(text, new RegExp(`^:rotating_light: <http\\S+/${urgent}\\|Pump "A" &lt; 1 bar &amp; falling>$`))
        assert.notInclude(JSON.stringify(runs), "/services/T0/B0/x7")
        yield* typed("11-slack-notice", { APP: `${id("tickets")}`, HIGH: `${id("tickets.priority.High")}` })
        yield* runsOver(id("11-slack-notice"), 2)
        assert.lengthOf(receiver.of("/services/T0/B0/x7"), 3)
      })
  )
})

/** Mails by their subject, once there is one. */
const withSmtp = Effect.gen(function* () {
  const stage = yield* Stage
  const { smtp } = yield* Outside
  const smtpAbout = (subject: RegExp) =>
    eventually(
      `a mail about ${subject}`,
      Effect.sync(() => smtp.taken.filter(({ mail }) => subject.test(mail.subject ?? ""))),
      (mails) => mails.length > 0
    )
  return { ...stage, smtpAbout }
})
