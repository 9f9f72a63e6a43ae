// A conversion under way, and what became of it (developer-api.md 11.4).
import type { AnswerOf } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { conversionJob as texts } from "../../texts/apps/fields.ts"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { states } from "../runs/JobList.tsx"
import { JobReport } from "../runs/JobReport.tsx"

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
    <section aria-label={texts.conversion}>
      <p role="status">
        <Tag tone={tone}>{words}</Tag>{" "}
        {texts.valuesConverted(
          job.counts["converted"] ?? 0,
          (job.counts["unconvertible"] ?? 0) > 0 && texts.valuesNot(job.counts["unconvertible"]!)
        )}
      </p>
      {isOpen && (
        <>
          <progress aria-label={texts.conversion} value={done} max={Math.max(1, total)} />
          <p>{texts.fieldKeepsItsTypeUntil}</p>
          {cancel.isError && <Failure what={texts.conversionWasNotCancelled} error={cancel.error} />}
          <button type="button" className="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.cancelConversion}
          </button>
        </>
      )}
      {job.report.length > 0 && (
        <JobReport
          report={job.report}
          linkTo={(id) => (
            <Link to="/records/$recordId" params={{ recordId: id }}>
              {texts.recordId(id)}
            </Link>
          )}
        />
      )}
    </section>
  )
}
