// What a task costs whoever does it: presses of the mouse, and of keys that are not text. A press into a field counts, the text that is typed
// there does not; a choice from a list is two, one to open it and one to choose.
import { Effect } from "effect"
import type { KeyInput, Page } from "puppeteer-core"
import { clicked } from "../../pages/waiting.ts"
import { choose, fill, press, promise } from "../consoleTab.ts"

export const counting = (page: Page) => {
  let [clicks, keys] = [0, 0]
  const countClicks = (count: number) =>
    Effect.sync(() => {
      clicks += count
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
    /** Goes on where the keyboard is. */
    type: (text: string) => promise(() => page.keyboard.type(text)),
    key: (name: KeyInput) =>
      Effect.andThen(
        Effect.sync(() => {
          keys++
        }),
        promise(() => page.keyboard.press(name))
      ),
    clicks: () => clicks,
    keys: () => keys
  }
}
