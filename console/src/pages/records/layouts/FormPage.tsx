// The form of a view: a page that asks for its visible columns and adds a record, for members who may. Its address can be passed on.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { appOf } from "../../../api/queries.ts"
import type { App, View } from "../../../api/types.ts"
import { Page } from "../../../ui/Page.tsx"
import { Asked, Empty } from "../../../ui/states.tsx"
import { columnsOf } from "../grid/columns.ts"
import { addedTitle, RecordForm } from "../RecordForm.tsx"
import "../records.css"
import { formPage as texts } from "../../../texts/records/layouts.ts"
import { formFields } from "./AddDialog.tsx"
import { viewOf } from "./layoutQueries.ts"
import { visibleFields } from "./visibleFields.ts"

const route = getRouteApi("/apps/$appId/form")

type Added = Parameters<typeof addedTitle>[1]

interface ViewFormProps {
  readonly app: App
  readonly view: View | undefined
}
const ViewForm = ({ app, view }: ViewFormProps) => {
  const [added, setAdded] = useState<Added>()
  const heading = useRef<HTMLHeadingElement>(null)
  const [fields] = useState(() => formFields(app, visibleFields(columnsOf(app), view?.columns)))
  useEffect(() => {
    if (added !== undefined) heading.current?.focus()
  }, [added])
  if (added === undefined)
    return (
      <section className="card" aria-label={texts.newRecord}>
        <RecordForm app={app} fields={fields} button={texts.add} onAdded={setAdded} />
      </section>
    )
  return (
    <section className="card" aria-label={texts.newRecord}>
      <h2 ref={heading} tabIndex={-1}>
        {texts.added}
      </h2>
      <p>
        {texts.wasAddedTo(
          <Link to="/records/$recordId" params={{ recordId: String(added.record_id) }}>
            {addedTitle(app, added)}
          </Link>,
          app.name
        )}
      </p>
      <button type="button" onClick={() => setAdded(undefined)}>
        {texts.addAnother}
      </button>
    </section>
  )
}

export const FormPage = () => {
  const { appId } = route.useParams()
  const { view: viewId } = route.useSearch()
  const app = useQuery(appOf(Number(appId)))
  const view = useQuery(viewOf(Number(appId), viewId))
  const title =
    view.data?.name ?? (app.data === undefined ? texts.form : texts.newItemName(app.data.item_name.toLowerCase()))
  const trail = (
    <>
      <Link to="/apps">{texts.apps}</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId }} search={viewId === undefined ? {} : { view: viewId }}>
        {app.data?.name ?? texts.app}
      </Link>
    </>
  )
  const form = (known: App, look: View | undefined) =>
    known.permission_level < 3 ? (
      <Empty title={texts.youMayNotAddRecords}>
        <p>{texts.youMayLookAtThose}</p>
      </Empty>
    ) : (
      <ViewForm key={viewId} app={known} view={look} />
    )
  return (
    <Page title={title} trail={trail}>
      <Asked query={app} failed={texts.loadingTheAppFailed}>
        {(known) =>
          viewId === undefined ? (
            form(known, undefined)
          ) : (
            <Asked query={view} failed={texts.loadingTheViewFailed}>
              {(look) => form(known, look)}
            </Asked>
          )
        }
      </Asked>
    </Page>
  )
}
