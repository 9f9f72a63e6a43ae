// docs/console.md, "Tasks": an automation of six steps with a branch, a loop, a PDF and a mail is built, tried and activated by mouse;
// what stands in the texts alone is typed.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../../pages/waiting.ts"
import { complaintsOf, opened, promise, shows } from "../consoleTab.ts"
import { beginAtAutomations, runningScene, sixStepsWork } from "./buildScene.ts"
import { counting } from "./clicks.ts"

layer(runningScene, { excludeTestServices: true })("building an automation by mouse", (it) => {
  it.effect("six steps, tried and activated", () =>
    Effect.gen(function* () {
      const { call, tab } = yield* beginAtAutomations
      const { page } = tab
      const { choose, clicks, fill, press } = counting(page)
      const write = (label: string, text: string) => fill(label, text, "textbox")
      yield* press("New automation", "link")
      yield* opened(page, "New automation")
      yield* choose("App", "Ships")
      yield* fill("Name", "Tell the berths")
      yield* press("Go on to its steps")
      yield* opened(page, "Edit Tell the berths")
      yield* choose("It begins when", "Record created")

      yield* press("Add the first step")
      yield* press("Collect records of an app")
      yield* choose("App", "Berths")
      yield* press("Add a step after Collect records of an app")
      yield* press("Loop")
      yield* choose("What to go through", "Collected records: Berths")
      yield* press("Add a step inside of Loop")
      yield* press("Condition", "button")
      yield* press("Add a condition")
      yield* press("Add a step first of Condition")
      yield* press("Create PDF")
      yield* write("Filename", "Berth.pdf")
      yield* write("Document (HTML)", "<h1>Berth</h1>")
      yield* press("Insert a value: Document (HTML)")
      yield* press("Length")
      yield* press("Add a step after Create PDF")
      yield* press("Send email")
      yield* write("To", "pier@harbor.example")
      yield* write("Subject", "A ship comes")
      yield* write("Message (HTML)", "<p>Please make room.</p>")
      yield* choose("Add one", "PDF")
      yield* press("Add a step after Loop")
      yield* press("Comment on current record")
      yield* write("Comment", "The berths know.")

      yield* press("Test all")
      yield* shows(page, "Completed")
      // Each of the six has what it was given and gave.
      yield* promise(() =>
        until(page, `document.querySelectorAll("[data-step]:not([data-step=trigger]) .tag .unseen").length === 6`)
      )
      yield* press("Publish")
      yield* sixStepsWork(call, page)
      assert.strictEqual(clicks(), 36)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
