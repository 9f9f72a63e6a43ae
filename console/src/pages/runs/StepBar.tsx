// A step's place in the time of its run: a bar for what it took, a thinner one for the wait before it.

import { stepBar as texts } from "../../texts/runs/run.ts"
import { duration } from "../../ui/duration.ts"
import type { StepTime } from "./timeline.ts"

/** Least width in hundredths of the timeline: a step of milliseconds in a run of days is seen. */
const LEAST = 0.8

interface StepBarProps {
  readonly time: StepTime
  readonly length: number
  readonly tone: string
}
export const StepBar = ({ length, time: { begin, took, waited }, tone }: StepBarProps) => {
  const scale = length === 0 ? 0 : 100 / length
  const width = Math.max(LEAST, took * scale)
  const x = Math.min(begin * scale, 100 - width)
  const words = texts.beganAfterDurationTookDuration(
    duration(begin),
    duration(took),
    waited > 0 ? texts.afterAWaitOfDuration(duration(waited)) : ""
  )
  return (
    <svg
      className="step-bar"
      data-tone={tone}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <rect className="whole" x="0" y="3.5" width="100" height="1" />
      {waited > 0 && <rect className="wait" x={(begin - waited) * scale} y="2.5" width={waited * scale} height="3" />}
      <rect className="work" x={x} y="0" width={width} height="8" rx="0.5" />
    </svg>
  )
}
