// Chooses tags: those that automations have are offered by a part of their name, and what is typed as a new one.
import { useState } from "react"
import { tagPicker as texts } from "../../../texts/automations/tags.ts"
import { FindChoices, type FoundChoice } from "../../../ui/FindChoices.tsx"
import { hasTag, TAG_LENGTH } from "./tagChanges.ts"

/** Number of tags that anybody reads through. */
const MOST_OFFERED = 50

interface TagPickerProps {
  readonly id: string
  readonly label: string
  readonly tags: ReadonlyArray<string>
  readonly knownTags: ReadonlyArray<string>
  /** True if what is typed may become a tag. */
  readonly takesNew: boolean
  readonly onChange: (tags: ReadonlyArray<string>) => void
  /** Called with the text that stands in the field and is not chosen yet. */
  readonly onType?: (text: string) => void
}
export const TagPicker = ({ id, knownTags, label, onChange, onType, tags, takesNew }: TagPickerProps) => {
  const [text, setText] = useState("")
  const typedTag = text.trim()
  const part = typedTag.toLowerCase()
  const offered: ReadonlyArray<FoundChoice> = [
    ...knownTags.flatMap((title, index) =>
      !hasTag(tags, title) && title.toLowerCase().includes(part) ? [{ id: index, title }] : []
    ),
    ...(takesNew && typedTag !== "" && typedTag.length <= TAG_LENGTH && !hasTag([...knownTags, ...tags], typedTag)
      ? [{ id: knownTags.length, title: typedTag, detail: texts.newTag }]
      : [])
  ]
  const type = (next: string) => {
    setText(next)
    onType?.(next)
  }
  return (
    <FindChoices
      id={id}
      label={label}
      placeholder={takesNew ? texts.findOrAdd : texts.find}
      chosen={tags.map((title, index) => ({ id: -1 - index, title }))}
      many
      offered={offered.slice(0, MOST_OFFERED)}
      onFind={(next) => next !== undefined && type(next)}
      onChange={(choices) => {
        onChange(choices.map(({ title }) => title))
        type("")
      }}
    />
  )
}
