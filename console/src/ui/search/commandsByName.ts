// Commands that the search runs, found by their names and by the words under which people look for them: pages that begin something new, and
// how the console looks.
import { commandsByName as texts } from "../../texts/ui/searchWords.ts"
import { changeAppearance } from "../appearance.ts"
import type { Place } from "../place.ts"
import { beginsAll } from "./pagesByName.ts"

interface Command {
  readonly id: string
  readonly title: string
  /** Words beside those of the title. */
  readonly words: string
  /** Address that it leads to, or what it does. */
  readonly does: { readonly to: Place["to"] } | { readonly run: () => void }
}

export interface FoundCommand extends Omit<Command, "words"> {
  readonly kind: "command"
  readonly snippet: string
}

const MOST = 3

const commands: ReadonlyArray<Command> = [
  { id: "new-app", title: texts.newApp, words: "create add table database", does: { to: "/apps/new" } },
  {
    id: "new-automation",
    title: texts.newAutomation,
    words: "create add workflow flow",
    does: { to: "/automations/new" }
  },
  {
    id: "import-automation",
    title: texts.importAutomation,
    words: "upload json yaml",
    does: { to: "/automations/import" }
  },
  { id: "new-webhook", title: texts.newWebhook, words: "create add hook", does: { to: "/webhooks/new" } },
  {
    id: "dark",
    title: texts.darkTheme,
    words: "mode night appearance",
    does: { run: () => changeAppearance({ theme: "dark" }) }
  },
  {
    id: "light",
    title: texts.lightTheme,
    words: "mode day appearance",
    does: { run: () => changeAppearance({ theme: "light" }) }
  },
  {
    id: "system",
    title: texts.systemTheme,
    words: "mode auto appearance",
    does: { run: () => changeAppearance({ theme: "system" }) }
  },
  {
    id: "compact",
    title: texts.compactRows,
    words: "density appearance",
    does: { run: () => changeAppearance({ density: "compact" }) }
  },
  {
    id: "regular",
    title: texts.regularRows,
    words: "density appearance",
    does: { run: () => changeAppearance({ density: "regular" }) }
  },
  {
    id: "comfortable",
    title: texts.comfortableRows,
    words: "density appearance",
    does: { run: () => changeAppearance({ density: "comfortable" }) }
  }
]

export const commandsByName = (text: string): ReadonlyArray<FoundCommand> =>
  commands
    .filter(({ title, words }) => beginsAll(text, `${title} ${words}`))
    .slice(0, MOST)
    .map(({ does, id, title }) => ({ kind: "command", id, title, snippet: "", does }))
