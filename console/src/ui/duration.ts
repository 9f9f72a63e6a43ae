// Formats a duration in words.
import { duration as texts } from "../texts/ui/uiWords.ts"

/** `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export const duration = (millis: number): string => {
  if (millis < 1_000) return texts.milliseconds(Math.round(millis))
  if (millis < 60_000) return texts.seconds((millis / 1000).toFixed(1))
  const minutes = Math.floor(millis / 60_000)
  if (minutes < 60) return texts.minutesAndSeconds(minutes, Math.floor((millis % 60_000) / 1000))
  const hours = Math.floor(minutes / 60)
  return hours < 48
    ? texts.hoursAndMinutes(hours, minutes % 60)
    : texts.daysAndHours(Math.floor(hours / 24), hours % 24)
}
