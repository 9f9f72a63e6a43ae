// Texts of the calendar.

export const calendar = {
  open: "Open",
  moveToADay: "Move to a day…",
  loadingRecordsFailed: "Loading records failed.",
  firstMostRecordsOfTotal: (mostRecords: string, total: string) =>
    `The first ${mostRecords} of ${total} records of these days are shown. A filter narrows them.`,
  calendar: "Calendar",
  arrowsMoveBetweenRecordsEnter: "Arrows move between records, Enter opens one."
} as const

export const calendarHead = {
  today: "Today",
  previousUnit: (unit: string) => `Previous ${unit}`,
  nextUnit: (unit: string) => `Next ${unit}`,
  show: "Show",
  month: "Month",
  week: "Week"
} as const

export const calendarWeek = {
  dayToDay: (firstDay: string, lastDay: string) => `, ${firstDay} to ${lastDay}`,
  addOnDay: (day: string) => `Add on ${day}`,
  hiddenCountMoreOnDay: (hiddenCount: number, day: string) => `${hiddenCount} more on ${day}`,
  more: "more"
} as const

export const moveDialog = {
  moveTitle: (title: string) => `Move ${title}`,
  day: "Day",
  timeOfDayStays: "The time of day stays; a span keeps its length.",
  move: "Move"
} as const
