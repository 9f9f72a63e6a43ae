// Slugs of names: lower case, every run of other characters becomes one dash.
import { normalForm } from "./normalForm.ts"

export const slugOf = (name: string, separator = "-"): string => {
  const lowerCaseText = normalForm(name, "NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
  const words = lowerCaseText.split(/[^a-z0-9]+/).filter((word) => word !== "")
  return words.length === 0 ? "untitled" : words.join(separator)
}
