// Translates developer-api.md 3.5 and 11.6 between HTTP and the views service.

import { Effect } from "effect"
import { type AccessGrant, Granted } from "../../../domain/accounts/Access.ts"
import { renderListedView, renderView, type ViewRow } from "../../../domain/records/views/View.ts"
import { Views } from "../../../domain/records/views/Views.ts"
import { group } from "../../middleware/requestContext.ts"
import { ViewsApi } from "./Api.ts"

export const ViewsHandlers = group(
  ViewsApi,
  Effect.fnUntraced(function* (handlers) {
    const views = yield* Views
    const answerView = <E>(use: (grant: AccessGrant) => Effect.Effect<ViewRow, E>) =>
      Effect.map(Effect.flatMap(Granted, use), (row) => ({ view: renderView(row) }))
    return handlers.handleAll({
      list: () =>
        Effect.map(Effect.flatMap(Granted, views.list), (rows) => ({
          views: rows.map(renderListedView),
          total: rows.length
        })),
      get: () => answerView(views.get),
      create: ({ payload }) => answerView((grant) => views.create(grant, payload)),
      update: ({ payload }) => {
        const { id: _, view_id: _view, app_id: _app, is_default: _default, created_by: _maker, ...input } = payload
        return answerView((grant) => views.update(grant, input))
      },
      makeDefault: () => answerView(views.makeDefault),
      remove: ({ params }) => Effect.as(Effect.flatMap(Granted, views.remove), { view_id: params.view_id })
    })
  })
)
