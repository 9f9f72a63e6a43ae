// Words of the calendar: moves of records between days as they are announced.

export const useCalendar = {
  move: "Move"
} as const

export const useCalendarKeys = {
  arrowsMoveBetweenRecordsEnter:
    "Arrows move between records, Enter opens one. Space picks it up; then the arrows move it by a day or a week, Space drops it, Escape puts it back.",
  onDay: (day: string) => `On ${day}.`,
  droppedOnDay: (day: string) => `Dropped on ${day}.`,
  putBackOnDay: (day: string) => `Put back on ${day}.`,
  titlePickedUpFromDay: (title: string, day: string) => `${title} picked up from ${day}.`
} as const
