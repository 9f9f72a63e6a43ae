// Tells what became of a paste, a fill or another change of many cells, and where something did not fit.
import { useEffect, useRef } from "react"
import { gridReportNote as texts } from "../../../texts/records/grid.ts"
import type { GridReport } from "../clip/report.ts"

/** More are told in a number. */
const MOST = 20

interface NoteProps {
  readonly report: GridReport | undefined
  readonly close: () => void
}
/** Milliseconds for which a report without a problem stays. */
const STAYS = 6_000

export const GridReportNote = ({ close, report }: NoteProps) => {
  const latestClose = useRef(close)
  latestClose.current = close
  useEffect(() => {
    if (report === undefined || report.problems.length > 0) return
    const timer = setTimeout(() => latestClose.current(), STAYS)
    return () => clearTimeout(timer)
  }, [report])
  return (
    <div className="grid-report" role="status">
      {report !== undefined && (
        <div className={report.problems.length === 0 ? "note" : "note warn"}>
          <div className="report-head">
            <strong>{report.summary}</strong>
            <button type="button" className="quiet small" onClick={close}>
              {texts.close}
            </button>
          </div>
          {report.problems.length > 0 && (
            <ul>
              {report.problems.slice(0, MOST).map(({ place, reason }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list that does not change
                <li key={index}>
                  {place}: {reason}
                </li>
              ))}
              {report.problems.length > MOST && (
                <li>{texts.andRestMore((report.problems.length - MOST).toLocaleString())}</li>
              )}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}
