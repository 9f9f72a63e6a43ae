// Shows who changed the record and its former values, and restores them.

import type { AnswerOf } from "@millrace/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import type { Cell, FieldInput, RecordRow } from "../../api/types.ts"
import { history as texts } from "../../texts/records/record.ts"
import { Asked, Failure } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { authorName, WholeValue } from "../../ui/values.tsx"
import { inputOf } from "./inputs.ts"
import { recordChanged } from "./recordQueries.ts"

type Revision = AnswerOf<"records.revisions">["revisions"][number]
type Change = AnswerOf<"records.revisionDelta">["revision_deltas"][number]

const verbs: Readonly<Record<string, string>> = texts.verbs

/** A change's entries on one side, as a cell. */
const side = (change: Change, which: "from" | "to") => ({ ...change, values: change[which] }) as unknown as Cell

const Changes = ({ record, changes }: { readonly record: RecordRow; readonly changes: ReadonlyArray<Change> }) => {
  const queries = useQueryClient()
  const inputs = changes.flatMap((change): Array<[string, FieldInput]> => {
    const input = inputOf(side(change, "from"))
    return input === undefined ? [] : [[change.external_id, input]]
  })
  const revertChanges = useMutation({
    mutationFn: () =>
      client.records.update(
        { record_id: record.record_id, body: { fields: Object.fromEntries(inputs) } },
        { ifMatch: record.revision }
      ),
    onSuccess: () => recordChanged(queries, record)
  })
  if (changes.length === 0) return <p className="muted">{texts.noFieldIsDifferent}</p>
  return (
    <>
      <dl className="changes">
        {changes.map((change) => (
          <div key={change.field_id}>
            <dt>{change.label}</dt>
            <dd>
              <del>
                <WholeValue cell={side(change, "from")} field={undefined} />
              </del>
              <span aria-hidden="true"> → </span>
              <ins>
                <WholeValue cell={side(change, "to")} field={undefined} />
              </ins>
            </dd>
          </div>
        ))}
      </dl>
      {record.deleted_on === null && inputs.length > 0 && (
        <button
          type="button"
          className="quiet small"
          disabled={revertChanges.isPending}
          onClick={() => revertChanges.mutate()}
        >
          {texts.putThisBack}
        </button>
      )}
      {revertChanges.isError && <Failure what={texts.itWasNotPutBack} error={revertChanges.error} />}
    </>
  )
}

const Entry = ({ record, revision }: { readonly record: RecordRow; readonly revision: Revision }) => {
  const [open, setOpen] = useState(false)
  const delta = useQuery({
    queryKey: ["delta", record.record_id, revision.revision],
    queryFn: ({ signal }) =>
      client.records.revisionDelta({ record_id: record.record_id, revision: revision.revision }, { signal }),
    enabled: open,
    staleTime: Number.POSITIVE_INFINITY
  })
  return (
    <li>
      <p className="byline">
        <strong>{authorName(revision.created_by)}</strong> {verbs[revision.type] ?? revision.type}{" "}
        <small>
          <Time at={revision.created_on} />
        </small>
      </p>
      {revision.type === "update" && (
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? texts.hideWhatChanged : texts.whatChanged}
        </button>
      )}
      {open && (
        <Asked query={delta} failed={texts.loadingTheChangesFailed}>
          {({ revision_deltas }) => <Changes record={record} changes={revision_deltas} />}
        </Asked>
      )}
    </li>
  )
}

export const History = ({ record }: { readonly record: RecordRow }) => {
  const { record_id, revision } = record
  const revisions = useQuery({
    queryKey: ["revisions", record_id, revision],
    queryFn: ({ signal }) => client.records.revisions({ record_id, include_deleted: true }, { signal })
  })
  return (
    <section className="card" aria-labelledby="history">
      <h2 id="history">{texts.history}</h2>
      <Asked query={revisions} failed={texts.loadingTheHistoryFailed}>
        {(known) => (
          <ol className="history">
            {[...known.revisions].reverse().map((one) => (
              <Entry key={one.revision} record={record} revision={one} />
            ))}
          </ol>
        )}
      </Asked>
    </section>
  )
}
