// Entries of a job's report, each with a link to what it is about.
import type { ReactNode } from "react"
import type { Job } from "./jobQueries.ts"

interface JobReportProps {
  readonly report: Job["report"]
  /** The link to what an entry is about. */
  readonly linkTo: (id: string) => ReactNode
}
export const JobReport = ({ linkTo, report }: JobReportProps) => (
  <ul className="plain">
    {report.map(({ id, message }) => (
      <li key={`${id} ${message}`}>
        {id !== null && <>{linkTo(id)}: </>}
        {message}
      </li>
    ))}
  </ul>
)
