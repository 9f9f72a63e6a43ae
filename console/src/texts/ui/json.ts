// Texts of the tree and the text of a JSON value.
import { plural } from "../../../../src/platform/text/plural.ts"

export const jsonTree = {
  object: "object",
  countItems: (count: number) => plural(count, { one: `${count} item`, other: `${count} items` }),
  countValues: (count: number) => plural(count, { one: `${count} value`, other: `${count} values` }),
  empty: "empty",
  list: "list",
  yesOrNo: "yes or no",
  showAllCountCharacters: (count: string) => `Show all ${count} characters`,
  showMoreRestLeft: (rest: string) => `Show more (${rest} left)`
} as const

export const jsonView = {
  nothingInItMatches: "Nothing in it matches.",
  totalMatches: (total: number) => plural(total, { one: `${total} match`, other: `${total} matches` }),
  firstCountOfTotalMatches: (count: number, total: string) => `The first ${count} of ${total} matches`,
  search: (name: string) => `Search ${name}`,
  searchNamesAndValues: "Search names and values",
  copyJsonOf: (name: string) => `Copy JSON of ${name}`,
  copyJson: "Copy JSON",
  copied: "Copied.",
  browserDidNotLet: "The browser did not let it be copied."
} as const
