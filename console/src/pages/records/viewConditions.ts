// Conditions and order of a grid that shows a view (docs/console.md, "Views"): those of the view, until the reader changes them. The address then
// names both the view and all conditions, so that the change can be saved to the view or discarded.
import type { App, View } from "../../api/types.ts"
import type { GridSearch } from "./recordQueries.ts"

const conditionsOf = ({ desc, filters, sort }: GridSearch) => JSON.stringify([filters ?? [], sort ?? "", desc === true])

/** Conditions and order of the view, as an address names them. */
const searchOfView = (view: View, { fields }: App): GridSearch => {
  const sort = fields.find(({ field_id }) => field_id === view.sort_by)?.external_id
  return {
    view: view.view_id,
    filters: view.filters,
    ...(sort === undefined ? {} : { sort, ...(view.sort_desc ? { desc: true } : {}) })
  }
}

/** The address names conditions besides its view, or none. */
export const hasOwnConditions = ({ filters, sort }: GridSearch): boolean => filters !== undefined || sort !== undefined

/** Search of the grid, all conditions and the order named. */
export const fullSearchOf = (search: GridSearch, view: View | undefined, app: App): GridSearch =>
  view === undefined || hasOwnConditions(search)
    ? search
    : { ...searchOfView(view, app), ...(search.title === undefined ? {} : { title: search.title }) }

/** The address of what is to be shown: without the conditions where they are the view's. */
export const addressOf = (search: GridSearch, view: View | undefined, app: App): GridSearch => {
  if (view === undefined || search.view !== view.view_id || search.filters === undefined) return search
  const { desc: _, filters: __, sort: ___, ...rest } = search
  return conditionsOf(search) === conditionsOf(searchOfView(view, app)) ? rest : search
}

/** Members of a view that keep conditions and order. */
export const viewOfSearch = ({ desc, filters, sort }: GridSearch, { fields }: App) => {
  const sortBy = fields.find(({ external_id }) => external_id === sort)?.field_id ?? null
  return { filters: [...(filters ?? [])], sort_by: sortBy, sort_desc: sortBy !== null && desc === true }
}
