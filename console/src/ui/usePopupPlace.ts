// The element in which a popup is drawn: the dialog that its field stands in, since nothing outside of a modal dialog can be pressed, else
// the main part of the page.
import { useCallback, useState } from "react"

export const popupPlaceOf = (element: Element | null) =>
  element?.closest<HTMLElement>("dialog, main") ?? document.querySelector<HTMLElement>("main") ?? undefined

export const usePopupPlace = () => {
  const [place, setPlace] = useState<HTMLElement>()
  const field = useCallback((element: HTMLElement | null) => {
    if (element !== null) setPlace(popupPlaceOf(element))
  }, [])
  return { field, place }
}
