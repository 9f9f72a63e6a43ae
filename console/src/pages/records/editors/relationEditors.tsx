// Relations: records found by a part of their title, taken and taken away again.
import { useQuery } from "@tanstack/react-query"
import { type KeyboardEvent, useState } from "react"
import { client } from "../../../api/client.ts"
import { type ControlProps, type Editor, orNull } from "./editor.ts"

interface Related {
  readonly record_id: number
  readonly title: string
}

const Find = ({ id, field, draft, onChange, many }: ControlProps<ReadonlyArray<Related>> & { many: boolean }) => {
  const [text, setText] = useState("")
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const findQuery = useQuery({
    queryKey: ["find", field.field_id, text],
    queryFn: ({ signal }) => client.listings.find({ field_id: field.field_id, text }, { signal }),
    enabled: open,
    placeholderData: (before) => before
  })
  const offered = (findQuery.data?.records ?? []).filter(
    ({ record_id }) => !draft.some((one) => one.record_id === record_id)
  )
  const take = (one: Related) => {
    onChange(many ? [...draft, { record_id: one.record_id, title: one.title }] : [one])
    setText("")
    setAt(0)
    setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) {
      event.stopPropagation()
      event.preventDefault()
      return setOpen(false)
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      setOpen(true)
      return setAt(Math.max(0, Math.min(offered.length - 1, at + (event.key === "ArrowDown" ? 1 : -1))))
    }
    if (event.key !== "Enter" || !open) return
    event.preventDefault()
    const highlightedRecord = offered[at]
    if (highlightedRecord !== undefined) take(highlightedRecord)
  }
  return (
    <div className="relation">
      {draft.length > 0 && (
        <ul className="plain">
          {draft.map(({ record_id, title }) => (
            <li key={record_id} className="chip">
              {title}
              <button
                type="button"
                aria-label={`Remove ${title}`}
                onClick={() => onChange(draft.filter((one) => one.record_id !== record_id))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        role="combobox"
        aria-label={`Find ${field.label}`}
        aria-expanded={open && offered.length > 0}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={open && offered[at] !== undefined ? `${id}-${offered[at].record_id}` : undefined}
        autoComplete="off"
        placeholder="A part of the title"
        required={field.config.required && draft.length === 0}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
          setOpen(true)
        }}
      />
      <div id={`${id}-found`} role="listbox" aria-label="Records found" hidden={!open || offered.length === 0}>
        {offered.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field above, which takes by Enter
          <div
            key={one.record_id}
            id={`${id}-${one.record_id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // Before the field loses the keyboard.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(one)}
          >
            {one.title} <small>{one.app.name}</small>
          </div>
        ))}
      </div>
      {open && findQuery.isSuccess && offered.length === 0 && <small role="status">Nothing is found.</small>}
    </div>
  )
}

const read: Editor<ReadonlyArray<Related>>["draft"] = (values) =>
  values.map(({ value }) => ({ record_id: value.record_id, title: value.title }))

export const relation: Editor<ReadonlyArray<Related>> = {
  Control: (props) => <Find {...props} many={false} />,
  draft: read,
  input: ([one]) => one?.record_id ?? null,
  group: true
}
export const relations: Editor<ReadonlyArray<Related>> = {
  Control: (props) => <Find {...props} many={true} />,
  draft: read,
  input: (draft) => orNull(draft.map(({ record_id }) => record_id)),
  group: true
}
