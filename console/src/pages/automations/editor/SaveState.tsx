// Shows the result of saving and activating: offers a choice if somebody else has changed the automation meanwhile, and explains a refusal.
import { isApiError } from "@millrace/client"
import { saveState as texts } from "../../../texts/automations/editor.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { Failure } from "../../../ui/states.tsx"
import { Time } from "../../../ui/Time.tsx"
import type { Draft } from "./useDraft.ts"

/** A draft from another visit, to go on with or to drop. */
export const RestoredDraft = ({ draft: { discard, restored, server } }: { readonly draft: Draft }) =>
  restored === undefined ? null : (
    <div className="note">
      <p>
        {texts.youLeftChangesHereTime(
          <Time at={restored.at} />,
          restored.version !== server.version && texts.automationWasSavedBySomebody
        )}
      </p>
      <button type="button" className="quiet small" onClick={discard}>
        {texts.discardThem}
      </button>
    </div>
  )

export const SaveState = ({ draft }: { readonly draft: Draft }) => {
  const { activate, conflict, save, server, takeTheirs, writeOver } = draft
  if (conflict)
    return (
      <Dialog title={texts.somebodyElseHasChangedIt} close={() => save.reset()}>
        <p>{texts.wasSavedBySomebodyElse(server.name)}</p>
        <div className="buttons">
          <button type="button" onClick={() => void takeTheirs()}>
            {texts.takeTheirs}
          </button>
          <button type="button" className="danger" onClick={() => void writeOver()}>
            {texts.saveMineOverIt}
          </button>
        </div>
      </Dialog>
    )
  // Problems are shown at their steps; this note tells only that it was not saved.
  if (isApiError(save.error, "validation", "input_validation"))
    return (
      <p className="note bad" role="alert">
        {texts.itWasNotSavedWhatIsWrong(<strong>{texts.itWasNotSaved}</strong>, draft.isKept && texts.yourDraftIsKept)}
      </p>
    )
  if (save.isError) return <Failure what={texts.itWasNotSaved} error={save.error} />
  if (isApiError(activate.error, "conflict_error"))
    return (
      <p className="note bad" role="alert">
        {texts.itWasNotPublishedWhatIsWrong(<strong>{texts.itWasNotPublished}</strong>)}
      </p>
    )
  return activate.isError ? <Failure what={texts.itsStateWasNotChanged} error={activate.error} /> : null
}
