// The tags of an automation as chips, each a link to the automations that have it.
import { Link } from "@tanstack/react-router"
import { tagLinks as texts } from "../../../texts/automations/tags.ts"
import type { AutomationsSearch } from "../AutomationsPage.tsx"
import "./tags.css"

interface TagLinksProps {
  readonly tags: ReadonlyArray<string>
  /** Filters that a link keeps. */
  readonly search?: AutomationsSearch
  /** Number of tags that are shown; the others are counted. */
  readonly most?: number
}
export const TagLinks = ({ most = Number.POSITIVE_INFINITY, search = {}, tags }: TagLinksProps) => {
  if (tags.length === 0) return null
  const hiddenTags = tags.slice(most)
  return (
    <ul className="tag-links" aria-label={texts.tags}>
      {tags.slice(0, most).map((tag) => (
        <li key={tag}>
          <Link to="/automations" search={{ ...search, tag }} title={texts.onlyThoseWith(tag)}>
            {tag}
          </Link>
        </li>
      ))}
      {hiddenTags.length > 0 && (
        <li className="more-tags" title={hiddenTags.join(", ")}>
          <span aria-hidden="true">+{hiddenTags.length}</span>
          <span className="unseen">{texts.andMore(hiddenTags.join(", "))}</span>
        </li>
      )}
    </ul>
  )
}
