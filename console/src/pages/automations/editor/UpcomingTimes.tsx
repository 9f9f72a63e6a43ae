// When the schedule that is being written would come due next, as the service works it out; before anything is saved.
import { isApiError } from "@millrace/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { client } from "../../../api/client.ts"
import { upcomingTimes as texts } from "../../../texts/automations/editor.ts"

interface UpcomingTimesProps {
  readonly config: Readonly<Record<string, unknown>>
  readonly timezone: string
}

const FRESH = 60_000

export const UpcomingTimes = ({ config, timezone }: UpcomingTimesProps) => {
  const { data, error } = useQuery({
    queryKey: ["schedule", config, timezone],
    queryFn: ({ signal }) => client.automations.previewSchedule({ body: { config, timezone } }, { signal }),
    staleTime: FRESH,
    placeholderData: keepPreviousData
  })
  if (error !== null) return <p className="muted">{isApiError(error) ? error.message : texts.nextTimesAreNotKnown}</p>
  if (data === undefined) return null
  if (data.never_due !== null) return <p className="note">{data.never_due}</p>
  return (
    <section aria-label={texts.nextTimes}>
      <h3>{texts.nextTimesTimezone(data.timezone)}</h3>
      <ol>
        {data.instants.map(({ local, utc }) => (
          <li key={utc}>
            <time dateTime={`${utc.replace(" ", "T")}Z`}>{local}</time>
          </li>
        ))}
      </ol>
    </section>
  )
}
