// A file that is sent up and looked at: how it is read, where its columns go, and the button that imports it.
import type { Schemas } from "@millrace/client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../../../api/client.ts"
import type { App } from "../../../api/types.ts"
import { importSetup as texts } from "../../../texts/records/csv.ts"
import { Failure, Loading } from "../../../ui/states.tsx"
import { FormatForm } from "./FormatForm.tsx"
import { ImportOptions } from "./ImportOptions.tsx"
import { type Choices, columnsWithoutField, importBody, noChoices, type Preview, targetOf } from "./importChoices.ts"
import { LineProblems } from "./LineProblems.tsx"
import { MappingForm } from "./MappingForm.tsx"

/** Makes fields of the columns that ask for one. Answers their ids by the number of the column. */
const createFields = async (app: App, preview: Preview, choices: Choices) => {
  const columns = columnsWithoutField(preview, choices)
  if (columns.length === 0) return new Map<number, number>()
  const fields = columns.map(
    ({ column, guessed_type, number }) =>
      ({
        field_type: guessed_type,
        config: { label: column.trim().slice(0, 100) || texts.columnNumber(number) }
      }) as Schemas.FieldInput
  )
  const changed = await client.apps.update({ app_id: app.app_id, body: { fields } })
  const formerIds = new Set(app.fields.map(({ field_id }) => field_id))
  const newIds = changed.fields.map(({ field_id }) => field_id).filter((id) => !formerIds.has(id))
  return new Map(columns.map(({ number }, at) => [number, newIds[at]!]))
}

interface ImportSetupProps {
  readonly app: App
  readonly fileId: string
}
export const ImportSetup = ({ app, fileId }: ImportSetupProps) => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [choices, setChoices] = useState(noChoices)
  const body = importBody(fileId, choices)
  const previewQuery = useQuery({
    queryKey: ["import preview", body],
    queryFn: ({ signal }) => client.imports.preview({ app_id: app.app_id, body }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY
  })
  const preview = previewQuery.data
  const begin = useMutation({
    mutationFn: async (seen: Preview) => {
      const newFields = await createFields(app, seen, choices)
      if (newFields.size > 0) await queries.invalidateQueries({ queryKey: ["app", app.app_id] })
      // The options of a new choice are those of the file.
      const isNewChoice = columnsWithoutField(seen, choices).some(
        ({ guessed_type }) => guessed_type === "single_category"
      )
      const finalChoices = { ...choices, addOptions: choices.addOptions || isNewChoice }
      return client.imports.begin({ app_id: app.app_id, body: importBody(fileId, finalChoices, newFields) })
    },
    onSuccess: ({ job_id }) =>
      navigate({ to: "/apps/$appId/import", params: { appId: String(app.app_id) }, search: { job: job_id } })
  })
  if (previewQuery.isError)
    return <Failure what={texts.fileCouldNotBeRead} error={previewQuery.error} again={() => setChoices(noChoices)} />
  if (preview === undefined) return <Loading />
  const { problems, rows, rows_estimated, rows_skipped } = preview
  const hasTarget = preview.columns.some((column) => targetOf(column, choices) !== null)
  const isEstimate = rows_estimated > rows
  return (
    <>
      <section className="card" aria-label={texts.format}>
        <FormatForm
          format={preview.format}
          change={(format) => setChoices({ ...choices, format: { ...choices.format, ...format } })}
        />
      </section>
      <MappingForm app={app} preview={preview} choices={choices} change={setChoices} />
      <ImportOptions app={app} preview={preview} choices={choices} change={setChoices} />
      <section className="card" aria-label={texts.import}>
        {rows_skipped > 0 && (
          <details>
            <summary>{texts.rowsSkippedOfTheFirst(rows_skipped.toLocaleString(), rows.toLocaleString())}</summary>
            <LineProblems problems={problems} />
          </details>
        )}
        <p>
          {isEstimate && texts.about}
          {rows_estimated.toLocaleString()} {texts.rows(rows_estimated)}
          {isEstimate && texts.firstRowsWereLookedAt(rows.toLocaleString())}.
        </p>
        {begin.isError && <Failure what={texts.importDidNotBegin} error={begin.error} />}
        <div className="buttons">
          <button
            type="button"
            disabled={!hasTarget || begin.isPending || previewQuery.isPlaceholderData}
            onClick={() => begin.mutate(preview)}
          >
            {texts.import}
          </button>
        </div>
      </section>
    </>
  )
}
