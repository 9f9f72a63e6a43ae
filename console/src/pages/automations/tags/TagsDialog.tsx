// Changes the tags of one automation, which are shown as they are, or of several: what all of them get, and what all of them lose.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { tagsDialog as texts } from "../../../texts/automations/tags.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import type { Automation } from "../automationRows.ts"
import { TagPicker } from "./TagPicker.tsx"
import { changeBetween, isEmptyChange, type TagChange, tagsOfAll, withTypedTag } from "./tagChanges.ts"
import { automationTags } from "./tagQueries.ts"

interface TagsDialogProps {
  readonly automations: ReadonlyArray<Pick<Automation, "name" | "tags">>
  readonly save: (change: TagChange) => void
  readonly close: () => void
}
export const TagsDialog = ({ automations, close, save }: TagsDialogProps) => {
  const knownTags = useQuery(automationTags).data ?? []
  const presentTags = tagsOfAll(automations)
  const isOne = automations.length === 1
  const [chosenTags, setChosenTags] = useState<ReadonlyArray<string>>(isOne ? presentTags : [])
  const [typedTag, setTypedTag] = useState("")
  const [removedTags, setRemovedTags] = useState<ReadonlyArray<string>>([])
  return (
    <Dialog title={texts.tagsOf(automations.length, automations[0]!.name)} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const tags = withTypedTag(chosenTags, typedTag, knownTags)
          const change = isOne ? changeBetween(presentTags, tags) : { add: tags, remove: removedTags }
          close()
          if (!isEmptyChange(change)) save(change)
        }}
      >
        <div className="field">
          <label htmlFor="tags-chosen">{isOne ? texts.tags : texts.add}</label>
          <TagPicker
            id="tags-chosen"
            label={isOne ? texts.tags : texts.add}
            tags={chosenTags}
            knownTags={knownTags}
            takesNew
            onChange={setChosenTags}
            onType={setTypedTag}
          />
          <small>{texts.upToTwenty}</small>
        </div>
        {!isOne && presentTags.length > 0 && (
          <div className="field">
            <label htmlFor="tags-removed">{texts.remove}</label>
            <TagPicker
              id="tags-removed"
              label={texts.remove}
              tags={removedTags}
              knownTags={presentTags}
              takesNew={false}
              onChange={setRemovedTags}
            />
          </div>
        )}
        <div className="buttons">
          <button type="submit">{texts.save}</button>
          <button type="button" className="quiet" data-cancel onClick={close}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
