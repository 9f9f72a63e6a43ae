// Props that the page of an app gives to each layout.
import type { App, Field } from "../../../api/types.ts"
import type { GridSearch } from "../recordQueries.ts"
import type { ChosenLayout } from "./layoutFields.ts"
import type { LayoutSearch } from "./layoutSearch.ts"

export interface LayoutProps {
  readonly app: App
  /** Conditions and order, those of the view included. */
  readonly search: GridSearch
  readonly chosen: ChosenLayout
  readonly place: LayoutSearch
  /** Changes the layout's part of the address, without a step of Back. */
  readonly changePlace: (place: Partial<LayoutSearch>) => void
  /** Fields that are shown, in their order. */
  readonly fields: ReadonlyArray<Field>
  readonly open: (recordId: number) => void
}
