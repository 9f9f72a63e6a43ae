// docs/console.md, "The grid as a spreadsheet", in real Chromium: a character edits any cell and is not lost, also where it goes to a list or a date.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../../support/eventually.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { until } from "../../pages/waiting.ts"
import { promise } from "../consoleTab.ts"
import { clickCell, keys, openGrid, reads, seedBoats } from "./gridTab.ts"

layer(SharedScene, { excludeTestServices: true })("typing into cells", (it) => {
  it.effect("a character begins an option, a date and a long text", () =>
    Effect.gen(function* () {
      const { app, call, ids, read } = yield* seedBoats()
      yield* call("PUT", `/app/${app.app_id}`, {
        fields: [{ field_type: "multi_text", config: { label: "Notes", settings: {} } }]
      })
      yield* call("PUT", `/record/${ids[1]}`, { fields: { notes: "Repaired" } })
      const { page } = yield* openGrid(app)
      yield* reads(page, 1, 5, "Repaired")
      yield* clickCell(page, 1, 3)
      yield* promise(() => page.keyboard.type("Mo"))
      yield* keys(page, "Enter")
      yield* reads(page, 1, 3, "Motor", null)
      yield* clickCell(page, 1, 4)
      yield* promise(() => page.keyboard.type("03042025"))
      yield* keys(page, "Enter")
      yield* eventually("the date is the one that was typed", read(1), ({ built }) => built === "2025-03-04")
      yield* clickCell(page, 1, 5)
      yield* promise(() => page.keyboard.type("; painted"))
      yield* promise(() =>
        until(page, () => (globalThis as any).document.querySelector("dialog textarea")?.value === "Repaired; painted")
      )
      assert.strictEqual((yield* read(1)).kind, "Motor")
    }).pipe(Effect.scoped)
  )
})
