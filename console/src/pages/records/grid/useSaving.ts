// Values that were typed into cells: each is written by itself, the answer stands in the grid at once, and what was refused is told.
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../../api/client.ts"
import type { Field, FieldInput, RecordRow } from "../../../api/types.ts"
import { recordChanged } from "../recordQueries.ts"

export interface Refused {
  readonly where: string
  readonly error: unknown
}

const nameOf = (record: RecordRow, field: Field) => `${record.record_id} ${field.field_id}`

export const useSaving = () => {
  const queries = useQueryClient()
  const [underWay, setUnderWay] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Refused>()
  const [said, setSaid] = useState("")
  const save = async (record: RecordRow, field: Field, value: unknown) => {
    const name = nameOf(record, field)
    setRefused(undefined)
    setUnderWay((all) => new Set(all).add(name))
    try {
      const { record_id } = record
      const fields = { [field.external_id]: value as FieldInput }
      const updatedRecord = await client.records.update({ record_id, body: { fields } })
      const replaceRecord = (held: unknown) => {
        const block = held as { readonly records?: ReadonlyArray<RecordRow> } | undefined
        return block?.records === undefined
          ? held
          : { ...block, records: block.records.map((one) => (one.record_id === record_id ? updatedRecord : one)) }
      }
      queries.setQueriesData({ queryKey: ["records", record.app_id, "block"] }, replaceRecord)
      setSaid(`${field.label} was saved.`)
      await recordChanged(queries, record)
    } catch (error) {
      setRefused({ where: `${field.label} of ${record.title}`, error })
    } finally {
      setUnderWay((all) => new Set([...all].filter((one) => one !== name)))
    }
  }
  return { save, refused, said, isSaving: (record: RecordRow, field: Field) => underWay.has(nameOf(record, field)) }
}
