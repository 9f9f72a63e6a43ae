// Texts of the console: tags of automations.
import { plural } from "../../../../src/platform/text/plural.ts"

export const tagPicker = {
  newTag: "New tag",
  findOrAdd: "Find or add a tag",
  find: "Find a tag"
} as const

export const tagsDialog = {
  tagsOf: (count: number, name: string) =>
    plural(count, { one: `Tags of ${name}`, other: `Tags of ${count} automations` }),
  tags: "Tags",
  add: "Add",
  remove: "Remove",
  upToTwenty: "Up to 20 tags of 50 characters. Upper and lower case are the same.",
  save: "Save",
  cancel: "Cancel"
} as const

export const tagLinks = {
  tags: "Tags",
  onlyThoseWith: (tag: string) => `Show automations with ${tag}`,
  andMore: (tags: string) => `and ${tags}`
} as const

export const tagsOfOne = {
  addTags: "Add tags",
  editTags: "Edit tags"
} as const
