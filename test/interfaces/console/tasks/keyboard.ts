// The keyboard alone, counted: each key, each text typed at a stretch, each way by Tab to something.
import { assert } from "@effect/vitest"
import type { CDPSession, KeyInput, Page } from "puppeteer-core"
import { eventually } from "../../../support/eventually.ts"
import { promise } from "../consoleTab.ts"

/** What has the keyboard, inside of shadow roots too. */
const focusedElement = `(() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at
})()`

/** Tab has to reach what is wanted before so many others. */
const MOST = 60

export const byKeyboard = (page: Page) => {
  let count = 0
  let session: Promise<CDPSession> | undefined
  /** By the name that it is announced with. */
  const focused = async (): Promise<string> => {
    session ??= page.createCDPSession()
    const cdp = await session
    const { result } = await cdp.send("Runtime.evaluate", { expression: focusedElement })
    if (result.objectId === undefined) return ""
    const { nodes } = await cdp.send("Accessibility.getPartialAXTree", {
      objectId: result.objectId,
      fetchRelatives: false
    })
    return String(nodes[0]?.name?.value ?? "")
  }
  return {
    strokes: () => count,
    key: (key: KeyInput, ...held: ReadonlyArray<KeyInput>) =>
      promise(async () => {
        count += 1
        for (const modifier of held) await page.keyboard.down(modifier)
        await page.keyboard.press(key)
        for (const heldKey of held) await page.keyboard.up(heldKey)
      }),
    type: (text: string) =>
      promise(async () => {
        count += 1
        await page.keyboard.type(text)
      }),
    tabTo: (name: string) =>
      promise(async () => {
        count += 1
        const passedNames: Array<string> = []
        for (let tabCount = 0; tabCount < MOST; tabCount++) {
          const focusedName = await focused()
          if (focusedName === name) return
          passedNames.push(focusedName)
          await page.keyboard.press("Tab")
        }
        assert.fail(`Tab does not reach ${name}; it passes ${passedNames.join(", ")}`)
      }),
    /** Waits until this has the keyboard. */
    focusedOn: (name: RegExp) => eventually(`the keyboard is on ${name}`, promise(focused), (found) => name.test(found))
  }
}
