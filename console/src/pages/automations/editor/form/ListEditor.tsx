// A list of entries of one kind: each a form of its own, removed, one more added.

import { listEditor as texts } from "../../../../texts/automations/editorForm.ts"
import { emptyOf, type JsonSchema, resolved } from "../model/schemaForm.ts"
import type { Config } from "../model/steps.ts"
import { SchemaForm } from "./SchemaForm.tsx"
import { ValueEditor } from "./ValueEditor.tsx"

interface ListEditorProps {
  readonly label: string
  readonly root: JsonSchema
  readonly schema: JsonSchema
  readonly value: unknown
  readonly onChange: (value: ReadonlyArray<unknown>) => void
  readonly about: number | undefined
}
export const ListEditor = ({ about, label, onChange, root, schema, value }: ListEditorProps) => {
  const list = Array.isArray(value) ? (value as ReadonlyArray<unknown>) : []
  const items = schema.items ?? {}
  const isForm = resolved(items, root).properties !== undefined
  const replaceEntry = (at: number, entry: unknown) => onChange(list.map((one, index) => (index === at ? entry : one)))
  return (
    <>
      {list.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no names of their own
        <fieldset className="list-entry" key={at} aria-label={`${label} ${at + 1}`}>
          {isForm ? (
            <SchemaForm
              root={root}
              schema={items}
              config={(entry ?? {}) as Config}
              onChange={(next) => replaceEntry(at, next)}
              about={about}
            />
          ) : (
            <ValueEditor
              label={`${label} ${at + 1}`}
              language="text"
              line
              value={entry}
              onChange={(next) => replaceEntry(at, next)}
            />
          )}
          <button
            type="button"
            className="quiet small"
            aria-label={texts.removeLabelAt(label, at + 1)}
            onClick={() => onChange(list.filter((_, index) => index !== at))}
          >
            {texts.remove}
          </button>
        </fieldset>
      ))}
      <button
        type="button"
        className="quiet small"
        aria-label={texts.addLabel(label)}
        onClick={() => onChange([...list, emptyOf(items, root)])}
      >
        {texts.add}
      </button>
    </>
  )
}
