// Shows the result of saving and activating: offers a choice if somebody else has changed the automation meanwhile, and explains a refusal.
import { isApiError } from "@millrace/client"
import { Dialog } from "../../../ui/Dialog.tsx"
import { Failure } from "../../../ui/states.tsx"
import { Time } from "../../../ui/Time.tsx"
import type { Draft } from "./useDraft.ts"

/** A draft from another visit, to go on with or to drop. */
export const RestoredDraft = ({ draft: { discard, restored, server } }: { readonly draft: Draft }) =>
  restored === undefined ? null : (
    <div className="note">
      <p>
        You left changes here <Time at={restored.at} /> that were not saved.
        {restored.version !== server.version && " The automation was saved by somebody since."}
      </p>
      <button type="button" className="quiet small" onClick={discard}>
        Discard them
      </button>
    </div>
  )

export const SaveState = ({ draft }: { readonly draft: Draft }) => {
  const { activate, conflict, save, server, takeTheirs, writeOver } = draft
  if (conflict)
    return (
      <Dialog title="Somebody else has changed it" close={() => save.reset()}>
        <p>
          {server.name} was saved by somebody else since you have opened it. Nothing of yours was saved. Each save stays
          among the revisions.
        </p>
        <div className="buttons">
          <button type="button" onClick={() => void takeTheirs()}>
            Take theirs
          </button>
          <button type="button" className="danger" onClick={() => void writeOver()}>
            Save mine over it
          </button>
        </div>
      </Dialog>
    )
  // Problems are shown at their steps; this note tells only that it was not saved.
  if (isApiError(save.error, "validation", "input_validation"))
    return (
      <p className="note bad" role="alert">
        <strong>It was not saved.</strong> What is wrong is marked in the flow.
        {draft.isKept && " Your draft is kept in this browser."}
      </p>
    )
  if (save.isError) return <Failure what="It was not saved." error={save.error} />
  if (isApiError(activate.error, "conflict_error"))
    return (
      <p className="note bad" role="alert">
        <strong>It was not published.</strong> What is wrong is marked in the flow.
      </p>
    )
  return activate.isError ? <Failure what="Its state was not changed." error={activate.error} /> : null
}
