// The fields that a layout goes by, and a button that keeps them with the chosen view.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId } from "react"
import { client } from "../../../api/client.ts"
import type { App, Field } from "../../../api/types.ts"
import { layoutBar as texts } from "../../../texts/records/layouts.ts"
import { ChoiceOfMany } from "../../../ui/ChoiceOfMany.tsx"
import { Failure } from "../../../ui/states.tsx"
import { boardFields, type ChosenLayout, coverFields, dateFields, endFields, layoutOfView } from "./layoutFields.ts"
import type { LayoutSearch } from "./layoutSearch.ts"

interface FieldChoiceProps {
  readonly label: string
  readonly fields: ReadonlyArray<Field>
  readonly value: Field | undefined
  /** Words for no field, where that can be chosen. */
  readonly none?: string
  readonly change: (fieldId: number) => void
}
const FieldChoice = ({ change, fields, label, none, value }: FieldChoiceProps) => {
  const id = useId()
  return (
    <span className="layout-field">
      <label htmlFor={id}>{label}</label>
      <ChoiceOfMany
        id={id}
        className="short"
        choices={fields.map(({ field_id, label: words }) => [field_id, words])}
        value={value?.field_id}
        none={none}
        onChange={(fieldId) => change(fieldId ?? 0)}
      />
    </span>
  )
}

interface SaveProps {
  readonly app: App
  readonly viewId: number
  readonly chosen: ChosenLayout
  readonly onSaved: () => void
}
const SaveLayout = ({ app, chosen, onSaved, viewId }: SaveProps) => {
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => client.views.update({ view_id: viewId, body: layoutOfView(chosen) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["views", app.app_id] })
      onSaved()
    }
  })
  return (
    <>
      <button type="button" className="small" disabled={save.isPending} onClick={() => save.mutate()}>
        {texts.saveLayoutToTheView}
      </button>
      {save.isError && <Failure what={texts.layoutWasNotSaved} error={save.error} />}
    </>
  )
}

interface BarProps {
  readonly app: App
  readonly chosen: ChosenLayout
  readonly viewId: number | undefined
  /** The layout is another one than the view's. */
  readonly isChanged: boolean
  readonly changePlace: (place: Partial<LayoutSearch>) => void
}
const NO_PLACE = { layout: undefined, board: undefined, start: undefined, end: undefined, cover: undefined }

export const LayoutBar = ({ app, changePlace, chosen, isChanged, viewId }: BarProps) => {
  const { board, cover, end, layout, start } = chosen
  const endChoices = endFields(app, start)
  const mayKeep = viewId !== undefined && isChanged && app.permission_level >= 4
  if (layout === "table" && !mayKeep) return null
  return (
    <div className="layout-bar">
      {layout === "board" && board !== undefined && (
        <FieldChoice
          label={texts.columnsBy}
          fields={boardFields(app)}
          value={board}
          change={(id) => changePlace({ board: id })}
        />
      )}
      {layout === "calendar" && start !== undefined && (
        <FieldChoice
          label={endChoices.length > 0 ? texts.startsOn : texts.daysBy}
          fields={dateFields(app)}
          value={start}
          change={(id) => changePlace({ start: id, end: undefined })}
        />
      )}
      {layout === "calendar" && endChoices.length > 0 && (
        <FieldChoice
          label={texts.endsOn}
          none={texts.noEnd}
          fields={endChoices}
          value={end}
          change={(id) => changePlace({ end: id })}
        />
      )}
      {layout === "gallery" && cover !== undefined && (
        <FieldChoice
          label={texts.pictureFrom}
          fields={coverFields(app)}
          value={cover}
          change={(id) => changePlace({ cover: id })}
        />
      )}
      {mayKeep && <SaveLayout app={app} viewId={viewId} chosen={chosen} onSaved={() => changePlace(NO_PLACE)} />}
    </div>
  )
}
