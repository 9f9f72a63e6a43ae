// Times in the reader's zone and language, with the exact one on hover.
import { time as texts } from "../texts/ui/ui.ts"

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" })
const exactToSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })
const short = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })
const near = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" })

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60]
] as const

/** Formats a time within a week as a distance, beyond it as a date. */
const formatTime = (date: Date): string => {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000)
  if (Math.abs(seconds) > 7 * 86_400) return short.format(date)
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return near.format(Math.trunc(seconds / length), unit)
  return near.format(seconds, "second")
}

/** The API writes an instant in UTC, without saying so: `2026-04-01 09:30:00`. */
export const instantOf = (text: string): Date =>
  new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(" ", "T")}Z` : text)

/** Formats an instant as the API takes it. */
export const textOf = (instant: Date): string => instant.toISOString().slice(0, 19).replace("T", " ")

interface TimeProps {
  readonly at: string
  /** Shows the date and time, however near. */
  readonly full?: boolean
  /** Shows the date and time to the second, for what follows close upon another. */
  readonly seconds?: boolean
}
export const Time = ({ at, full = false, seconds = false }: TimeProps) => {
  const date = instantOf(at)
  if (Number.isNaN(date.getTime())) return <>{at}</>
  return (
    <time dateTime={date.toISOString()} title={exact.format(date)}>
      {seconds ? exactToSeconds.format(date) : full ? short.format(date) : formatTime(date)}
    </time>
  )
}

/** Tells when something was last used, if ever. */
export const LastUsed = ({ at }: { readonly at: string | null }) =>
  at === null ? texts.neverUsed : texts.lastUsedTime(<Time at={at} />)
