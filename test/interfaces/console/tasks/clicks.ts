// What a task costs whoever does it: presses of the mouse, and of keys that are not text. A press into a field counts, the text that is typed
// there does not; a choice from a list is two, one to open it and one to choose.
import { Effect } from "effect"
import type { KeyInput, Page } from "puppeteer-core"
import { clicked } from "../../pages/waiting.ts"
import { choose, fill, press, promise } from "../consoleTab.ts"
import { keys as keysOf } from "../grid/gridTab.ts"

export const counting = (page: Page) => {
  let [clicks, keys] = [0, 0]
  const countClicks = (count: number) =>
    Effect.sync(() => {
      clicks += count
    })
  const countKey = Effect.sync(() => {
    keys++
  })
  return {
    press: (name: string, role?: string) => Effect.andThen(countClicks(1), press(page, name, role)),
    fill: (label: string, text: string, role?: string) => Effect.andThen(countClicks(1), fill(page, label, text, role)),
    choose: (label: string, words: string) => Effect.andThen(countClicks(2), choose(page, label, words)),
    /** What is pressed has no name of its own. */
    pressAt: (selector: string) =>
      Effect.andThen(
        countClicks(1),
        promise(() => clicked(page, selector))
      ),
    /** Something that is done with the mouse in another way, one press for each pair of down and up. */
    byMouse: (act: Effect.Effect<unknown>) => Effect.andThen(countClicks(1), act),
    /** Goes on where the keyboard is. */
    type: (text: string) => promise(() => page.keyboard.type(text)),
    key: (name: KeyInput) =>
      Effect.andThen(
        countKey,
        promise(() => page.keyboard.press(name))
      ),
    /** A key with others held, written as `Control+v`: pressed as one. */
    chord: (names: string) => Effect.andThen(countKey, keysOf(page, names)),
    clicks: () => clicks,
    keys: () => keys
  }
}
