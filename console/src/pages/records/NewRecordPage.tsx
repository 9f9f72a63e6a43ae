// A new record: a form of the app's fields. Several in a row are made without leaving it.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { useId, useRef, useState } from "react"
import { client } from "../../api/client.ts"
import { appOf } from "../../api/queries.ts"
import type { App, Field, FieldInput } from "../../api/types.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Empty, Failure } from "../../ui/states.tsx"
import { useUnsavedText } from "../../ui/unsavedText.ts"
import { editorOf } from "./editors/catalogue.ts"
import type { Editor } from "./editors/editor.ts"
import { FieldControl } from "./editors/FieldControl.tsx"
import { useFirstFocus } from "./editors/useFirstFocus.ts"
import "./records.css"

const route = getRouteApi("/apps/$appId/new")

type Drafts = Readonly<Record<string, unknown>>

const editable = ({ fields }: App): ReadonlyArray<readonly [Field, Editor]> =>
  fields.flatMap((field) => {
    const editor = field.config.always_hidden ? undefined : editorOf(field)
    return editor === undefined ? [] : [[field, editor] as const]
  })
const emptyOf = (app: App): Drafts =>
  Object.fromEntries(editable(app).map(([field, editor]) => [field.external_id, editor.draft([], field)]))

const RecordForm = ({ app }: { readonly app: App }) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [drafts, setDrafts] = useState(() => emptyOf(app))
  /** Renewed for each record, that its controls begin anew. */
  const [turn, setTurn] = useState(0)
  const create = useMutation({
    mutationFn: async () => {
      const fields = editable(app).flatMap(([field, editor]): Array<[string, FieldInput]> => {
        const input = editor.input(drafts[field.external_id], []) as FieldInput
        return input === null ? [] : [[field.external_id, input]]
      })
      const newRecord = await client.records.create({
        app_id: app.app_id,
        body: { fields: Object.fromEntries(fields) }
      })
      await queries.invalidateQueries({ queryKey: ["records", app.app_id] })
      return newRecord
    }
  })
  const save = (another: boolean) => {
    if (form.current?.reportValidity() !== true) return
    create.mutate(undefined, {
      onSuccess: ({ record_id }) => {
        if (!another) return void navigate({ to: "/records/$recordId", params: { recordId: String(record_id) } })
        setDrafts(emptyOf(app))
        setTurn(turn + 1)
      }
    })
  }
  useFirstFocus(form, turn)
  const [emptyDrafts] = useState(() => JSON.stringify(drafts))
  useUnsavedText(!create.isPending && JSON.stringify(drafts) !== emptyDrafts)
  const busy = create.isPending || editable(app).some(([{ external_id }, { isBusy }]) => isBusy?.(drafts[external_id]))
  const newRecord = create.data
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        save(false)
      }}
    >
      {editable(app).map(([field, editor]) => (
        <FieldControl
          key={`${field.field_id}-${turn}`}
          id={`${id}-${field.field_id}`}
          field={field}
          editor={editor}
          draft={drafts[field.external_id]}
          onChange={(next) =>
            setDrafts((before) => ({
              ...before,
              [field.external_id]: typeof next === "function" ? next(before[field.external_id]) : next
            }))
          }
        />
      ))}
      {create.isError && <Failure what="The record was not saved." error={create.error} />}
      <div className="buttons">
        <button type="submit" disabled={busy}>
          Save
        </button>
        <button type="button" className="quiet" disabled={busy} onClick={() => save(true)}>
          Save and add another
        </button>
      </div>
      <p role="status">
        {newRecord !== undefined && !create.isPending && (
          <>
            <Link to="/records/$recordId" params={{ recordId: String(newRecord.record_id) }}>
              {"title" in newRecord && newRecord.title !== ""
                ? newRecord.title
                : `${app.item_name} ${newRecord.app_record_id}`}
            </Link>{" "}
            was saved.
          </>
        )}
      </p>
    </form>
  )
}

export const NewRecordPage = () => {
  const { appId } = route.useParams()
  const app = useQuery(appOf(Number(appId)))
  const trail = (
    <>
      <Link to="/apps">Apps</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId }} search={{}}>
        {app.data?.name ?? "App"}
      </Link>
    </>
  )
  return (
    <Page title={app.data === undefined ? "New record" : `New ${app.data.item_name.toLowerCase()}`} trail={trail}>
      <Asked query={app} what="the app">
        {(known) =>
          known.permission_level < 3 ? (
            <Empty title="You may not add records here">
              <p>You may look at those that are there.</p>
            </Empty>
          ) : (
            <section className="card" aria-label="The new record">
              <RecordForm app={known} />
            </section>
          )
        }
      </Asked>
    </Page>
  )
}
