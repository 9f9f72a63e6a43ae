// developer-api.md 7.6, 7.10, `display_webpage`; decisions P8: what steps add to a page together is written once, and is what they make one after another.
import { assert, describe, it } from "@effect/vitest"
import {
  mergePageChanges,
  type PageAddition,
  type PageChange
} from "../../../../src/domain/automations/run/pageChanges.ts"

const change = (join: PageChange["join"], html: string, fullscreen = false): PageChange => ({
  join,
  html,
  fullscreen,
  removeBranding: false
})
const oneAfterAnother = (page: string, changes: ReadonlyArray<PageChange>) =>
  changes.reduce(
    (html, one) => (one.join === "add_below" ? html + one.html : one.join === "add_above" ? one.html + html : one.html),
    page
  )
const pageWith = (page: string, additions: ReadonlyArray<PageAddition>) =>
  additions.reduce((html, { above, below, replaces }) => above + (replaces ? "" : html) + below, page)

describe("what is done to a page", () => {
  it("is what it is step by step, in as few changes as it is replaced, and looks as the last one says", () => {
    const joins = ["add_below", "add_above", "replace_previous"] as const
    // All ways that five steps may go.
    for (let way = 0; way < 3 ** 5; way++) {
      const changes = Array.from({ length: 5 }, (_, n) =>
        change(joins[Math.floor(way / 3 ** n) % 3]!, String.fromCharCode(97 + n), n === 4)
      )
      const additions = mergePageChanges(changes)
      assert.strictEqual(pageWith("page", additions), oneAfterAnother("page", changes), JSON.stringify(changes))
      assert.isTrue(additions.at(-1)!.fullscreen)
      const replacing = changes.slice(1).filter(({ join }) => join === "replace_previous").length
      assert.lengthOf(additions, 1 + replacing)
    }
    assert.deepStrictEqual(mergePageChanges([]), [])
  })
})
