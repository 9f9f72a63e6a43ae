// The height of the grid's rows: that of the view, closer or wider by the reader's density.
import { type Density, useAppearance } from "../../../ui/appearance.ts"
import { type RowHeight, rowHeights } from "./look.ts"

const PIXELS: Readonly<Record<Density, number>> = { compact: -6, regular: 0, comfortable: 8 }

export const useRowHeight = (height: RowHeight) => rowHeights[height] + PIXELS[useAppearance().density]
