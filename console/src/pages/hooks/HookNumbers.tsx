// Executions of the last day by the hour, how long they took, and what waits.
import { useQuery } from "@tanstack/react-query"
import { type Statistics, statisticsOf } from "../../api/hooks.ts"
import { Asked } from "../../ui/states.tsx"
import { instantOf, Time } from "../../ui/Time.tsx"

const HOUR = 3_600_000
const HEIGHT = 80
const WIDTH = 10
const GAP = 2

const hour = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" })

/** Every hour of the range, those without executions too. */
const hoursOf = ({ points, since, until }: Statistics) => {
  const at = new Map(points.map((point) => [instantOf(point.from).getTime(), point]))
  const first = Math.floor(instantOf(since).getTime() / HOUR) * HOUR
  const count = Math.min(72, Math.ceil((instantOf(until).getTime() - first) / HOUR))
  return Array.from({ length: count }, (_, index) => {
    const point = at.get(first + index * HOUR)
    const good = point?.delivered ?? 0
    return { from: first + index * HOUR, good, bad: (point?.executions ?? 0) - good }
  })
}

const Bars = ({ statistics }: { readonly statistics: Statistics }) => {
  const hours = hoursOf(statistics)
  const most = Math.max(1, ...hours.map(({ bad, good }) => good + bad))
  const { delivered, executions } = statistics.total
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${hours.length * (WIDTH + GAP)} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${executions} executions, ${delivered} of them delivered, by the hour`}
    >
      {hours.map(({ bad, from, good }, index) => (
        <g key={from}>
          <title>{`${hour.format(from)}: ${good} delivered, ${bad} not`}</title>
          <rect className="all" x={index * (WIDTH + GAP)} y={0} width={WIDTH} height={HEIGHT} />
          <rect
            className="delivered"
            x={index * (WIDTH + GAP)}
            y={HEIGHT * (1 - good / most)}
            width={WIDTH}
            height={(HEIGHT * good) / most}
          />
          <rect
            className="undelivered"
            x={index * (WIDTH + GAP)}
            y={HEIGHT * (1 - (good + bad) / most)}
            width={WIDTH}
            height={(HEIGHT * bad) / most}
          />
        </g>
      ))}
    </svg>
  )
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
            <Bars statistics={statistics} />
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
