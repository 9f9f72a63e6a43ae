// Edits the definition as JSON or YAML, and applies the text as one edit; a text that cannot be applied is reported with its line.
import { useMemo, useState } from "react"
import { isMap, parseDocument, stringify } from "yaml"
import { definitionText as texts } from "../../../texts/automations/editor.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { useEditor } from "./context.ts"
import { CodeArea } from "./form/CodeArea.tsx"
import { definitionOf } from "./model/definition.ts"
import { mint } from "./useDraft.ts"

type Form = "json" | "yaml"

/** Parses the text. JSON is YAML too, but JSON.parse reports mistakes of JSON. */
const read = (text: string, form: Form): unknown => {
  if (form === "json") return JSON.parse(text)
  const document = parseDocument(text, { prettyErrors: true })
  const [error] = document.errors
  if (error !== undefined) throw error
  if (!isMap(document.contents)) throw new Error(texts.definitionIsAMapping)
  return document.toJS({ maxAliasCount: 0 })
}

export const DefinitionText = ({ close }: { readonly close: () => void }) => {
  const { draft } = useEditor()
  const [form, setForm] = useState<Form>("yaml")
  const renderedText = useMemo(
    () => (form === "json" ? JSON.stringify(draft.now, null, 2) : stringify(draft.now)),
    [draft.now, form]
  )
  const [typed, setTyped] = useState<string>()
  const [mistake, setMistake] = useState("")
  const text = typed ?? renderedText
  const apply = () => {
    try {
      const readResult = definitionOf(read(text, form), mint)
      if ("mistake" in readResult) return setMistake(readResult.mistake)
      draft.edit(readResult.definition)
      close()
    } catch (error) {
      setMistake(error instanceof Error ? error.message : String(error))
    }
  }
  const switchForm = (next: Form) => {
    setForm(next)
    setTyped(undefined)
    setMistake("")
  }
  return (
    <Dialog title={texts.theDefinition} close={close}>
      <div className="definition-text">
        <div className="pick">
          {(["yaml", "json"] as const).map((one) => (
            <button
              key={one}
              type="button"
              className={form === one ? "small" : "quiet small"}
              aria-pressed={form === one}
              disabled={typed !== undefined && form !== one}
              onClick={() => switchForm(one)}
            >
              {one.toUpperCase()}
            </button>
          ))}
        </div>
        <CodeArea
          key={form}
          label={texts.definitionAsForm(form.toUpperCase())}
          language={form}
          tall
          value={text}
          onChange={(next) => setTyped(next === renderedText ? undefined : next)}
          invalid={mistake !== ""}
        />
        {mistake !== "" && (
          <p className="note bad" role="alert">
            {mistake}
          </p>
        )}
        <div className="buttons">
          <button type="button" disabled={typed === undefined} onClick={apply}>
            {texts.apply}
          </button>
          {typed !== undefined && (
            <button type="button" className="quiet" onClick={() => switchForm(form)}>
              {texts.discardChanges}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
