// Endpoints of views: developer-api.md 3.5, 11.6; costs 1.6, rights 2.3.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { View, ViewCreate, ViewListed, ViewUpdate } from "../../../domain/records/views/View.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { costs } from "../../middleware/cost.ts"
import { DevApi } from "../../middleware/DevApi.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { requires } from "../../middleware/Requires.ts"
import { groupSummary, withSummary } from "../../middleware/summaries.ts"

const appId = { app_id: Id }
const viewId = { view_id: Id }
const onApp = (level: 1 | 4) => ({ kind: "app", level }) as const
const onView = (level: 1 | 4) => ({ kind: "view", level }) as const
const viewAnswer = Schema.Struct({ view: View }).annotate({ identifier: "ViewAnswer" })
const editRequirement = { scope: "apps:edit", cost: costs.views } as const

const list = HttpApiEndpoint.get("list", "/v1/app/:app_id/views", {
  params: appId,
  success: Schema.Struct({ views: Schema.Array(ViewListed), total: Schema.Int })
}).pipe(
  requires({ scope: "apps:read", cost: costs.views, guard: onApp(1) }),
  withSummary("List views", "The saved views of an app, and the caller's private ones.")
)

const get = HttpApiEndpoint.get("get", "/v1/view/:view_id", {
  params: viewId,
  success: viewAnswer,
  error: fails("NotFound")
}).pipe(
  requires({
    scope: "apps:read",
    cost: costs.oneView,
    guard: onView(1)
  }),
  withSummary("Get a view", "One view with its filters, its sort and its look.")
)

const create = HttpApiEndpoint.post("create", "/v1/view/app/:app_id", {
  params: appId,
  payload: ViewCreate,
  success: viewAnswer.pipe(HttpApiSchema.status(201)),
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires({ ...editRequirement, guard: onApp(4) }),
  withSummary(
    "Create a view",
    "Saves filters, sort and look under a name, for all who see the app or, `private`, for its maker."
  )
)

const update = HttpApiEndpoint.put("update", "/v1/view/:view_id", {
  params: viewId,
  payload: ViewUpdate,
  success: viewAnswer,
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires({ ...editRequirement, guard: onView(4) }),
  withSummary("Change a view", "Changes what is sent; the rest stays as it is.")
)

const makeDefault = HttpApiEndpoint.post("makeDefault", "/v1/view/:view_id/default", {
  params: viewId,
  success: viewAnswer,
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires({ ...editRequirement, guard: onView(4) }),
  withSummary("Make a view the default", "The app opens with it from now on. A private view cannot be the default.")
)

const remove = HttpApiEndpoint.delete("remove", "/v1/view/:view_id", {
  params: viewId,
  success: Schema.Struct({ view_id: Schema.Int }),
  error: fails("ValidationError", "Restricted", "NotFound")
}).pipe(
  // A private view is deleted by whoever made it, whatever their level is by now: the service asks for the level of others.
  requires({ ...editRequirement, guard: onView(1) }),
  withSummary(
    "Delete a view",
    "The records stay. The default view cannot be deleted; a private one its maker deletes, whatever their rights on the app."
  )
)

export class ViewsApi extends HttpApiGroup.make("views")
  .add(list, get, create, update, makeDefault, remove)
  .middleware(DevApi)
  .annotateMerge(groupSummary("Views", "Saved filters and sorts of an app.")) {}
