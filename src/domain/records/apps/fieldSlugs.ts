// Slug of a new field (developer-api.md 3.1): from its first label, with the suffix `_2`, `_3` if it is taken. It never changes afterwards.
import { slugOf } from "../../../platform/text/slug.ts"

/** @param takenSlugs slugs of the other fields of the app */
export const newFieldSlug = (label: string, takenSlugs: ReadonlySet<string>): string => {
  const slug = slugOf(label, "_")
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? slug : `${slug}_${n}`
    if (!takenSlugs.has(candidate)) return candidate
  }
}
