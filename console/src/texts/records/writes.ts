// Texts of writes that did not go through, or met with the change of somebody else.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const bothValues = {
  empty: "empty",
  byChangedPlaceWhile: (by: string, place: string) => `${by} changed ${place} while you edited it.`,
  theirs: "Theirs",
  yours: "Yours"
} as const

export const writeNotes = {
  labelOfRecordTitle: (label: string, recordTitle: string) => `${label} of ${recordTitle}`,
  reasonEditTheCell: (strong: ReactNode, reason: string) => nodes`${strong} ${reason} Edit the cell to correct it.`,
  cellNameWasNotSaved: (cellName: string) => `${cellName} was not saved.`,
  tryAgain: "Try again",
  discard: "Discard",
  keepTheirs: "Keep theirs",
  saveMine: "Save mine",
  cellsThatWereNotSaved: "Cells that were not saved",
  remainingMoreCells: (remaining: number) => `${remaining} more cells were not saved.`,
  discardAllOfMine: "Discard all of mine",
  saveAllOfMine: "Save all of mine"
} as const
