// A conversion under way, and what became of it (developer-api.md 11.4).
import type { AnswerOf } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { states } from "../runs/JobList.tsx"
import { JobReport } from "../runs/JobReport.tsx"
import { counted } from "./uses.tsx"

export const ConversionJob = ({ job }: { readonly job: AnswerOf<"jobs.get"> }) => {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => client.jobs.cancel({ job_id: job.job_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["job", job.job_id] })
  })
  const { done, total } = job.progress
  const { tone, words } = states[job.status]
  const isOpen = job.completed_at === null
  return (
    <section aria-label="Conversion">
      <p role="status">
        <Tag tone={tone}>{words}</Tag> {counted(job.counts["converted"] ?? 0, "value")} converted
        {(job.counts["unconvertible"] ?? 0) > 0 && `, ${counted(job.counts["unconvertible"]!, "value")} not`}
      </p>
      {isOpen && (
        <>
          <progress aria-label="Conversion" value={done} max={Math.max(1, total)} />
          <p>The field keeps its type until all values are ready. You may close this.</p>
          {cancel.isError && <Failure what="The conversion was not cancelled." error={cancel.error} />}
          <button type="button" className="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel conversion
          </button>
        </>
      )}
      {job.report.length > 0 && (
        <JobReport
          report={job.report}
          linkTo={(id) => (
            <Link to="/records/$recordId" params={{ recordId: id }}>
              Record {id}
            </Link>
          )}
        />
      )}
    </section>
  )
}
