// Remembers where each grid was left, so that Back finds it there: scroll position and selection, until the page is reloaded.
import { type Selection, startSelection } from "./selection.ts"
import { type Place, top } from "./virtualRows.ts"

export interface GridPlace {
  readonly place: Place
  readonly selection: Selection
}

const REMEMBERED = 50

const gridPlaces = new Map<string, GridPlace>()

export const gridPlace = (key: string): GridPlace => gridPlaces.get(key) ?? { place: top, selection: startSelection }

export const keepGridPlace = (key: string, place: GridPlace) => {
  gridPlaces.delete(key)
  gridPlaces.set(key, place)
  const [oldest] = gridPlaces.keys()
  if (gridPlaces.size > REMEMBERED) gridPlaces.delete(oldest!)
}
