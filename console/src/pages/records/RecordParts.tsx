// Parts of a record's page, which its panel beside a grid shows as well: fields, what the trash says, how it is deleted.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { appOf } from "../../api/queries.ts"
import type { RecordRow } from "../../api/types.ts"
import { recordParts as texts } from "../../texts/records/record.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { FieldRow } from "./FieldRow.tsx"
import { recordChanged } from "./recordQueries.ts"

interface RecordProps {
  readonly record: RecordRow
  readonly mayEdit: boolean
}

export const DeleteRecord = ({ record }: { readonly record: RecordRow }) => {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.records.remove({ record_id: record.record_id }),
    onSuccess: () => recordChanged(queries, record)
  })
  return (
    <>
      <Confirm
        label={texts.delete}
        title={texts.deleteThisRecord}
        yes={texts.deleteIt}
        busy={remove.isPending}
        onYes={remove.mutate}
      >
        <p>{texts.itGoesToTheTrash}</p>
      </Confirm>
      {remove.isError && <Failure what={texts.itWasNotDeleted} error={remove.error} />}
    </>
  )
}

export const InTrash = ({ record, mayEdit }: RecordProps) => {
  const queries = useQueryClient()
  const restore = useMutation({
    mutationFn: () => client.records.restore({ record_id: record.record_id }),
    onSuccess: () => recordChanged(queries, record)
  })
  return (
    <div className="note warn">
      <p>{texts.thisRecordIsInTheTrash}</p>
      {mayEdit && (
        <button type="button" className="small" disabled={restore.isPending} onClick={() => restore.mutate()}>
          {texts.restoreIt}
        </button>
      )}
      {restore.isError && <Failure what={texts.itWasNotRestored} error={restore.error} />}
    </div>
  )
}

/** Reasons for which calculations of the record have no result. */
export const CalculationErrors = ({ record }: { readonly record: RecordRow }) => {
  const app = useQuery(appOf(record.app_id))
  const labelOf = (id: number) => app.data?.fields.find(({ field_id }) => field_id === id)?.label
  return (
    <div className="note warn">
      {record.calculation_errors?.map(({ external_id, field_id, message }) => (
        <p key={field_id}>{texts.hasNoResult(<strong>{labelOf(field_id) ?? external_id}</strong>, message)}</p>
      ))}
    </div>
  )
}

export const RecordFields = ({ record, mayEdit }: RecordProps) => {
  const app = useQuery(appOf(record.app_id))
  const isFixed = record.deleted_on !== null || !mayEdit
  return (
    <section className="card" aria-label={texts.fields}>
      <Asked query={app} failed={texts.loadingFieldsFailed}>
        {({ fields }) => (
          <dl className="fields">
            {fields
              .filter(({ config, field_type }) => !config.always_hidden && field_type !== "unique_id")
              .map((field) => ({ field, cell: record.fields.find(({ field_id }) => field_id === field.field_id) }))
              // Who may edit fills it in here.
              .filter(({ cell, field: { config } }) => cell !== undefined || !config.hidden_if_empty || !isFixed)
              .map(({ cell, field }) => (
                <FieldRow key={field.field_id} record={record} field={field} cell={cell} fixed={isFixed} />
              ))}
          </dl>
        )}
      </Asked>
    </section>
  )
}
