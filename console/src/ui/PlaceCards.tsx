// The pages of a section as cards, each with what it is for.
import { Link } from "@tanstack/react-router"
import type { Place } from "./place.ts"

interface DescribedPlace extends Place {
  readonly about: string
}

export const PlaceCards = ({ places }: { readonly places: ReadonlyArray<DescribedPlace> }) => (
  <ul className="grid plain">
    {places.map(({ about, text, to }) => (
      <li key={to} className="card place">
        <h2>
          <Link to={to}>{text}</Link>
        </h2>
        <p className="muted">{about}</p>
      </li>
    ))}
  </ul>
)
