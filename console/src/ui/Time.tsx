// Times in the reader's zone and language, with the exact one on hover.

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" })
const short = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })
const near = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" })

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60]
] as const

/** Within a week as a distance, beyond it as a date. */
const told = (date: Date): string => {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000)
  if (Math.abs(seconds) > 7 * 86_400) return short.format(date)
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return near.format(Math.trunc(seconds / length), unit)
  return near.format(seconds, "second")
}

interface TimeProps {
  readonly at: string
  /** As a date with its time, however near. */
  readonly full?: boolean
}
export const Time = ({ at, full = false }: TimeProps) => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <>{at}</>
  return (
    <time dateTime={date.toISOString()} title={exact.format(date)}>
      {full ? short.format(date) : told(date)}
    </time>
  )
}

/** `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export const duration = (millis: number): string => {
  if (millis < 1_000) return `${Math.round(millis)} ms`
  if (millis < 60_000) return `${(millis / 1000).toFixed(1)} s`
  const minutes = Math.floor(millis / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((millis % 60_000) / 1000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`
}
