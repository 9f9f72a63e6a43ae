// A day by the hour: a bar for each, what went wrong below in red. The hour that the mouse or the arrow keys are at is told below, and to a
// screen reader as the value of a slider; all of the numbers as a table.
import { type KeyboardEvent, type PointerEvent, useState } from "react"
import { hourBars as texts } from "../texts/ui/ui.ts"
import { instantOf } from "./Time.tsx"

interface HourCounts {
  /** Start of the hour, as the API writes an instant. */
  readonly from: string
  readonly all: number
  /** Number of bad ones among all. */
  readonly bad: number
}

interface HourBarsProps {
  readonly title: string
  /** Words for what is counted and, if there can be any, for the bad ones. */
  readonly words: { readonly all: string; readonly bad?: string }
  readonly hours: ReadonlyArray<HourCounts>
}

const HEIGHT = 96
const STEP = 20
/** Height of an hour without any: a line at the foot. */
const EMPTY = 2
/** Hours between two that stand below the bars. */
const NAMED = 6

const format = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" })
const clock = (from: string) => format.format(instantOf(from))

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowRight: (at, last) => Math.min(last, at + 1),
  Home: () => 0,
  End: (_, last) => last
}

const Bars = ({ at, hours }: Pick<HourBarsProps, "hours"> & { readonly at: number | undefined }) => {
  const most = Math.max(1, ...hours.map(({ all }) => all))
  const high = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT))
  const bar = (name: string, index: number, height: number) => (
    <rect className={name} x={index * STEP + 2} y={HEIGHT - height} width={STEP - 4} height={height} />
  )
  return (
    <>
      <span className="hours-most">{hours.some(({ all }) => all > 0) ? most.toLocaleString() : ""}</span>
      <svg viewBox={`0 0 ${Math.max(1, hours.length) * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {hours.map(({ all, bad, from }, index) => (
          <g key={from}>
            {bar("bar-none", index, index === at ? HEIGHT : EMPTY)}
            {bar("bar-all", index, high(all))}
            {bar("bar-failed", index, high(bad))}
          </g>
        ))}
      </svg>
      <span className="hours-none">0</span>
      <div className="hours-named" aria-hidden="true">
        {hours.flatMap(({ from }, index) => (index % NAMED === 0 ? [<span key={from}>{clock(from)}</span>] : []))}
      </div>
    </>
  )
}

const Numbers = ({ hours, words }: Pick<HourBarsProps, "hours" | "words">) => (
  <details>
    <summary>{texts.asNumbers}</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.from}</th>
          <th scope="col">{words.all}</th>
          <th scope="col">{words.bad}</th>
        </tr>
      </thead>
      <tbody>
        {hours.map(({ all, bad, from }) => (
          <tr key={from}>
            <th scope="row">{clock(from)}</th>
            <td>{all}</td>
            {words.bad !== undefined && <td>{bad}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)

export const HourBars = ({ hours, title, words }: HourBarsProps) => {
  const [at, setAt] = useState<number>()
  const lastIndex = hours.length - 1
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    setAt(step(at ?? lastIndex + 1, lastIndex))
  }
  const onPointer = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.querySelector("svg")!.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * hours.length)
    setAt(Math.max(0, Math.min(lastIndex, index)))
  }
  const hour = at === undefined ? undefined : hours[at]
  const hourText =
    hour === undefined
      ? texts.pointAtAnHour
      : `${clock(hour.from)}: ${[
          `${words.all} ${hour.all.toLocaleString()}`,
          ...(words.bad === undefined ? [] : [`${words.bad} ${hour.bad.toLocaleString()}`])
        ].join(", ")}`
  return (
    <>
      <div
        className="hours"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, lastIndex)}
        aria-valuenow={at ?? Math.max(0, lastIndex)}
        aria-valuetext={hourText}
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
      >
        <Bars at={at} hours={hours} />
      </div>
      <p className="muted hour-told" aria-hidden="true">
        {hourText}
      </p>
      <Numbers hours={hours} words={words} />
    </>
  )
}
