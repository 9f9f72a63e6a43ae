// Tags of automations as a person changes them (developer-api.md 7.13): what is added and what is taken away, of one automation or several.
// The service decides which tags are the same; here the case of letters is what is looked at.

export interface TagChange {
  readonly add: ReadonlyArray<string>
  readonly remove: ReadonlyArray<string>
}

export const TAG_LENGTH = 50

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
export const hasTag = (tags: ReadonlyArray<string>, tag: string) => tags.some((one) => isSame(one, tag))
const without = (tags: ReadonlyArray<string>, removed: ReadonlyArray<string>) =>
  tags.filter((tag) => !hasTag(removed, tag))

export const changedTags = (tags: ReadonlyArray<string>, { add, remove }: TagChange): ReadonlyArray<string> => {
  const keptTags = without(tags, remove)
  return [...keptTags, ...without(add, keptTags)]
}

export const changeBetween = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): TagChange => ({
  add: without(after, before),
  remove: without(before, after)
})

export const isEmptyChange = ({ add, remove }: TagChange) => add.length + remove.length === 0

/** The tags with one that was typed and not chosen, in the spelling that others have. */
export const withTypedTag = (tags: ReadonlyArray<string>, text: string, knownTags: ReadonlyArray<string>) => {
  const tag = text.trim()
  if (tag === "" || tag.length > TAG_LENGTH || hasTag(tags, tag)) return tags
  return [...tags, knownTags.find((one) => isSame(one, tag)) ?? tag]
}

/** All tags of several automations, each once. */
export const tagsOfAll = (automations: ReadonlyArray<{ readonly tags?: ReadonlyArray<string> }>) => [
  ...new Map(automations.flatMap(({ tags = [] }) => tags.map((tag) => [tag.toLowerCase(), tag]))).values()
]
