// True on a page as narrow as a phone's.
import { useSyncExternalStore } from "react"

const query = matchMedia("(max-width: 40rem)")
const watch = (onChange: () => void) => {
  query.addEventListener("change", onChange)
  return () => query.removeEventListener("change", onChange)
}
export const useIsNarrow = () => useSyncExternalStore(watch, () => query.matches)
