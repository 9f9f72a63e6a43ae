// Density and theme as the reader has chosen them for this browser. They stand as attributes of the document, by which density.css and the
// colours go; what counts pixels by itself, as the grid does, reads the density here.
import { useSyncExternalStore } from "react"

export const densities = ["compact", "regular", "comfortable"] as const
export const themes = ["system", "light", "dark"] as const
export type Density = (typeof densities)[number]
type Theme = (typeof themes)[number]

const KEYS = { density: "millrace.density", theme: "millrace.theme" } as const

/** Nothing is kept where the browser keeps nothing for pages: the choice then lasts as long as the page. */
const readChoice = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const oneOf = <Name extends string>(names: ReadonlyArray<Name>, name: string | null, preset: Name): Name =>
  names.find((one) => one === name) ?? preset

interface Appearance {
  readonly density: Density
  readonly theme: Theme
}
const readAppearance = (): Appearance => ({
  density: oneOf(densities, readChoice(KEYS.density), "regular"),
  theme: oneOf(themes, readChoice(KEYS.theme), "system")
})

let appearance = readAppearance()
const listeners = new Set<() => void>()

const show = (next: Appearance) => {
  appearance = next
  document.documentElement.dataset["density"] = next.density
  document.documentElement.dataset["theme"] = next.theme
  for (const listener of listeners) listener()
}

/** Shows what was chosen before, and follows choices of other tabs. */
export const beginAppearance = () => {
  show(appearance)
  window.addEventListener("storage", () => show(readAppearance()))
}

export const changeAppearance = (change: Partial<Appearance>) => {
  const next = { ...appearance, ...change }
  try {
    localStorage.setItem(KEYS.density, next.density)
    localStorage.setItem(KEYS.theme, next.theme)
  } catch {
    // Lasts as long as the page: see `readChoice`.
  }
  show(next)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useAppearance = (): Appearance => useSyncExternalStore(subscribe, () => appearance)
