// Executions of the last day by the hour, how long they took, and what waits.
import { useQuery } from "@tanstack/react-query"
import { type Statistics, statisticsOf } from "../../api/hooks.ts"
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

const millis = (value: number | null) => (value === null ? "–" : `${value} ms`)

export const HookNumbers = ({ hookId }: { readonly hookId: number }) => (
  <section className="card" aria-labelledby="numbers">
    <h2 id="numbers">The last day</h2>
    <Asked query={useQuery(statisticsOf(hookId))} what="the numbers">
      {(statistics) => {
        const { backlog, total } = statistics
        return (
          <>
            <HourBars
              title="Attempts of the last day by the hour"
              words={{ all: "Attempts", bad: "Not delivered" }}
              hours={hoursOf(statistics)}
            />
            <dl className="figures">
              <div>
                <dt>Delivered</dt>
                <dd>{total.delivered}</dd>
              </div>
              <div>
                <dt>Not delivered</dt>
                <dd>{total.executions - total.delivered}</dd>
              </div>
              <div>
                <dt>Median answer</dt>
                <dd>{millis(total.latency_ms.p50)}</dd>
              </div>
              <div>
                <dt>99 of 100 answer within</dt>
                <dd>{millis(total.latency_ms.p99)}</dd>
              </div>
              <div>
                <dt>Waiting</dt>
                <dd>
                  {backlog.waiting}
                  {backlog.oldest_waiting_on === null ? null : (
                    <small>
                      since <Time full at={backlog.oldest_waiting_on} />
                    </small>
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
