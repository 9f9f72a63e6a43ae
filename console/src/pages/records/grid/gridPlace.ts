// Remembers where each grid was left, so that Back finds it there: scroll position and selection, until the page is reloaded.
import { type Selection, startSelection } from "./selection.ts"
import { type Place, top } from "./virtualRows.ts"

export interface GridPlace {
  readonly place: Place
  readonly selection: Selection
}

const REMEMBERED = 50

const places = new Map<string, GridPlace>()

export const gridPlace = (key: string): GridPlace => places.get(key) ?? { place: top, selection: startSelection }

export const keepGridPlace = (key: string, place: GridPlace) => {
  places.delete(key)
  places.set(key, place)
  const [oldest] = places.keys()
  if (places.size > REMEMBERED) places.delete(oldest!)
}
