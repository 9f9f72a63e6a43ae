// A template or code value: text with chips for references, put in from the picker beside the form, or from the list that `{{` or @ (in text) or any word (in code)
// opens. In text, a complete `{{ record.Customer }}` becomes a chip; one that names nothing says the nearest name.
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import type { EditorView } from "@codemirror/view"
import { useQuery } from "@tanstack/react-query"
import { useMemo, useRef } from "react"
import { valueEditor as texts } from "../../../../texts/automations/editorForm.ts"
import { scriptNames } from "../catalogue.ts"
import { useEditor, useReferences, useTemplates } from "../context.ts"
import { chipOf, partsOf, referenceOf, textOf } from "../model/chips.ts"
import type { Reference } from "../model/definition.ts"
import { wordsOf } from "../model/references.ts"
import { completedPlaceholders, unknownNames, withoutSecrets } from "../model/templates.ts"
import { foundAt, placeOfScript } from "../script/place.ts"
import { scriptCompletion } from "../script/scriptCompletion.ts"
import { CodeArea, type Language } from "./CodeArea.tsx"
import { braces, mention, referenceCompletion } from "./referenceCompletion.ts"
import { ValuePicker } from "./ValuePicker.tsx"

interface ValueEditorProps {
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: ReadonlyArray<unknown>) => void
  readonly language: Language
  readonly line?: boolean
  readonly invalid?: boolean
  /** True if references to secrets may stand in it. */
  readonly takesSecrets?: boolean
}
export const ValueEditor = (props: ValueEditorProps) => {
  const { invalid = false, label, language, line = false, onChange, takesSecrets = false, value } = props
  const { app, apps, chosen, draft } = useEditor()
  const groups = useReferences()
  const catalogue = useQuery({ ...scriptNames, enabled: language === "javascript" }).data
  const view = useRef<EditorView>(null)
  const { custom, isInLoop, iterable } = placeOfScript(draft.now, chosen)
  const script = useMemo(() => {
    if (catalogue === undefined || language !== "javascript") return undefined
    const { names, types } = catalogue
    const place = { custom, isInLoop, iterable }
    return scriptCompletion(foundAt({ app, apps, groups, names, place, types }), groups)
  }, [app, apps, catalogue, custom, groups, isInLoop, iterable, language])

  const templates = useTemplates()
  const isText = language !== "javascript"
  const resolve = takesSecrets ? templates.resolve : withoutSecrets(templates.resolve)
  const text = textOf(value)

  const mentioned = (context: CompletionContext): CompletionResult | null => {
    const named = isText
      ? referenceCompletion(context, braces, groups, (reference) => templates.shortForm(reference)?.slice(3, -3))
      : null
    return named ?? referenceCompletion(context, mention, groups, (_, words) => words)
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
        value={text}
        onChange={(typed) => onChange(partsOf(typed))}
        replaceTyped={isText ? (typed, from, to) => completedPlaceholders(typed, from, to, resolve) : undefined}
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
      <div role="status">
        {(isText ? unknownNames(text, resolve) : []).map((message) => (
          <small key={message} className="warn-line">
            {texts.messageItStandsAsText(message)}
          </small>
        ))}
      </div>
      <ValuePicker label={label} insert={insert} />
    </>
  )
}
