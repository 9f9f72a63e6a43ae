// Relations: records found by a part of their title, taken and taken away again.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../../api/client.ts"
import { relationEditors as texts } from "../../../texts/records/editors.ts"
import { FindChoices } from "../../../ui/FindChoices.tsx"
import { type ControlProps, type Editor, orNull } from "./editor.ts"

interface Related {
  readonly record_id: number
  readonly title: string
}

const Find = ({ id, field, draft, onChange, many }: ControlProps<ReadonlyArray<Related>> & { many: boolean }) => {
  const [text, setText] = useState<string>()
  const findQuery = useQuery({
    queryKey: ["find", field.field_id, text],
    queryFn: ({ signal }) => client.listings.find({ field_id: field.field_id, text: text ?? "" }, { signal }),
    enabled: text !== undefined,
    placeholderData: (before) => before
  })
  const foundOf = ({ record_id, title }: Related) => ({ id: record_id, title })
  return (
    <FindChoices
      id={id}
      label={texts.findLabel(field.label)}
      placeholder={texts.partOfTheTitle}
      many={many}
      required={field.config.required ?? false}
      chosen={draft.map(foundOf)}
      offered={findQuery.data?.records.map((record) => ({ ...foundOf(record), detail: record.app.name }))}
      onFind={setText}
      onChange={(chosen) => onChange(chosen.map(({ id: record_id, title }) => ({ record_id, title })))}
    />
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
