// docs/console.md, "Tasks": an automation of six steps with a branch, a loop, a PDF and a mail is built, tried and activated by the
// keyboard alone.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { found } from "../../pages/waiting.ts"
import { complaintsOf, opened, promise, shows } from "../consoleTab.ts"
import { beginAtAutomations, runningScene, sixStepsWork } from "./buildScene.ts"
import { byKeyboard } from "./keyboard.ts"

layer(runningScene, { excludeTestServices: true })("building an automation by keyboard", (it) => {
  it.effect("six steps, tried and activated", () =>
    Effect.gen(function* () {
      const { call, tab } = yield* beginAtAutomations
      const { page } = tab
      const { focusedOn, key, strokes, tabTo, type } = byKeyboard(page)
      /** Adds a step below what is chosen, found by its name; its first control has the keyboard then. */
      const add = (after: RegExp, name: string, first: string) =>
        Effect.gen(function* () {
          yield* key("Escape")
          yield* focusedOn(after)
          yield* key("a")
          yield* focusedOn(/^Find a step$/)
          yield* type(name)
          yield* key("Enter")
          yield* focusedOn(new RegExp(`^${first}$`))
        })
      yield* tabTo("New automation")
      yield* key("Enter")
      yield* opened(page, "New automation")
      yield* tabTo("App")
      yield* type("Ships")
      yield* tabTo("Name")
      yield* type("Tell the berths")
      yield* key("Enter")
      yield* opened(page, "Edit Tell the berths")
      yield* key("Enter")
      yield* focusedOn(/^It begins when$/)
      yield* type("Rec")

      yield* add(/Trigger$/, "Collect records of an app", "App")
      yield* type("Ber")
      yield* add(/Collect records/, "Loop", "What to go through")
      yield* type("Coll")
      yield* key("Enter")
      yield* add(/Loop/, "Condition", "Add a condition")
      yield* key("Enter")
      yield* add(/Condition/, "Create PDF", "Filename")
      yield* type("Berth.pdf")
      yield* tabTo("Document (HTML)")
      yield* type("<h1>Berth</h1>@Length")
      yield* promise(() => found(page, ">>> li[aria-selected]"))
      yield* key("Enter")
      yield* add(/Create PDF/, "Send email", "To")
      yield* type("pier@harbor.example")
      yield* tabTo("Subject")
      yield* type("A ship comes")
      yield* tabTo("Message (HTML)")
      yield* type("<p>Please make room.</p>")
      yield* tabTo("Add one")
      yield* type("PDF")
      yield* key("Enter")
      // Once for the list, which stays for another one.
      yield* key("Escape")
      yield* key("Escape")
      yield* focusedOn(/Send email/)
      for (const above of [/Create PDF/, /Condition/, /Loop/]) {
        yield* key("ArrowUp")
        yield* focusedOn(above)
      }
      yield* add(/Loop/, "Comment on current record", "Comment")
      yield* type("The berths know.")

      yield* key("Escape")
      yield* focusedOn(/Comment on current record/)
      yield* key("t")
      yield* shows(page, "Completed")
      yield* key("Enter", "Control")
      yield* sixStepsWork(call, page)
      assert.strictEqual(strokes(), 58)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
