// What a conversion would do (developer-api.md 11.4): how many values convert, the first that do not, and what uses the field.
import type { AnswerOf } from "@millrace/client"
import { AutomationUses, counted } from "./uses.tsx"

type Conversion = AnswerOf<"apps.convertField">
type Job = AnswerOf<"jobs.get">

/** Values that are shown of each kind. */
const SHOWN = 5

const Values = ({ outcome }: { readonly outcome: NonNullable<Conversion["outcome"]> }) => (
  <>
    <p>
      {counted(outcome.converted, "value")} can be converted
      {outcome.unconvertible > 0 && `, ${counted(outcome.unconvertible, "value")} cannot`}.
    </p>
    {outcome.samples.length > 0 && (
      <ul>
        {outcome.samples.slice(0, SHOWN).map(({ after, before, record_id }) => (
          <li key={record_id}>
            {before} → {after}
          </li>
        ))}
      </ul>
    )}
    {outcome.failures.length > 0 && (
      <div className="note warn">
        <p>These records get an empty field. Their values stay in the history.</p>
        <ul>
          {outcome.failures.slice(0, SHOWN).map(({ reason, record_id, value }) => (
            <li key={record_id}>
              {value}: {reason}
            </li>
          ))}
        </ul>
      </div>
    )}
    {outcome.new_options.length > 0 && (
      <p>
        {counted(outcome.new_options.length, "new option")}: {outcome.new_options.slice(0, SHOWN).join(", ")}
        {outcome.new_options.length > SHOWN && " and more"}
      </p>
    )}
  </>
)

interface OutcomeProps {
  readonly conversion: Conversion
  /** The job that tries out the conversion of many records. */
  readonly job: Job | undefined
}
export const Outcome = ({ conversion: { outcome, used_by }, job }: OutcomeProps) => (
  <section aria-label="Preview">
    {outcome !== null && <Values outcome={outcome} />}
    {outcome === null && job !== undefined && (
      <>
        <p>
          {job.progress.done.toLocaleString()} of {job.progress.total.toLocaleString()} records tried out:{" "}
          {counted(job.counts["converted"] ?? 0, "value")} can be converted,{" "}
          {counted(job.counts["unconvertible"] ?? 0, "value")} cannot.
        </p>
        <ul>
          {job.report.slice(0, SHOWN).map(({ id, message }) => (
            <li key={`${id} ${message}`}>
              Record {id}: {message}
            </li>
          ))}
        </ul>
      </>
    )}
    {used_by !== null && (
      <>
        {used_by.views.length > 0 && (
          <p>
            {counted(used_by.views.length, "view")} may lose conditions, groups or cards by it:{" "}
            {used_by.views.map(({ name }) => name).join(", ")}
          </p>
        )}
        {used_by.other_views > 0 && <p>So may {counted(used_by.other_views, "private view")} of others.</p>}
        {used_by.hooks.length > 0 && (
          <p>
            {counted(used_by.hooks.length, "webhook")} filter by it: {used_by.hooks.map(({ host }) => host).join(", ")}
          </p>
        )}
        <AutomationUses
          automations={used_by.automations}
          others={used_by.other_automations}
          outcome="use it, and stop if they cannot use the new type:"
        />
      </>
    )}
  </section>
)
