// Executions of the last day by the hour, how long they took, and what waits.
import { useQuery } from "@tanstack/react-query"
import { type Statistics, statisticsOf } from "../../api/hooks.ts"
import { hookNumbers as texts } from "../../texts/hooks/hooks.ts"
import { HourBars } from "../../ui/HourBars.tsx"
import { Asked } from "../../ui/states.tsx"
import { instantOf, Time, textOf } from "../../ui/Time.tsx"

const HOUR = 3_600_000
/** Every hour of the range, those without executions too. */
const hoursOf = ({ points, since, until }: Statistics) => {
  const pointByHour = new Map(points.map((point) => [instantOf(point.from).getTime(), point]))
  const firstHour = Math.floor(instantOf(since).getTime() / HOUR) * HOUR
  const count = Math.min(72, Math.ceil((instantOf(until).getTime() - firstHour) / HOUR))
  return Array.from({ length: count }, (_, index) => {
    const point = pointByHour.get(firstHour + index * HOUR)
    const executionCount = point?.executions ?? 0
    return {
      from: textOf(new Date(firstHour + index * HOUR)),
      all: executionCount,
      bad: executionCount - (point?.delivered ?? 0)
    }
  })
}

const millis = (value: number | null) => (value === null ? "–" : texts.milliseconds(value))

export const HookNumbers = ({ hookId }: { readonly hookId: number }) => (
  <section className="card" aria-labelledby="numbers">
    <h2 id="numbers">{texts.lastDay}</h2>
    <Asked query={useQuery(statisticsOf(hookId))} failed={texts.loadingTheStatisticsFailed}>
      {(statistics) => {
        const { backlog, total } = statistics
        return (
          <>
            <HourBars
              title={texts.attemptsOfTheLastDay}
              words={{ all: texts.attempts, bad: texts.notDelivered }}
              hours={hoursOf(statistics)}
            />
            <dl className="figures">
              <div>
                <dt>{texts.delivered}</dt>
                <dd>{total.delivered}</dd>
              </div>
              <div>
                <dt>{texts.notDelivered}</dt>
                <dd>{total.executions - total.delivered}</dd>
              </div>
              <div>
                <dt>{texts.medianAnswer}</dt>
                <dd>{millis(total.latency_ms.p50)}</dd>
              </div>
              <div>
                <dt>{texts.answersOf99In100Within}</dt>
                <dd>{millis(total.latency_ms.p99)}</dd>
              </div>
              <div>
                <dt>{texts.waiting}</dt>
                <dd>
                  {backlog.waiting}
                  {backlog.oldest_waiting_on === null ? null : (
                    <small>{texts.sinceTime(<Time full at={backlog.oldest_waiting_on} />)}</small>
                  )}
                </dd>
              </div>
            </dl>
          </>
        )
      }}
    </Asked>
  </section>
)
