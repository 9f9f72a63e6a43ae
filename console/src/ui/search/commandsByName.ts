// Commands that the search runs, found by their names and by the words under which people look for them: pages that begin something new, and
// how the console looks. Those that begin a record are newRecordCommands.ts.
import type { useNavigate } from "@tanstack/react-router"
import { administers, type Role } from "../../pages/admin/places.ts"
import { commandsByName as texts } from "../../texts/ui/searchWords.ts"
import { changeAppearance } from "../appearance.ts"
import { beginsAll } from "./pagesByName.ts"

interface Command {
  readonly id: string
  readonly title: string
  /** Words beside those of the title. */
  readonly words: string
  /** Is offered to everybody if absent. */
  readonly opens?: (role: Role) => boolean
  readonly run: (navigate: ReturnType<typeof useNavigate>) => unknown
}

export interface FoundCommand extends Pick<Command, "id" | "run" | "title"> {
  readonly kind: "command"
  readonly snippet: string
}

const MOST = 3

const commands: ReadonlyArray<Command> = [
  {
    id: "new-app",
    title: texts.newApp,
    words: "create add table database",
    run: (navigate) => navigate({ to: "/apps/new" })
  },
  {
    id: "new-automation",
    title: texts.newAutomation,
    words: "create add workflow flow",
    run: (navigate) => navigate({ to: "/automations/new" })
  },
  {
    id: "import-automation",
    title: texts.importAutomation,
    words: "upload json yaml",
    run: (navigate) => navigate({ to: "/automations/import" })
  },
  {
    id: "new-webhook",
    title: texts.newWebhook,
    words: "create add hook",
    run: (navigate) => navigate({ to: "/webhooks/new" })
  },
  {
    id: "invite",
    title: texts.inviteAColleague,
    words: "add new person member user team people",
    opens: administers,
    run: (navigate) => navigate({ to: "/admin/members", search: { invite: true } })
  },
  {
    id: "dark",
    title: texts.darkTheme,
    words: "mode night appearance",
    run: () => changeAppearance({ theme: "dark" })
  },
  {
    id: "light",
    title: texts.lightTheme,
    words: "mode day appearance",
    run: () => changeAppearance({ theme: "light" })
  },
  {
    id: "system",
    title: texts.systemTheme,
    words: "mode auto appearance",
    run: () => changeAppearance({ theme: "system" })
  },
  {
    id: "compact",
    title: texts.compactRows,
    words: "density appearance",
    run: () => changeAppearance({ density: "compact" })
  },
  {
    id: "regular",
    title: texts.regularRows,
    words: "density appearance",
    run: () => changeAppearance({ density: "regular" })
  },
  {
    id: "comfortable",
    title: texts.comfortableRows,
    words: "density appearance",
    run: () => changeAppearance({ density: "comfortable" })
  }
]

export const commandsByName = (text: string, role: Role | undefined): ReadonlyArray<FoundCommand> =>
  commands
    .filter(({ opens }) => opens === undefined || (role !== undefined && opens(role)))
    .filter(({ title, words }) => beginsAll(text, `${title} ${words}`))
    .slice(0, MOST)
    .map(({ id, run, title }) => ({ kind: "command", id, title, snippet: "", run }))
