// The bar of actions on the automation as a whole; it stays in view. *Save* stores a draft, *Publish* makes it what runs.

import { editorBar as texts } from "../../../texts/automations/editor.ts"
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
  if (save.isPending) return texts.saving
  if (!dirty) return texts.saved
  const state = server.status === "active" ? texts.notPublishedYet : texts.notSavedYet
  return isKept ? texts.stateKeptInThisBrowser(state) : state
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
    <div className="editor-bar" role="toolbar" aria-label={texts.automation}>
      <div className="bar-part">
        <Tag tone={state.tone}>{state.words}</Tag>
        <output className="muted">{savedWords(draft)}</output>
      </div>
      <div className="bar-part">
        {quietButton(texts.undo, run.undo, !canUndo)}
        {quietButton(texts.redo, run.redo, !canRedo)}
        {quietButton(texts.settings, openSettings)}
        {quietButton(isList ? texts.canvas : texts.list, toggleList)}
        {quietButton(texts.jsonAndYaml, run.text)}
        {quietButton(texts.keys, run.help)}
      </div>
      <div className="bar-part bar-end">
        {isActive
          ? quietButton(texts.pause, () => activate.mutate(false), activate.isPending)
          : quietButton(texts.save, run.save, !dirty || save.isPending)}
        <button
          type="button"
          className="small"
          disabled={activate.isPending || save.isPending || (isActive && !dirty)}
          onClick={() => (isActive ? save.mutate(undefined) : activate.mutate(true))}
        >
          {texts.publish}
        </button>
      </div>
    </div>
  )
}
