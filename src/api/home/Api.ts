// Answers a summary for people who look after apps (decisions, "The console").
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { HomeSummary } from "../../domain/home/homeSummary.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

export class HomeApi extends HttpApiGroup.make("home")
  .add(
    HttpApiEndpoint.get("summary", "/v1/org/home", { success: HomeSummary }).pipe(
      requires({ cost: costs.homeSummary }),
      withSummary(
        "Get the first look",
        "What fails, what waits and why, what is due within a day, and the last 24 hours by the hour, of the apps that the caller administers, as far as the scopes `automations:read` and `webhooks:manage` reach."
      )
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Home", "The state of an organization at a glance.")) {}
