// Result of the search dialog.

import { searchOption as texts } from "../../texts/ui/search.ts"
import { icons } from "../icons.tsx"
import type { Listed } from "./recentResults.ts"

const kindTexts = texts.kindTexts
const kindIcons = {
  record: icons.record,
  comment: icons.comment,
  automation: icons.automations,
  app: icons.apps,
  command: icons.command
} as const

const sectionIcons = {
  Console: icons.home,
  "Your account": icons.account,
  Administration: icons.admin
} as const

interface SearchOptionProps {
  readonly id: string
  readonly result: Listed
  /** Name of its app. */
  readonly app: string | undefined
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onOpen: () => void
}

export const SearchOption = ({ id, result, app, isActive, onPoint, onOpen }: SearchOptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox, which keeps the focus
  // biome-ignore lint/a11y/useFocusableInteractive: as above
  <div id={id} role="option" aria-selected={isActive} onPointerMove={onPoint} onClick={onOpen}>
    {result.kind === "page" ? sectionIcons[result.section] : kindIcons[result.kind]}
    <span>
      <strong>{result.title}</strong>
      {result.snippet !== "" && result.snippet !== result.title && <small>{result.snippet}</small>}
    </span>
    <small className="muted">
      {kindTexts[result.kind]}
      {result.kind === "page" && ` · ${result.section}`}
      {result.kind !== "app" && app !== undefined && ` · ${app}`}
    </small>
  </div>
)
