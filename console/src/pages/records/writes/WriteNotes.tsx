// Edited cells that wait for their author, told on every page: refused with the reason, or changed by somebody else with both values.

import { writeNotes as texts } from "../../../texts/records/writes.ts"
import { BothValues } from "./BothValues.tsx"
import type { CellWrite } from "./CellWrite.ts"
import { discardWrites, overwrite, retryWrite } from "./writeQueue.ts"
import { useWrites } from "./writeStore.ts"

/** More are told in a number. */
const MOST = 3

const Note = ({ write }: { readonly write: CellWrite }) => {
  const { field, recordTitle, shown = [], state } = write
  const cellName = texts.labelOfRecordTitle(field.label, recordTitle)
  const act = (label: string, onPress: (write: CellWrite) => void, quiet = true) => (
    <button
      type="button"
      className={quiet ? "quiet small" : "small"}
      aria-label={`${label}: ${cellName}`}
      onClick={() => onPress(write)}
    >
      {label}
    </button>
  )
  if (state.kind === "refused")
    return (
      <li className="note bad">
        <p>{texts.reasonEditTheCell(<strong>{texts.cellNameWasNotSaved(cellName)}</strong>, state.reason)}</p>
        <div className="buttons">
          {act(texts.tryAgain, retryWrite)}
          {act(texts.discard, discardWrites)}
        </div>
      </li>
    )
  if (state.kind !== "conflict") return null
  return (
    <li className="note warn">
      <BothValues by={state.by} place={cellName} field={field} theirs={state.theirs} yours={shown} />
      <div className="buttons">
        {act(texts.keepTheirs, discardWrites)}
        {act(texts.saveMine, overwrite, false)}
      </div>
    </li>
  )
}

export const WriteNotes = () => {
  const unsettled = useWrites().filter(({ state }) => state.kind !== "waiting")
  const remaining = unsettled.length - MOST
  return (
    <div className="write-notes" aria-live="polite">
      {unsettled.length > 0 && (
        <ul className="plain" aria-label={texts.cellsThatWereNotSaved}>
          {unsettled.slice(0, MOST).map((write) => (
            <Note key={write.id} write={write} />
          ))}
          {remaining > 0 && (
            <li className="note">
              <p>{texts.remainingMoreCells(remaining)}</p>
              <div className="buttons">
                <button type="button" className="quiet small" onClick={() => discardWrites(...unsettled)}>
                  {texts.discardAllOfMine}
                </button>
                {unsettled.some(({ state }) => state.kind === "conflict") && (
                  <button type="button" className="small" onClick={() => overwrite(...unsettled)}>
                    {texts.saveAllOfMine}
                  </button>
                )}
              </div>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
