// Slugs of names: lower case, every run of other characters becomes one dash.

export const slugOf = (name: string, separator = "-"): string => {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
  const slug = plain.replace(/[^a-z0-9]+/g, separator)
  const trimmed = slug.replace(new RegExp(`^${separator}+|${separator}+$`, "g"), "")
  return trimmed === "" ? "untitled" : trimmed
}
