// The tags of one automation with a button that changes them, at once: they are no part of its draft.
import { useState } from "react"
import { tagsOfOne as texts } from "../../../texts/automations/tags.ts"
import type { Automation } from "../automationRows.ts"
import { useAutomationActions } from "../useAutomationActions.tsx"
import { TagLinks } from "./TagLinks.tsx"
import { TagsDialog } from "./TagsDialog.tsx"

interface TagsOfOneProps {
  readonly automation: Automation
}
export const TagsOfOne = ({ automation }: TagsOfOneProps) => {
  const { isBusy, report, tag } = useAutomationActions()
  const [isOpen, setOpen] = useState(false)
  const { tags = [] } = automation
  return (
    <div className="tags-of-one">
      <TagLinks tags={tags} />
      <button type="button" className="quiet small" disabled={isBusy} onClick={() => setOpen(true)}>
        {tags.length === 0 ? texts.addTags : texts.editTags}
      </button>
      {report}
      {isOpen && (
        <TagsDialog
          automations={[automation]}
          save={(change) => tag(change, [automation])}
          close={() => setOpen(false)}
        />
      )}
    </div>
  )
}
