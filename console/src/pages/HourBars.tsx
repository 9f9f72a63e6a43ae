// Runs of the last day by the hour: a bar for each, its failed part below in red; the numbers beside it as a table for who cannot see bars.
import type { AnswerOf } from "@millrace/client"
import { instantOf } from "../ui/Time.tsx"

type Hour = AnswerOf<"home.summary">["hours"][number]

const HEIGHT = 96
const STEP = 20

const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" })
const allOf = ({ runs }: Hour) => runs.completed + runs.failed + runs.cancelled + runs.open

export const HourBars = ({ hours }: { readonly hours: ReadonlyArray<Hour> }) => {
  const most = Math.max(1, ...hours.map(allOf))
  const high = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT))
  return (
    <section className="card" aria-labelledby="hours">
      <h2 id="hours">Runs of the last day, by the hour</h2>
      <svg className="hours" viewBox={`0 0 ${Math.max(1, hours.length) * STEP} ${HEIGHT}`} aria-hidden="true">
        {hours.map((hour, at) => {
          const failed = high(hour.runs.failed)
          const all = Math.max(failed, high(allOf(hour)))
          return (
            <g key={hour.from}>
              <rect className="bar-all" x={at * STEP + 2} y={HEIGHT - all} width={STEP - 4} height={all} />
              <rect className="bar-failed" x={at * STEP + 2} y={HEIGHT - failed} width={STEP - 4} height={failed} />
            </g>
          )
        })}
      </svg>
      <details>
        <summary>As numbers</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Runs</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {hours.map((hour) => (
              <tr key={hour.from}>
                <th scope="row">{clock.format(instantOf(hour.from))}</th>
                <td>{allOf(hour)}</td>
                <td>{hour.runs.failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
