// Moments in an exported file: a day as it is, a time as the reader's clocks show it, with its zone.
import { isTimed, parseMoment } from "../../../../../src/domain/records/fields/input/moments.ts"

const two = (part: string | number) => String(part).padStart(2, "0")

const offsetText = (minutes: number) => {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** A kept moment as a file says it: a day as it is, a time as the reader's clocks show it, with its zone. */
export const momentText = (moment: string): string => {
  if (!isTimed(moment)) return moment
  const momentDate = new Date(`${moment.replace(" ", "T")}Z`)
  const local = `${String(momentDate.getFullYear()).padStart(4, "0")}-${two(momentDate.getMonth() + 1)}-${two(momentDate.getDate())}`
  const text = `${local}T${two(momentDate.getHours())}:${two(momentDate.getMinutes())}:${two(momentDate.getSeconds())}${offsetText(-momentDate.getTimezoneOffset())}`
  // Offsets of long ago have seconds, which nobody writes.
  return parseMoment(text) === moment ? text : `${moment.replace(" ", "T")}Z`
}
