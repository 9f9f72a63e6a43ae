// A template or code value: text with chips for references, put in from a menu, or from the list that @ (in text) or any word (in code) opens.
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import type { EditorView } from "@codemirror/view"
import { useQuery } from "@tanstack/react-query"
import { useMemo, useRef } from "react"
import { scriptNames } from "../catalogue.ts"
import { useEditor, useReferences } from "../context.ts"
import { chipOf, partsOf, referenceOf, textOf } from "../model/chips.ts"
import type { Reference } from "../model/definition.ts"
import { wordsOf } from "../model/references.ts"
import { foundAt, placeOfScript } from "../script/place.ts"
import { scriptCompletion } from "../script/scriptCompletion.ts"
import { CodeArea, type Language } from "./CodeArea.tsx"
import { InsertMenu } from "./InsertMenu.tsx"

interface ValueEditorProps {
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: ReadonlyArray<unknown>) => void
  readonly language: Language
  readonly line?: boolean
  readonly invalid?: boolean
}
export const ValueEditor = ({ invalid = false, label, language, line = false, onChange, value }: ValueEditorProps) => {
  const { app, apps, chosen, draft } = useEditor()
  const groups = useReferences()
  const catalogue = useQuery({ ...scriptNames, enabled: language === "javascript" }).data
  const view = useRef<EditorView>(null)
  const script = useMemo(() => {
    if (catalogue === undefined || language !== "javascript") return undefined
    const scriptPlace = placeOfScript(draft.now, chosen)
    const { names, types } = catalogue
    return scriptCompletion(foundAt({ app, apps, groups, names, place: scriptPlace, types }), groups)
  }, [app, apps, catalogue, chosen, draft.now, groups, language])

  const mentioned = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/@[^\s@]*/)
    if (word === null) return null
    return {
      from: word.from + 1,
      validFor: /^[^\s@]*$/,
      options: groups.flatMap(({ choices, group }) =>
        choices.map(({ label: name, reference }) => ({
          label: name,
          detail: ` ${group}`,
          // Replaces the @ too.
          apply: (shown: EditorView, _: unknown, from: number, to: number) => {
            const chip = chipOf(reference)
            shown.dispatch({
              changes: { from: from - 1, to, insert: chip },
              selection: { anchor: from - 1 + chip.length }
            })
          }
        }))
      )
    }
  }
  const insert = (reference: Reference) => {
    const editorView = view.current
    if (editorView === null) return
    editorView.dispatch(editorView.state.replaceSelection(chipOf(reference)))
    editorView.focus()
  }
  return (
    <>
      <CodeArea
        label={label}
        value={textOf(value)}
        onChange={(text) => onChange(partsOf(text))}
        language={language}
        line={line}
        invalid={invalid}
        complete={(context) => mentioned(context) ?? script?.(context) ?? null}
        wordsOf={(character) => {
          const reference = referenceOf(character)
          return reference === undefined ? "?" : wordsOf(reference, apps)
        }}
        onReady={(ready) => {
          view.current = ready
        }}
      />
      <InsertMenu label={label} groups={groups} insert={insert} />
    </>
  )
}
