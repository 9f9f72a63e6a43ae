// A day by the hour: a bar for each, what went wrong below in red; the numbers beside it as a table for who cannot see bars.
import { instantOf } from "./Time.tsx"

export interface HourCounts {
  /** As the API writes an instant. */
  readonly from: string
  readonly all: number
  /** Of all of them. */
  readonly bad: number
}

interface HourBarsProps {
  /** What is counted, and what of it is bad. */
  readonly words: { readonly all: string; readonly bad: string }
  readonly hours: ReadonlyArray<HourCounts>
}

const HEIGHT = 96
const STEP = 20

const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" })

export const HourBars = ({ words, hours }: HourBarsProps) => {
  const most = Math.max(1, ...hours.map(({ all }) => all))
  const high = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT))
  return (
    <>
      <svg
        className="hours"
        viewBox={`0 0 ${Math.max(1, hours.length) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {hours.map(({ all, bad, from }, at) => (
          <g key={from}>
            <rect className="bar-none" x={at * STEP + 2} y={0} width={STEP - 4} height={HEIGHT} />
            <rect className="bar-all" x={at * STEP + 2} y={HEIGHT - high(all)} width={STEP - 4} height={high(all)} />
            <rect className="bar-failed" x={at * STEP + 2} y={HEIGHT - high(bad)} width={STEP - 4} height={high(bad)} />
          </g>
        ))}
      </svg>
      <details>
        <summary>As numbers</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">{words.all}</th>
              <th scope="col">{words.bad}</th>
            </tr>
          </thead>
          <tbody>
            {hours.map(({ all, bad, from }) => (
              <tr key={from}>
                <th scope="row">{clock.format(instantOf(from))}</th>
                <td>{all}</td>
                <td>{bad}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
