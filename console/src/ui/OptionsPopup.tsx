// The list below a field that is searched, by Base UI: the choices that there are for what is typed.
import { Combobox as Parts } from "@base-ui/react/combobox"
import type { ReactNode } from "react"
import "./popup.css"

interface OptionsPopupProps<Choice> {
  /** Element that the list stands in (usePopupPlace.ts). */
  readonly place: HTMLElement | null | undefined
  /** Name of the list where the field has no label beside it. */
  readonly label?: string
  /** Words for no choice. */
  readonly empty: string
  readonly children: (choice: Choice) => ReactNode
}
export const OptionsPopup = <Choice,>({ children, empty, label, place }: OptionsPopupProps<Choice>) => (
  <Parts.Portal container={place}>
    <Parts.Positioner className="popup-place" positionMethod="fixed" align="start" sideOffset={4}>
      <Parts.Popup className="options">
        <Parts.Empty className="options-empty">{empty}</Parts.Empty>
        <Parts.List aria-label={label}>{children}</Parts.List>
      </Parts.Popup>
    </Parts.Positioner>
  </Parts.Portal>
)
