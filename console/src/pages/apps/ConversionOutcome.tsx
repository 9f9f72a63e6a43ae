// Preview of a conversion (developer-api.md 11.4): how many values convert, the first that do not, and what uses the field.
import type { AnswerOf } from "@millrace/client"
import { conversionOutcome as texts } from "../../texts/apps/fields.ts"
import { AutomationUses } from "./uses.tsx"

type Conversion = AnswerOf<"apps.convertField">
type Job = AnswerOf<"jobs.get">

/** Values that are shown of each kind. */
const SHOWN = 5

const Values = ({ outcome }: { readonly outcome: NonNullable<Conversion["outcome"]> }) => (
  <>
    <p>
      {texts.valuesCanBeConverted(
        outcome.converted,
        outcome.unconvertible > 0 && texts.valuesCannot(outcome.unconvertible)
      )}
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
        <p>{texts.theseRecordsGetAnEmpty}</p>
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
        {texts.newOptions(outcome.new_options.length)}: {outcome.new_options.slice(0, SHOWN).join(", ")}
        {outcome.new_options.length > SHOWN && texts.andMore}
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
  <section aria-label={texts.preview}>
    {outcome !== null && <Values outcome={outcome} />}
    {outcome === null && job !== undefined && (
      <>
        <p>
          {texts.doneOfTotalRecordsTried(
            job.progress.done.toLocaleString(),
            job.progress.total.toLocaleString(),
            job.counts["converted"] ?? 0,
            job.counts["unconvertible"] ?? 0
          )}
        </p>
        <ul>
          {job.report.slice(0, SHOWN).map(({ id, message }) => (
            <li key={`${id} ${message}`}>{texts.recordIdMessage(id, message)}</li>
          ))}
        </ul>
      </>
    )}
    {used_by !== null && (
      <>
        {used_by.views.length > 0 && (
          <p>
            {texts.viewsMayLoseConditionsGroups(used_by.views.length, used_by.views.map(({ name }) => name).join(", "))}
          </p>
        )}
        {used_by.other_views > 0 && <p>{texts.soMayPrivateViews(used_by.other_views)}</p>}
        {used_by.hooks.length > 0 && (
          <p>{texts.webhooksFilterByItHooks(used_by.hooks.length, used_by.hooks.map(({ host }) => host).join(", "))}</p>
        )}
        <AutomationUses
          automations={used_by.automations}
          others={used_by.other_automations}
          outcome={texts.useItAndStop}
        />
      </>
    )}
  </section>
)
