// The pages of a section, side by side above each of them.
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import type { Place } from "./place.ts"

export const SubNavigation = ({ label, places }: { readonly label: string; readonly places: ReadonlyArray<Place> }) => {
  const list = useRef<HTMLUListElement>(null)
  // Scrolls the current entry into view: on a phone it may be beyond the edge.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  })
  return (
    <nav className="subnav" aria-label={label}>
      <ul ref={list}>
        {places.map(({ text, to }) => (
          <li key={to}>
            <Link to={to} activeProps={{ "aria-current": "page" }}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
