// A record beside its grid or layout, which stays where it is; Escape gives the keyboard back to it.
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { appOf } from "../../api/queries.ts"
import { recordPanel as texts } from "../../texts/records/record.ts"
import { Asked } from "../../ui/states.tsx"
import { Comments } from "./Comments.tsx"
import { History } from "./History.tsx"
import { CalculationErrors, InTrash, RecordFields } from "./RecordParts.tsx"
import { recordOf } from "./recordQueries.ts"

interface PanelProps {
  readonly recordId: number
  readonly close: () => void
}
const RecordPanel = ({ close, recordId }: PanelProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const query = useQuery(recordOf(recordId))
  const app = useQuery({ ...appOf(query.data?.app_id ?? 0), enabled: query.data !== undefined })
  const mayEdit = (app.data?.permission_level ?? 0) >= 3
  const isLoaded = query.data !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the heading is there
  useEffect(() => heading.current?.focus({ preventScroll: true }), [isLoaded])
  const leave = () => {
    close()
    const card = document.querySelector<HTMLElement>(`.layout [data-opens="${recordId}"]`)
    ;(card ?? document.querySelector<HTMLElement>("[role=grid]"))?.focus({ preventScroll: true })
  }
  return (
    <aside
      className="record-panel"
      aria-label={texts.record}
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && leave()}
    >
      <div className="panel-actions">
        <Link className="button quiet small" to="/records/$recordId" params={{ recordId: String(recordId) }}>
          {texts.openAsPage}
        </Link>
        <button type="button" className="quiet small" onClick={leave}>
          {texts.close}
        </button>
      </div>
      <Asked query={query} failed={texts.loadingTheRecordFailed}>
        {(record) => (
          <>
            <h2 ref={heading} tabIndex={-1}>
              {record.title || `${record.app.record_name} ${record.app_record_id}`}
            </h2>
            {record.deleted_on !== null && <InTrash record={record} mayEdit={mayEdit} />}
            {record.calculation_errors !== undefined && <CalculationErrors record={record} />}
            <RecordFields record={record} mayEdit={mayEdit} />
            <Comments record={record} />
            <History record={record} />
          </>
        )}
      </Asked>
    </aside>
  )
}
export default RecordPanel
