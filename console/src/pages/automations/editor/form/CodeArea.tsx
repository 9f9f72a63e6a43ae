// A text area with colours, completion and chips (CodeMirror 6). It lives in a shadow root: there its styles are adopted sheets, which the
// page's policy allows, where a style element in the page would be refused.
import {
  autocompletion,
  type CompletionSource,
  closeCompletion,
  completionKeymap,
  completionStatus
} from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands"
import { html } from "@codemirror/lang-html"
import { javascript } from "@codemirror/lang-javascript"
import { json } from "@codemirror/lang-json"
import { yaml } from "@codemirror/lang-yaml"
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import { type Diagnostic, setDiagnostics } from "@codemirror/lint"
import { type ChangeDesc, Compartment, EditorState, type Extension } from "@codemirror/state"
import { EditorView, keymap, lineNumbers } from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { useEffect, useRef } from "react"
import { chips } from "./chipView.ts"
import sheet from "./codeArea.css?inline"

export type Language = "text" | "javascript" | "html" | "json" | "yaml"

const languages: Readonly<Record<Language, () => Extension>> = {
  text: () => [],
  javascript: () => javascript(),
  html: () => html({ autoCloseTags: false }),
  json: () => json(),
  yaml: () => yaml()
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.bool, tags.null], class: "tok-word" },
  { tag: [tags.string, tags.attributeValue], class: "tok-string" },
  { tag: [tags.number, tags.propertyName, tags.attributeName], class: "tok-name" },
  { tag: tags.comment, class: "tok-comment" }
])

const styles = new CSSStyleSheet()
styles.replaceSync(sheet)

export interface CodeAreaProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly language?: Language
  /** Restricts the text to one line, like an input. */
  readonly line?: boolean
  readonly tall?: boolean
  readonly invalid?: boolean
  readonly complete?: CompletionSource | undefined
  /** Replaces parts of the text that the typing between two positions has completed; undo takes the replacement back alone. */
  readonly replaceTyped?:
    | ((text: string, from: number, to: number) => ReadonlyArray<{ from: number; to: number; insert: string }>)
    | undefined
  /** Label of the reference that a chip stands for. */
  readonly wordsOf?: ((character: string) => string) | undefined
  /** Gets the view, for menus that insert. */
  readonly onReady?: (view: EditorView) => void
  readonly mistakes?: ReadonlyArray<Diagnostic>
}

/** Escape closes the list that is open, and is the editor's otherwise: also while one is still being looked for. */
const completionKeys = [
  ...completionKeymap.filter(({ key }) => key !== "Escape"),
  { key: "Escape", run: (view: EditorView) => completionStatus(view.state) === "active" && closeCompletion(view) }
]

const oneLine = EditorState.transactionFilter.of((change) => (change.newDoc.lines > 1 ? [] : change))

/** Replaces a selection of several lines: the browser would join them with styles of its own in the page, which the policy refuses. */
const replaceLines = EditorView.domEventHandlers({
  beforeinput: ({ data, inputType, isComposing }, view) => {
    const { doc, selection } = view.state
    const isOverLines = selection.ranges.some(({ from, to }) => doc.lineAt(from).number < doc.lineAt(to).number)
    const text = inputType === "insertText" ? data : inputType.startsWith("delete") ? "" : null
    if (!isOverLines || isComposing || text === null) return false
    const userEvent = text === "" ? "delete.selection" : "input.type"
    view.dispatch(view.state.replaceSelection(text), { userEvent, scrollIntoView: true })
    // The browser is told to leave it alone.
    return true
  }
})

/** Positions in the new text between which something has changed. */
const changedRange = (changes: ChangeDesc): readonly [from: number, to: number] => {
  const lineEnds: Array<number> = []
  changes.iterChangedRanges((_fromBefore, _toBefore, from, to) => lineEnds.push(from, to))
  return [Math.min(...lineEnds), Math.max(...lineEnds)]
}

export const CodeArea = (props: CodeAreaProps) => {
  const { invalid = false, label, language = "text", line = false, mistakes, tall = false, value } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const live = useRef(props)
  const naming = useRef(new Compartment())
  // Texts that were typed but have not come back as the value yet: rendering may lag behind the typing.
  const typed = useRef<Array<string>>([])
  live.current = props
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" })
    if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles]
    const attributes = (name: string, bad: boolean) =>
      EditorView.contentAttributes.of({
        "aria-label": name,
        "aria-multiline": String(!live.current.line),
        ...(bad ? { "aria-invalid": "true" } : {})
      })
    const editorView = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: live.current.value,
        extensions: [
          history(),
          keymap.of([...completionKeys, ...defaultKeymap, ...historyKeymap]),
          syntaxHighlighting(colours),
          languages[live.current.language ?? "text"](),
          naming.current.of(attributes(live.current.label, live.current.invalid === true)),
          chips((character) => live.current.wordsOf?.(character) ?? "value"),
          autocompletion({
            defaultKeymap: false,
            interactionDelay: 0,
            override: [(context) => live.current.complete?.(context) ?? null],
            icons: false
          }),
          EditorView.lineWrapping,
          replaceLines,
          live.current.line ? oneLine : live.current.tall ? lineNumbers() : [],
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return
            typed.current.push(update.state.doc.toString())
            live.current.onChange(update.state.doc.toString())
            if (update.view.composing || !update.transactions.some((one) => one.isUserEvent("input"))) return
            const changes = live.current.replaceTyped?.(update.state.doc.toString(), ...changedRange(update.changes))
            if (changes !== undefined && changes.length > 0)
              update.view.dispatch({ changes: [...changes], annotations: isolateHistory.of("full") })
          })
        ]
      })
    })
    view.current = editorView
    live.current.onReady?.(editorView)
    return () => editorView.destroy()
  }, [])
  useEffect(() => {
    const currentView = view.current
    if (currentView === null) return
    const isBehind = typed.current.includes(value)
    typed.current.splice(0, isBehind ? typed.current.indexOf(value) + 1 : typed.current.length)
    if (isBehind || currentView.state.doc.toString() === value) return
    currentView.dispatch({ changes: { from: 0, to: currentView.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    view.current?.dispatch({
      effects: naming.current.reconfigure(
        EditorView.contentAttributes.of({
          "aria-label": label,
          "aria-multiline": String(!line),
          ...(invalid ? { "aria-invalid": "true" } : {})
        })
      )
    })
  }, [invalid, label, line])
  useEffect(() => {
    const currentView = view.current
    if (currentView !== null && mistakes !== undefined)
      currentView.dispatch(setDiagnostics(currentView.state, [...mistakes]))
  }, [mistakes])
  return (
    <div
      ref={host}
      className={`code-area${line ? " line" : ""}${tall ? " tall" : ""}${language === "text" ? " prose" : ""}`}
    />
  )
}
