// Words of the board: columns, and moves of cards as they are announced.

export const boardColumns = {
  noLabel: (label: string) => `No ${label}`
} as const

export const useBoard = {
  move: "Move"
} as const

export const useBoardKeys = {
  arrowsMoveBetweenCardsEnter:
    "Arrows move between cards, Enter opens one. Space picks it up; then the arrows choose a column, Space drops it, Escape puts it back.",
  titlePickedUpFrom: (title: string, text: string) => `${title} picked up from ${text}.`,
  over: (text: string) => `Over ${text}.`,
  droppedIn: (text: string) => `Dropped in ${text}.`,
  putBackInto: (text: string) => `Put back into ${text}.`
} as const
