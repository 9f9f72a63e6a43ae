// Texts of the board.

export const board = {
  open: "Open",
  moveTo: (text: string) => `Move to ${text}`,
  movedTo: (text: string) => `Moved to ${text}.`,
  loadingRecordsFailed: "Loading records failed.",
  leftMoreOfLabel: (left: string, label: string) =>
    `${left} more of ${label} have records and no column. A filter shows them.`,
  arrowsMoveBetweenCardsEnter: "Arrows move between cards, Enter opens one."
} as const

export const boardColumn = {
  loading: "Loading…",
  addTo: (text: string) => `Add to ${text}`,
  recordsIn: (text: string) => `Records in ${text}`,
  firstMostCardsOfRead: (mostCards: string, readTotal: string) =>
    `The first ${mostCards} of ${readTotal}. A filter or the table shows the others.`
} as const
