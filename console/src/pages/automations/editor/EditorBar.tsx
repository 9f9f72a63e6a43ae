// The bar of actions on the automation as a whole; it stays in view. *Save* stores a draft, *Publish* makes it what runs.
import { Tag } from "../../../ui/Tag.tsx"
import { automationStates } from "../automationStates.ts"
import type { Command } from "./commands.ts"
import type { Draft } from "./useDraft.ts"

interface EditorBarProps {
  readonly draft: Draft
  readonly run: Partial<Record<Command, () => void>>
  readonly isList: boolean
  readonly toggleList: () => void
  readonly openSettings: () => void
}

const savedWords = ({ dirty, isKept, save, server }: Draft) => {
  if (save.isPending) return "Saving"
  if (!dirty) return "Saved"
  const state = server.status === "active" ? "Not published yet" : "Not saved yet"
  return isKept ? `${state}, kept in this browser` : state
}

export const EditorBar = ({ draft, isList, openSettings, run, toggleList }: EditorBarProps) => {
  const { activate, canRedo, canUndo, dirty, save, server } = draft
  const isActive = server.status === "active"
  const state = automationStates[server.status]
  const quietButton = (words: string, act: (() => void) | undefined, isDisabled = false) => (
    <button type="button" className="quiet small" disabled={isDisabled} onClick={act}>
      {words}
    </button>
  )
  return (
    <div className="editor-bar" role="toolbar" aria-label="Automation">
      <div className="bar-part">
        <Tag tone={state.tone}>{state.words}</Tag>
        <output className="muted">{savedWords(draft)}</output>
      </div>
      <div className="bar-part">
        {quietButton("Undo", run.undo, !canUndo)}
        {quietButton("Redo", run.redo, !canRedo)}
        {quietButton("Settings", openSettings)}
        {quietButton(isList ? "Canvas" : "List", toggleList)}
        {quietButton("JSON and YAML", run.text)}
        {quietButton("Keys", run.help)}
      </div>
      <div className="bar-part bar-end">
        {isActive
          ? quietButton("Pause", () => activate.mutate(false), activate.isPending)
          : quietButton("Save", run.save, !dirty || save.isPending)}
        <button
          type="button"
          className="small"
          disabled={activate.isPending || save.isPending || (isActive && !dirty)}
          onClick={() => (isActive ? save.mutate(undefined) : activate.mutate(true))}
        >
          Publish
        </button>
      </div>
    </div>
  )
}
